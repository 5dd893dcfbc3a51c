/* SPDX-License-Identifier: MIT
 *
 * toolhost-worker: a process of its own for code that is not trusted. The host starts it, with a
 * channel as descriptor 3; nobody else has a use for it.
 */
#include <config.h>

#include "worker/worker.h"

#include "base/array.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/status.h"
#include "worker/launch.h"
#include "worker/probe.h"
#include "worker/run.h"
#include "worker/scan.h"
#include "worker/tidy.h"
#include "worker/walls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "variable="
#define VARIABLES_MOST 16
/* "late", a group, the network, subprocesses; paths of both kinds; variables. */
#define GRANTS_MOST (4 + 2 * WALLS_PATHS + VARIABLES_MOST)

struct mode {
	const char *name;
	const char *usage;
	int least_arguments, most_arguments;
	int (*run)(int count, char **arguments);
};

static const struct mode modes[] = {
	{ "probe", "probe 3>ANSWER", 0, 0, probe_main },
	{ "scan", "scan FILE 3>VERDICT", 1, 1, scan_main },
	{ "run", "run LEVEL FILE [GRANT ...] 3<CALL", 2, 2 + GRANTS_MOST, run_main },
	{ "tidy", "tidy HOME NAME [CONTROLLERS] 3<CHANNEL", 2, 3, tidy_main },
	{ "launch", "launch LEVEL FILE [GRANT ...] 3<>CHANNEL", 2, 2 + GRANTS_MOST, launch_main },
};

static int usage(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		fprintf(stderr, "%s toolhost-worker %s\n", i ? "      " : "usage:", modes[i].usage);
	return EXIT_MISUSED;
}

static const struct mode *find_mode(int count, char **arguments)
{
	for (size_t i = 0; count >= 2 && i < ARRAY_SIZE(modes); i++)
		if (!strcmp(modes[i].name, arguments[1]) && count - 2 >= modes[i].least_arguments &&
		    count - 2 <= modes[i].most_arguments)
			return &modes[i];
	return NULL;
}

/* The dynamic linker looks at this variable when the program starts, and at no other time. With it,
 * a symbol that a pack lacks is found when the pack is loaded, and not in the middle of a call. */
static void bind_at_once(char **arguments)
{
	if (getenv("LD_BIND_NOW"))
		return;
	setenv("LD_BIND_NOW", "1", 1);
	execv("/proc/self/exe", arguments);
}

/* "NAME=value" in the environment, or NULL. */
static char *find_entry(const char *name)
{
	size_t length = strlen(name);

	for (char **entry = environ; *entry; entry++)
		if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
			return *entry;
	return NULL;
}

/* What a pack gets to see of the environment: what is of no interest to others, and the variables
 * that the operator names for it ("variable=NAME"). The host passes on no more; this is for whoever
 * starts a worker by hand, with secrets in the environment. */
static void keep_environment(char **arguments)
{
	static const char *const kept[] = {
		"LC_ALL",	   "LD_BIND_NOW",	   "LD_LIBRARY_PATH",
		"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "ASAN_OPTIONS",
		"UBSAN_OPTIONS",
	};
	char *values[ARRAY_SIZE(kept)], *entries[VARIABLES_MOST];
	size_t named = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		values[i] = getenv(kept[i]);
	for (size_t i = 0; arguments[i] && named < VARIABLES_MOST; i++)
		if (!strncmp(arguments[i], VARIABLE, strlen(VARIABLE)))
			entries[named++] = find_entry(arguments[i] + strlen(VARIABLE));
	clearenv();
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (values[i])
			setenv(kept[i], values[i], 1);
	for (size_t i = 0; i < named; i++)
		if (entries[i])
			putenv(entries[i]);
}

int main(int count, char **arguments)
{
	const struct mode *mode = find_mode(count, arguments);
	struct error error = ERROR_INIT;

	log_set_name("toolhost-worker");
	if (!mode || fcntl(WORKER_CHANNEL, F_GETFD) < 0)
		return usage();
	bind_at_once(arguments);
	if (settings_check(&error)) {
		log_error("%s", error.message);
		return EXIT_MISUSED;
	}
	keep_environment(arguments);
	return mode->run(count - 2, arguments + 2);
}
