/* SPDX-License-Identifier: MIT
 *
 * A pack for pack-scan.c: its constructor tries what no constructor should, and what came of it
 * stands in the description of its tool, which for that is not const.
 */
#include <toolhost/plugin.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static char findings[4096];

static void find(const char *format, ...) TH_FORMAT_(1, 2);
static void find(const char *format, ...)
{
	size_t used = strlen(findings);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(findings + used, sizeof(findings) - used, format, arguments);
	va_end(arguments);
}

/* "name=0" where it worked, else the error. */
static void outcome(const char *name, int result)
{
	find(" %s=%s", name, result >= 0 ? "done" : strerrorname_np(errno));
}

static void find_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *entry;
	int own = folder ? dirfd(folder) : -1;

	find("descriptors=");
	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != own)
			find("%s,", entry->d_name);
	if (folder)
		closedir(folder);
}

static void find_environment(void)
{
	find(" environment=");
	for (char **each = environ; *each; each++)
		find("%.*s,", (int)strcspn(*each, "="), *each);
}

static void *wait_for_ever(void *data)
{
	pause();
	return data;
}

__attribute__((constructor)) static void probe(void)
{
	char folder[] = "/tmp/toolhost-pack-scan-was-here";
	int death = 0;
	pthread_t thread;
	sigset_t blocked;

	find_descriptors();
	find_environment();
	outcome("read", open("/etc/passwd", O_RDONLY));
	outcome("write", open("/tmp/toolhost-pack-scan-was-here", O_WRONLY | O_CREAT, 0600));
	outcome("null", open("/dev/null", O_WRONLY));
	outcome("mkdir", mkdir(folder, 0700));
	outcome("chmod", chmod("/proc/self/cmdline", 0700));
	outcome("socket", socket(AF_INET, SOCK_STREAM, 0));
	outcome("unix", socket(AF_UNIX, SOCK_STREAM, 0));
	outcome("signal", kill(getpid(), 0));
	outcome("owner", fcntl(2, F_SETOWN, getpid()));
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	find(" blocked=%d", sigismember(&blocked, SIGTERM));
	find(" pipe=%s", signal(SIGPIPE, SIG_DFL) == SIG_DFL ? "default" : "changed");
	prctl(PR_GET_PDEATHSIG, &death);
	find(" death=%d privileges=%d root=%d", death, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
	     geteuid() == 0);
	if (pthread_create(&thread, NULL, wait_for_ever, NULL) == 0)
		find(" thread=done");
}

static int32_t run(th_call *call, const void *input)
{
	(void)input;
	return th_put_null(call, "nothing");
}

static const th_param none[] = { TH_END };

static th_tool tools[] = { TH_TOOL(run, th_no_input, none, NULL, "", "findings", {}) };

__attribute__((constructor)) static void show(void)
{
	tools[0].description = (th_text){ findings, strlen(findings) };
}

/* clang-format off */
TH_PACK(tools, {"version": "1.0.0"})
/* clang-format on */
