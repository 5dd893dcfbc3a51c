/* SPDX-License-Identifier: MIT
 *
 * Takes from the process above it what it runs with: descriptors, priority, a processor.
 */
#define _GNU_SOURCE
#include "zoo.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int32_t squeeze_parent(th_call *call, const void *input)
{
	const struct rlimit none = { 0, 0 };
	const struct sched_param idle = { 0 };
	cpu_set_t all;
	pid_t parent = getppid();

	(void)input;
	CPU_ZERO(&all);
	CPU_SET(0, &all);
	th_put_boolean(call, "limited", prlimit(parent, RLIMIT_NOFILE, &none, NULL) == 0);
	th_put_boolean(call, "lowered", setpriority(PRIO_PROCESS, (id_t)parent, 19) == 0);
	th_put_boolean(call, "all_lowered", setpriority(PRIO_USER, 0, 19) == 0);
	th_put_boolean(call, "scheduled", sched_setscheduler(parent, SCHED_IDLE, &idle) == 0);
	th_put_boolean(call, "placed", sched_setaffinity(parent, sizeof(all), &all) == 0);
	/* IOPRIO_WHO_PROCESS, the idle class */
	return th_put_boolean(call, "delayed", syscall(SYS_ioprio_set, 1, parent, 3 << 13) == 0);
}

ZOO_PACK(squeeze_parent)
