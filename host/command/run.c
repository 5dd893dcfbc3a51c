/* SPDX-License-Identifier: MIT
 *
 * From the command line to the command: the process is prepared, settings and config are read, the
 * command runs.
 */
#include <config.h>

#include "command/command.h"
#include "command/options.h"

#include "base/log.h"
#include "base/settings.h"
#include "pack/pack.h"
#include "recipes/build.h"

#include <toolhost/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A descriptor that is closed would be taken by the first file that is opened, and that file
 * written to as if it were the stream. Output gets one that cannot be written, so that a lost
 * result is told. */
static bool fill_streams(void)
{
	static const int modes[] = { O_RDONLY, O_RDONLY, O_WRONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd)
			return false;
	}
	return true;
}

/* Numeric libraries start a thread for each processor when they are loaded, which a pack in this
 * process would do. */
static void calm_libraries(void)
{
	setenv("OPENBLAS_NUM_THREADS", "1", 0);
	setenv("OMP_NUM_THREADS", "1", 0);
}

static void set_log_level(const struct program *program)
{
	static const char *const names[] = { "error", "warning", "info", "debug" };
	int level = LOG_LEVEL_WARNING;

	for (int i = LOG_LEVEL_ERROR; i <= LOG_LEVEL_DEBUG; i++) {
		if (!strcmp(setting_text(SETTING_LOG_LEVEL), names[i]))
			level = i;
	}
	if (program->verbosity > 0 && level < LOG_LEVEL_INFO)
		level = LOG_LEVEL_INFO;
	if (program->verbosity > 1)
		level = LOG_LEVEL_DEBUG;
	log_set_level((enum log_level)level);
}

static int print_version(const struct program *program)
{
	struct buffer out = BUFFER_INIT(4096);

	buffer_format(&out, "toolhost %s (plugin ABI %d.%d)\n", PACKAGE_VERSION, TH_ABI_MAJOR,
		      TH_ABI_MINOR);
	return command_print(program, &out, EXIT_RESULT);
}

static int print_help(const struct program *program, const struct invocation *invocation)
{
	struct buffer out = BUFFER_INIT(64 * 1024);

	help_print(&out, invocation);
	return command_print(program, &out, EXIT_RESULT);
}

/* The tools of the host itself are an ordinary pack, but for the file that it lacks. */
static int link_own_pack(struct program *program, struct error *error)
{
	int r = pack_linked_in(&recipes_pack, &program->own_pack, error);

	if (r == STATUS_OK)
		r = pack_describe(program->own_pack, &program->own_manifest, error);
	program->linked[0] = (struct registry_linked){
		.name = "toolhost",
		.manifest = program->own_manifest,
		.pack = program->own_pack,
	};
	return r;
}

static int read_config(struct program *program, const struct command *command, struct error *error)
{
	int r = config_load(&program->paths, program->config_file, &program->config, error);

	if (r == STATUS_OK)
		r = settings_check(error);
	if (r != STATUS_CONFIG_INVALID || !command->bears_faults)
		return r;
	error_move(&program->fault, error);
	return STATUS_OK;
}

static int run(struct program *program, const struct invocation *invocation)
{
	const struct command *command = invocation->chain[invocation->depth - 1];
	struct error error = ERROR_INIT;
	int status;

	if (paths_find(&program->paths, &error) != STATUS_OK ||
	    read_config(program, command, &error) != STATUS_OK ||
	    link_own_pack(program, &error) != STATUS_OK) {
		status = command_fail(program, &error);
	} else {
		set_log_level(program);
		status = command->run(program, &invocation->arguments);
	}
	json_drop(program->own_manifest);
	pack_free(program->own_pack);
	config_free(program->config);
	error_clear(&program->fault);
	paths_free(&program->paths);
	error_clear(&error);
	return status;
}

/* Whoever starts this program may hold signals back that we wait for, as those of a child's end. */
static void release_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int command_run(const struct command *root, int argc, char **argv)
{
	struct program program = { .output = STDOUT_FILENO };
	struct error error = ERROR_INIT;
	struct invocation invocation;
	int status;

	if (!fill_streams())
		return EXIT_VERDICT;
	release_signals();
	/* A write that fails is told by the one who writes: a reader that has gone, a file as large
	 * as files may be. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	calm_libraries();
	log_set_name("toolhost");

	if (options_read(root, argc, argv, &program, &invocation, &error) != STATUS_OK)
		status = command_fail(&program, &error);
	else if (invocation.version)
		status = print_version(&program);
	else if (invocation.help)
		status = print_help(&program, &invocation);
	else
		status = run(&program, &invocation);
	if (program.leave_at_once)
		_exit(status);
	options_free(&program, &invocation);
	error_clear(&error);
	return status;
}

void command_registry_options(const struct program *program, struct registry_options *ret_options)
{
	*ret_options = (struct registry_options){
		.paths = &program->paths,
		.config = program->config,
		.pack_dirs = (const char *const *)program->pack_dirs,
		.linked = program->linked,
		.no_default_packs = program->no_default_packs,
		.no_cache = program->no_cache,
	};
}

int command_registry(const struct program *program, const char *only_pack,
		     struct registry **ret_registry, struct error *error)
{
	struct registry_options options;

	command_registry_options(program, &options);
	options.only_pack = only_pack;
	return registry_build(&options, ret_registry, error);
}
