/* SPDX-License-Identifier: MIT
 *
 * The walls that a worker puts up around itself before it loads a pack, whose constructors run at
 * once. None can be taken down again. They stand here in the order in which they have to be put up.
 *
 * Each answers STATUS_OK, or STATUS_WORKER_FAILED with a message that names the wall and why the
 * system does not give it: whoever puts it up decides whether to go on without.
 */
#ifndef TOOLHOST_CONFINE_H
#define TOOLHOST_CONFINE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/resource.h>

/* Leaves exactly the descriptors 0, 1, 2 and `channel`: 0 is the null device, 1 is 2. */
int confine_descriptors(int channel, struct error *error);

/* Every signal as it is in a new process: not caught, not ignored, not blocked. */
void confine_signals(void);

/* No program that is started from here on gains a right, and nothing has a right that it was not
 * given. */
int confine_privileges(struct error *error);

/* Namespaces of its own. With `processes` the next child is the first process of one, and all in it
 * end with that. */
struct confine_namespaces {
	bool network;
	bool communication; /* System V and POSIX queues and shared memory */
	bool processes;
};

int confine_namespaces(const struct confine_namespaces *namespaces, struct error *error);

/* What a worker may still do to files of others once it has its own user. A root in a container may
 * lack the right to read alone, and have the one to any access; that is for workers whose other
 * walls deny all writing. CONFINE_WRITING is any access on purpose, for workers whose other walls
 * say where. */
enum confine_right { CONFINE_NOTHING, CONFINE_READING, CONFINE_ACCESS, CONFINE_WRITING };

/* A user that owns nothing, where the process is root; else nothing changes. All capabilities go
 * but those for `kept`, with which a pack and its libraries are found where root finds them. */
int confine_user(enum confine_right kept, struct error *error);

/* Of what confine_user() has kept, leaves what is for `kept`. */
int confine_rights(enum confine_right kept, struct error *error);

/* Whether a file can be read without a capability, so that those to read any can be given up before
 * the pack's constructors run. */
bool confine_can_read(const char *path);

/* A /proc, as a descriptor, that hides no process from whoever has it, as the one that is mounted may (its
 * option hidepid). To be asked for with the program's rights, and before the namespaces. -1: it cannot
 * be had, as by a user who is not root. */
int confine_processes_view(void);

/* Dies with the process that started it. Comes after confine_user(), which would undo it. */
void confine_lifetime(void);

/* Whether the process that started this one had ended before confine_lifetime(), so that no signal
 * will come. `channel` is what the two have between them: a pipe, or a socket which that process
 * has made. */
bool confine_is_orphan(int channel);

struct confine_limits {
	rlim_t cpu_seconds;
	rlim_t file_bytes; /* of a file that is written to */
	rlim_t descriptors;
	rlim_t data_bytes; /* private and writable memory; not applied with AddressSanitizer */
};

int confine_limits(const struct confine_limits *limits, struct error *error);

/* The most processes and threads in the user namespace that this process is the first of. */
int confine_processes(rlim_t most, struct error *error);

/* Files by Landlock, which also keeps TCP, sockets of other processes, and signals to them. */
struct confine_files {
	const char *const *readable; /* files and folders, NULL-ended; NULL: everything */
	const char *const *writable; /* NULL-ended */
	bool network;		     /* TCP stays as it is */
	const char *const *runnable; /* NULL-ended; NULL: nothing. What is run is read as well */
};

int confine_files(const struct confine_files *files, struct error *error);

/* System calls by seccomp. */
struct confine_calls {
	bool processes;	 /* new processes, programs, sessions, and signals are allowed */
	bool sockets;	 /* sockets are allowed; else EACCES */
	bool attributes; /* modes, owners, times of files may be changed; else EPERM */
	bool writing;	 /* files may be opened for writing, made and removed; else EACCES */
	bool sharing;	 /* memory may be shared, which no limit counts; else ENOMEM and ENOSYS */
	bool grouped;	 /* with a listener: processes of the launcher start in groups (group.h) */
	int *ret_listener; /* NULL, or where the listener goes that forbidden calls are held for */
};

/* A call that is forbidden for good raises SIGSYS, with its number in si_syscall, or is held until
 * whoever reads the listener (seccomp_unotify(2)) has decided; what libraries have a fallback for
 * answers ENOSYS. Threads start as before. */
int confine_calls(const struct confine_calls *calls, struct error *error);

/* What a forbidden call would do, for a sentence, and its name; "" where it is not among them. Safe
 * in a signal handler. */
const char *confine_call_purpose(int number);
const char *confine_call_name(int number);

#endif
