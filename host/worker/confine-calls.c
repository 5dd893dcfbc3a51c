/* SPDX-License-Identifier: MIT
 *
 * The filter of system calls: a list of what is forbidden, since a list of what is allowed breaks
 * with every new C library. What is merely unwelcome gets an error, for which programs have a
 * branch; what no tool has business with raises SIGSYS, so that it can be told.
 */
#include <config.h>

#include "base/array.h"
#include "worker/confine.h"

#include "worker/group.h"

#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

struct forbidden {
	int number;
	const char *name;
	const char *purpose; /* "tries to PURPOSE" */
};

/* clang-format off */
#define FORBIDDEN(call, purpose) { SCMP_SYS(call), #call, purpose }
/* clang-format on */

/* Threads are started by clone too, whose arguments tell. */
static const struct forbidden processes[] = {
	FORBIDDEN(fork, "start a process"),   FORBIDDEN(vfork, "start a process"),
	FORBIDDEN(clone, "start a process"),  FORBIDDEN(execve, "run a program"),
	FORBIDDEN(execveat, "run a program"),
};

static const struct forbidden leaving[] = {
	FORBIDDEN(setsid, "leave its session"),
	FORBIDDEN(setpgid, "leave its process group"),
};

/* The first argument is the process that gets the signal; to itself one may send any. */
static const struct forbidden signals[] = {
	FORBIDDEN(kill, "send a signal to another process"),
	FORBIDDEN(tkill, "send a signal to another process"),
	FORBIDDEN(tgkill, "send a signal to another process"),
	FORBIDDEN(rt_sigqueueinfo, "send a signal to another process"),
	FORBIDDEN(rt_tgsigqueueinfo, "send a signal to another process"),
};

static const struct forbidden always[] = {
	FORBIDDEN(pidfd_send_signal, "send a signal to another process"),
	FORBIDDEN(ptrace, "trace a process"),
	FORBIDDEN(process_vm_readv, "read the memory of a process"),
	FORBIDDEN(process_vm_writev, "write the memory of a process"),
	FORBIDDEN(process_madvise, "manage the memory of a process"),
	FORBIDDEN(pidfd_getfd, "take a descriptor of a process"),
	FORBIDDEN(kcmp, "compare processes"),
	FORBIDDEN(bpf, "load code into the kernel"),
	FORBIDDEN(init_module, "load code into the kernel"),
	FORBIDDEN(finit_module, "load code into the kernel"),
	FORBIDDEN(delete_module, "unload code of the kernel"),
	FORBIDDEN(kexec_load, "replace the kernel"),
	FORBIDDEN(kexec_file_load, "replace the kernel"),
	FORBIDDEN(reboot, "restart the machine"),
	FORBIDDEN(keyctl, "use the kernel's keys"),
	FORBIDDEN(add_key, "use the kernel's keys"),
	FORBIDDEN(request_key, "use the kernel's keys"),
	FORBIDDEN(perf_event_open, "measure other processes"),
	FORBIDDEN(mount, "change what is mounted"),
	FORBIDDEN(umount2, "change what is mounted"),
	FORBIDDEN(move_mount, "change what is mounted"),
	FORBIDDEN(open_tree, "change what is mounted"),
	FORBIDDEN(mount_setattr, "change what is mounted"),
	FORBIDDEN(fsopen, "change what is mounted"),
	FORBIDDEN(fsmount, "change what is mounted"),
	FORBIDDEN(fspick, "change what is mounted"),
	FORBIDDEN(pivot_root, "change its root folder"),
	FORBIDDEN(unshare, "enter namespaces"),
	FORBIDDEN(setns, "enter namespaces"),
	FORBIDDEN(open_by_handle_at, "open files by their handles"),
	FORBIDDEN(settimeofday, "set the clock"),
	FORBIDDEN(clock_settime, "set the clock"),
	FORBIDDEN(sethostname, "name the machine"),
	FORBIDDEN(setdomainname, "name the machine"),
	FORBIDDEN(swapon, "change swapping"),
	FORBIDDEN(swapoff, "change swapping"),
	FORBIDDEN(acct, "change accounting"),
	FORBIDDEN(iopl, "use the hardware"),
	FORBIDDEN(ioperm, "use the hardware"),
};

/* Libraries take these for missing, and do without. */
static const int missing[] = {
	SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
	SCMP_SYS(userfaultfd),	  SCMP_SYS(openat2),
};

static const int attribute_calls[] = {
	SCMP_SYS(chmod),	SCMP_SYS(fchmod),    SCMP_SYS(fchmodat),    SCMP_SYS(chown),
	SCMP_SYS(fchown),	SCMP_SYS(lchown),    SCMP_SYS(fchownat),    SCMP_SYS(utime),
	SCMP_SYS(utimes),	SCMP_SYS(utimensat), SCMP_SYS(futimesat),   SCMP_SYS(setxattr),
	SCMP_SYS(lsetxattr),	SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
	SCMP_SYS(fremovexattr),
};

static const int writing_calls[] = {
	SCMP_SYS(creat),   SCMP_SYS(truncate),	SCMP_SYS(unlink),    SCMP_SYS(unlinkat),
	SCMP_SYS(rename),  SCMP_SYS(renameat),	SCMP_SYS(renameat2), SCMP_SYS(mkdir),
	SCMP_SYS(mkdirat), SCMP_SYS(rmdir),	SCMP_SYS(link),	     SCMP_SYS(linkat),
	SCMP_SYS(symlink), SCMP_SYS(symlinkat), SCMP_SYS(mknod),     SCMP_SYS(mknodat),
};

/* The first argument is the process whose limits, priority, processors or memory change; 0 is the
 * caller. Libraries that place their threads take no for an answer. */
static const int managing_calls[] = {
	SCMP_SYS(prlimit64),	      SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setattr),
	SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),	   SCMP_SYS(migrate_pages),
	SCMP_SYS(move_pages),
};

/* Here the second argument is that, and the first says what it is: a process by this number, or else
 * a group, or all of a user's. */
static const struct {
	int call;
	int process;
} priority_calls[] = {
	{ SCMP_SYS(setpriority), PRIO_PROCESS },
	{ SCMP_SYS(ioprio_set), 1 }, /* IOPRIO_WHO_PROCESS */
};

/* Some libraries try these and take no for an answer. */
static const int refused[] = { SCMP_SYS(chroot) };

/* With these a process has signals sent to others by the kernel. */
static const int owner_commands[] = { F_SETOWN, F_SETOWN_EX, F_SETSIG };

/* These put a process in charge of a descriptor, likewise, or type into somebody's terminal. */
static const unsigned long requests[] = { FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX };

/* ---- Building the filter; each answers 0 or a negative errno ------------------------------ */

static int deny(scmp_filter_ctx filter, const int *calls, size_t count, int failure)
{
	int r = 0;

	for (size_t i = 0; i < count && !r; i++)
		r = seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)failure), calls[i], 0);
	return r;
}

static int forbid(scmp_filter_ctx filter, uint32_t action, const struct forbidden *calls,
		  size_t count)
{
	int r = 0;

	for (size_t i = 0; i < count && !r; i++)
		r = seccomp_rule_add(filter, action, calls[i].number, 0);
	return r;
}

/* Threads are started by clone as well. Where calls are held, and no group counts them, those are
 * held too: the listener counts. */
static int forbid_processes(scmp_filter_ctx filter, uint32_t action, bool counted)
{
	int r = forbid(filter, action, leaving, ARRAY_SIZE(leaving));

	for (size_t i = 0; i < ARRAY_SIZE(processes) && !r; i++) {
		if (processes[i].number == SCMP_SYS(clone) && !counted)
			r = seccomp_rule_add(filter, action, SCMP_SYS(clone), 1,
					     SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
		else
			r = seccomp_rule_add(filter, action, processes[i].number, 0);
	}
	return r;
}

/* It is missing, too, and libraries take clone. That of the launcher is known by the size that it
 * gives, and is held like its clone, so that it is seen who makes it. */
static int deny_clone3(scmp_filter_ctx filter, bool grouped)
{
	int r;

	if (!grouped)
		return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 1,
			     SCMP_A1(SCMP_CMP_NE, GROUP_SIZE, 0));
	return r ? r
		 : seccomp_rule_add(filter, SCMP_ACT_NOTIFY, SCMP_SYS(clone3), 1,
				    SCMP_A1(SCMP_CMP_EQ, GROUP_SIZE, 0));
}

/* A user namespace of its own would give a process all capabilities in it, and with them more of
 * the kernel to try. */
static int forbid_namespaces(scmp_filter_ctx filter, uint32_t action)
{
	static const unsigned kinds[] = { CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
					  CLONE_NEWIPC,	 CLONE_NEWUTS, CLONE_NEWCGROUP };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !r; i++)
		r = seccomp_rule_add(filter, action, SCMP_SYS(clone), 1,
				     SCMP_A0(SCMP_CMP_MASKED_EQ, kinds[i], kinds[i]));
	return r;
}

/* Where calls are held, children with other numbers inherit the filter: the listener compares. */
static int forbid_signals(scmp_filter_ctx filter, uint32_t action, bool held)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(signals) && !r; i++)
		r = held ? seccomp_rule_add(filter, action, signals[i].number, 0)
			 : seccomp_rule_add(filter, action, signals[i].number, 1,
					    SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0));
	return r;
}

static int deny_ownership(scmp_filter_ctx filter)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(owner_commands) && !r; i++)
		r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
				     SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)owner_commands[i], 0));
	for (size_t i = 0; i < ARRAY_SIZE(requests) && !r; i++)
		r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
				     SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, requests[i]));
	return r;
}

/* Calls of one pack have one user, so the kernel would let them do this to each other. */
static int deny_managing(scmp_filter_ctx filter)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(managing_calls) && !r; i++)
		r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), managing_calls[i], 1,
				     SCMP_A0(SCMP_CMP_NE, 0, 0));
	for (size_t i = 0; i < ARRAY_SIZE(priority_calls) && !r; i++) {
		r = seccomp_rule_add(
			filter, SCMP_ACT_ERRNO(EPERM), priority_calls[i].call, 1,
			SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)priority_calls[i].process, 0));
		if (!r)
			r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), priority_calls[i].call,
					     1, SCMP_A1(SCMP_CMP_NE, 0, 0));
	}
	return r;
}

/* An open that may change something has one of these among its flags. */
static int deny_writing(scmp_filter_ctx filter)
{
	static const unsigned flags[] = { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC };
	int r = deny(filter, writing_calls, ARRAY_SIZE(writing_calls), EACCES);

	for (size_t i = 0; i < ARRAY_SIZE(flags) && !r; i++) {
		r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(open), 1,
				     SCMP_A1(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
		if (!r)
			r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat), 1,
					     SCMP_A2(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
	}
	return r;
}

/* Shared anonymous memory counts for no limit of the process that has it. */
static int deny_sharing(scmp_filter_ctx filter)
{
	static const int calls[] = { SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret),
				     SCMP_SYS(shmget) };
	int r = deny(filter, calls, ARRAY_SIZE(calls), ENOSYS);

	if (!r)
		r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap), 1,
				     SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS,
					     MAP_SHARED | MAP_ANONYMOUS));
	return r;
}

/* A mapping that grows downwards counts as stack, and so for no limit, however large it is. */
static int deny_stacks(scmp_filter_ctx filter)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap), 1,
				SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN, MAP_GROWSDOWN));
}

static int add_rules(scmp_filter_ctx filter, const struct confine_calls *calls)
{
	static const int sockets[] = { SCMP_SYS(socket) };
	bool held = calls->ret_listener != NULL;
	uint32_t action = held ? SCMP_ACT_NOTIFY : SCMP_ACT_TRAP;
	int r = forbid(filter, action, always, ARRAY_SIZE(always));

	if (!r)
		r = deny_ownership(filter);
	if (!r)
		r = deny_managing(filter);
	/* Processes that a call may start are in a namespace of its own, and reach no others. */
	if (!r && !calls->processes)
		r = forbid_signals(filter, action, held);
	if (!r && !calls->sharing)
		r = deny_sharing(filter);
	if (!r)
		r = deny_stacks(filter);
	if (!r)
		r = deny(filter, missing, ARRAY_SIZE(missing), ENOSYS);
	if (!r)
		r = deny_clone3(filter, held && calls->grouped);
	if (!r)
		r = deny(filter, refused, ARRAY_SIZE(refused), EPERM);
	if (!r && !calls->processes)
		r = forbid_processes(filter, action, held && !calls->grouped);
	if (!r && calls->processes)
		r = forbid_namespaces(filter, action);
	if (!r && !calls->sockets)
		r = deny(filter, sockets, ARRAY_SIZE(sockets), EACCES);
	if (!r && !calls->attributes)
		r = deny(filter, attribute_calls, ARRAY_SIZE(attribute_calls), EPERM);
	if (!r && !calls->writing)
		r = deny_writing(filter);
	return r;
}

int confine_calls(const struct confine_calls *calls, struct error *error)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int r = filter ? 0 : -ENOMEM;

	/* A search tree, where a chain of comparisons would slow down every call. */
	if (!r)
		r = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!r)
		r = add_rules(filter, calls);
	if (!r)
		r = seccomp_load(filter);
	if (!r && calls->ret_listener)
		*calls->ret_listener = seccomp_notify_fd(filter);
	seccomp_release(filter);
	if (r)
		return error_set(error, STATUS_WORKER_FAILED, "system calls by seccomp: %s",
				 strerror(-r));
	return STATUS_OK;
}

/* ---- Telling which ------------------------------------------------------------------------ */

static const struct forbidden *find(const struct forbidden *calls, size_t count, int number)
{
	for (size_t i = 0; i < count; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static const struct forbidden *find_forbidden(int number)
{
	const struct forbidden *found = find(processes, ARRAY_SIZE(processes), number);

	if (!found)
		found = find(leaving, ARRAY_SIZE(leaving), number);
	if (!found)
		found = find(signals, ARRAY_SIZE(signals), number);
	return found ? found : find(always, ARRAY_SIZE(always), number);
}

const char *confine_call_purpose(int number)
{
	const struct forbidden *found = find_forbidden(number);

	return found ? found->purpose : "";
}

const char *confine_call_name(int number)
{
	const struct forbidden *found = find_forbidden(number);

	return found ? found->name : "";
}
