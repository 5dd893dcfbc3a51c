/* SPDX-License-Identifier: MIT
 *
 * Tools that need what lies beyond the walls of a worker, and say what came of it.
 */
#include <toolhost/settings.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct text_in {
	th_text text;
};

static const th_param no_params[] = { TH_END };
static const th_param path_params[] = { TH_STRING(struct text_in, text, "A path.", {}), TH_END };
static const th_param name_params[] = { TH_STRING(struct text_in, text, "A name.", {}), TH_END };
static const th_param command_params[] = {
	TH_STRING(struct text_in, text, "A command for the shell.", {}),
	TH_END
};

/* ---- Files --------------------------------------------------------------------------------------- */

static int32_t told(th_call *call, int fd)
{
	if (fd < 0)
		return th_fail(call, "it cannot be opened: %s", strerror(errno));
	close(fd);
	return th_put_boolean(call, "opened", 1);
}

static int32_t wish_read(th_call *call, const void *input)
{
	return told(call, open(((const struct text_in *)input)->text.data, O_RDONLY | O_CLOEXEC));
}

static int32_t wish_write(th_call *call, const void *input)
{
	return told(call, open(((const struct text_in *)input)->text.data,
			       O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

/* What its constructor has opened, before there was a call. */
static int shadow = -1;

__attribute__((constructor)) static void open_shadow(void)
{
	shadow = open("/etc/shadow", O_RDONLY | O_CLOEXEC);
}

static int32_t wish_shadow(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "opened", shadow >= 0);
}

/* ---- The network --------------------------------------------------------------------------------- */

struct port_in {
	int64_t port;
};

static const th_param port_params[] = {
	TH_INTEGER(struct port_in, port, "A port of this machine.", {"minimum": 1, "maximum": 65535}),
	TH_END
};

static int32_t wish_connect(th_call *call, const void *input)
{
	struct sockaddr_in there = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return th_fail(call, "no socket: %s", strerror(errno));
	there.sin_port = htons((uint16_t)((const struct port_in *)input)->port);
	there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (const struct sockaddr *)&there, sizeof(there))) {
		close(fd);
		return th_fail(call, "no connection: %s", strerror(errno));
	}
	close(fd);
	return th_put_boolean(call, "connected", 1);
}

/* ---- Processes ----------------------------------------------------------------------------------- */

/* Runs a command as a library would: all descriptors are inherited, and nobody ends it later. */
static int32_t wish_run(th_call *call, const void *input)
{
	const struct text_in *in = (const struct text_in *)input;
	int status = 0;
	pid_t child = fork();

	if (child < 0)
		return th_fail(call, "no process: %s", strerror(errno));
	if (!child) {
		execl("/bin/sh", "sh", "-c", in->text.data, (char *)NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return th_put_integer(call, "status", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

/* The same, and then a way to end that leaves the command behind. */
static int32_t wish_crash(th_call *call, const void *input)
{
	int32_t r = wish_run(call, input);

	abort();
	return r;
}

/* ---- What the operator set ----------------------------------------------------------------------- */

static int32_t wish_setting(th_call *call, const void *input)
{
	return th_put_integer(call, "value", th_setting_whole(call, ((const struct text_in *)input)->text.data, -1));
}

static int32_t wish_variable(th_call *call, const void *input)
{
	const char *value = getenv(((const struct text_in *)input)->text.data);

	return value ? th_put_string(call, "value", value) : th_put_null(call, "value");
}

static const th_tool tools[] = {
	TH_TOOL(wish_read, struct text_in, path_params, NULL, "Read", "Opens a file to read it.",
		{"needs": {"read": ["/tmp/toolhost-wishes/in"]},
		 "examples": [{"arguments": {"text": "/tmp/toolhost-wishes/in"}}]}),
	TH_TOOL(wish_write, struct text_in, path_params, NULL, "Write", "Opens a file to write it.",
		{"needs": {"write": ["/tmp/toolhost-wishes/out"]}}),
	TH_TOOL(wish_connect, struct port_in, port_params, NULL, "Connect", "Connects to this machine.",
		{"needs": {"network": true}}),
	TH_TOOL(wish_run, struct text_in, command_params, NULL, "Run", "Runs a command.",
		{"needs": {"subprocess": true}, "timeout": 5}),
	TH_TOOL(wish_crash, struct text_in, command_params, NULL, "Crash", "Runs a command, and crashes.",
		{"needs": {"subprocess": true}, "timeout": 5}),
	TH_TOOL(wish_shadow, th_no_input, no_params, NULL, "Shadow", "Whether a constructor opened a secret.", {}),
	TH_TOOL(wish_setting, struct text_in, name_params, NULL, "Setting", "What a setting is.", {}),
	TH_TOOL(wish_variable, struct text_in, name_params, NULL, "Variable", "What a variable is.", {})
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Tools that need what is beyond the walls."})
