/* SPDX-License-Identifier: MIT
 *
 * The walls of a worker, one at a time, each in a child that puts it up and then tries to pass.
 */
#include <config.h>

#include "unit.h"

#include "worker/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/toolhost-pack-walls-XXXXXX";

#define UNAVAILABLE 127 /* a child's status where this system has no such wall */

/* Runs in a child; answers its exit status, or 128 and its signal. */
static int in_child(int (*run)(void))
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(run());
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Two paths at a time. */
static const char *inside(const char *name)
{
	static char paths[2][100];
	static int last;

	last = !last;
	snprintf(paths[last], sizeof(paths[last]), "%s/%s", folder, name);
	return paths[last];
}

/* The status of a child: the line in which something went another way than it should. */
#define WANT(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return __LINE__ % 120 + 1;                                                 \
	} while (0)
#define DENIED(expression, failure) WANT((expression) < 0 && errno == (failure))

/* ---- Files -------------------------------------------------------------------------------- */

static int write_nowhere(void)
{
	static const char *const writable[] = { "/dev/null", NULL };

	if (confine_privileges(NULL) ||
	    confine_files(&(struct confine_files){ .writable = writable }, NULL))
		return UNAVAILABLE;
	WANT(open("/etc/passwd", O_RDONLY) >= 0);
	WANT(open("/dev/null", O_WRONLY) >= 0);
	DENIED(open(inside("there"), O_WRONLY), EACCES);
	DENIED(open(inside("new"), O_WRONLY | O_CREAT, 0600), EACCES);
	DENIED(unlink(inside("there")), EACCES);
	DENIED(mkdir(inside("new"), 0700), EACCES);
	DENIED(symlink("x", inside("new")), EACCES);
	DENIED(rename(inside("there"), inside("new")), EACCES);
	return 0;
}

static int read_and_write_in_one_place(void)
{
	const char *const places[] = { folder, "/no/such/place", NULL };
	int fd;

	if (confine_privileges(NULL) ||
	    confine_files(&(struct confine_files){ .readable = places, .writable = places }, NULL))
		return UNAVAILABLE;
	DENIED(open("/etc/passwd", O_RDONLY), EACCES);
	DENIED(open("/", O_RDONLY | O_DIRECTORY), EACCES);
	fd = open(inside("own"), O_RDWR | O_CREAT, 0600);
	WANT(fd >= 0 && write(fd, "x", 1) == 1);
	WANT(unlink(inside("own")) == 0);
	return 0;
}

static void test_files(void)
{
	int fd = open(inside("there"), O_WRONLY | O_CREAT, 0600);

	close(fd);
	CU_ASSERT(in_child(write_nowhere) % UNAVAILABLE == 0);
	CU_ASSERT(in_child(read_and_write_in_one_place) % UNAVAILABLE == 0);
	unlink(inside("there"));
}

/* ---- System calls ------------------------------------------------------------------------- */

static int calls_with(struct confine_calls calls)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };

	sigaction(SIGSYS, &usual, NULL);
	return confine_privileges(NULL) || confine_calls(&calls, NULL);
}

/* The filter that stands in for Landlock. */
static int write_nowhere_by_filter(void)
{
	WANT(!calls_with((struct confine_calls){ 0 }));
	WANT(open("/etc/passwd", O_RDONLY) >= 0);
	DENIED(open(inside("there"), O_WRONLY), EACCES);
	DENIED(open(inside("there"), O_RDWR), EACCES);
	DENIED(open(inside("there"), O_RDONLY | O_TRUNC), EACCES);
	DENIED(open(inside("new"), O_RDONLY | O_CREAT, 0600), EACCES);
	DENIED(openat(AT_FDCWD, inside("there"), O_WRONLY), EACCES);
	DENIED(syscall(SYS_openat2, AT_FDCWD, inside("there"), NULL, 0), ENOSYS);
	DENIED(unlink(inside("there")), EACCES);
	DENIED(mkdir(inside("new"), 0700), EACCES);
	DENIED(rename(inside("there"), inside("new")), EACCES);
	DENIED(truncate(inside("there"), 0), EACCES);
	DENIED(link(inside("there"), inside("new")), EACCES);
	DENIED(symlink("x", inside("new")), EACCES);
	DENIED(chmod(inside("there"), 0777), EPERM);
	DENIED(fchmodat(AT_FDCWD, inside("there"), 0777, 0), EPERM);
	DENIED(chown(inside("there"), 1, 1), EPERM);
	DENIED(utimensat(AT_FDCWD, inside("there"), NULL, 0), EPERM);
	return 0;
}

static void *give_back(void *data)
{
	return data;
}

/* What any program does. */
static int live_on(void)
{
	pthread_t thread;
	void *back = NULL;
	char byte;
	int ends[2];

	WANT(!calls_with((struct confine_calls){ 0 }));
	WANT(pthread_create(&thread, NULL, give_back, ends) == 0);
	WANT(pthread_join(thread, &back) == 0 && back == ends);
	WANT(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && read(ends[0], &byte, 1) == 1);
	WANT(kill(getpid(), 0) == 0 && raise(SIGCONT) == 0);
	WANT(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	     MAP_FAILED);
	DENIED(socket(AF_INET, SOCK_STREAM, 0), EACCES);
	DENIED(syscall(SYS_clone3, NULL, 0), ENOSYS);
	DENIED(syscall(SYS_io_uring_setup, 1, NULL), ENOSYS);
	DENIED(fcntl(0, F_SETOWN, getpid()), EPERM);
	DENIED(fcntl(0, F_SETSIG, SIGKILL), EPERM);
	return 0;
}

static int share_memory(void)
{
	int flags = MAP_SHARED | MAP_ANONYMOUS;

	WANT(!calls_with((struct confine_calls){ 0 }));
	WANT(mmap(NULL, 4096, PROT_READ, flags, -1, 0) == MAP_FAILED && errno == ENOMEM);
	DENIED(syscall(SYS_memfd_create, "x", 0), ENOSYS);
	return 0;
}

static void test_what_is_denied(void)
{
	int fd = open(inside("there"), O_WRONLY | O_CREAT, 0600);

	close(fd);
	CU_ASSERT_EQUAL(in_child(write_nowhere_by_filter), 0);
	CU_ASSERT_EQUAL(in_child(live_on), 0);
	CU_ASSERT_EQUAL(in_child(share_memory), 0);
	unlink(inside("there"));
}

#define FORBIDDEN(name, ...)                                                                       \
	static int name(void)                                                                      \
	{                                                                                          \
		WANT(!calls_with((struct confine_calls){ .writing = true }));                      \
		(void)!(__VA_ARGS__);                                                              \
		return 0;                                                                          \
	}

FORBIDDEN(do_fork, fork())
FORBIDDEN(do_exec, execl("/bin/true", "true", (char *)NULL))
FORBIDDEN(do_setsid, syscall(SYS_setsid))
FORBIDDEN(do_kill, kill(getppid(), 0))
FORBIDDEN(do_kill_all, kill(-1, 0))
FORBIDDEN(do_ptrace, syscall(SYS_ptrace, 0, 0, 0, 0))
FORBIDDEN(do_bpf, syscall(SYS_bpf, 0, NULL, 0))
FORBIDDEN(do_keyctl, syscall(SYS_keyctl, 0, 0, 0, 0, 0))
FORBIDDEN(do_unshare, syscall(SYS_unshare, 0))
FORBIDDEN(do_mount, syscall(SYS_mount, NULL, NULL, NULL, 0, NULL))
FORBIDDEN(do_read_memory, syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0))
FORBIDDEN(do_perf, syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0))

static void test_what_is_forbidden(void)
{
	static int (*const runs[])(void) = {
		do_fork, do_exec,   do_setsid,	do_kill,  do_kill_all,	  do_ptrace,
		do_bpf,	 do_keyctl, do_unshare, do_mount, do_read_memory, do_perf,
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		CU_ASSERT_EQUAL(in_child(runs[i]), 128 + SIGSYS);
}

static volatile sig_atomic_t trapped;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	trapped = info->si_syscall;
}

static int name_the_call(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	WANT(!calls_with((struct confine_calls){ .writing = true }));
	sigaction(SIGSYS, &action, NULL);
	syscall(SYS_setsid);
	WANT(trapped == SYS_setsid);
	WANT(!strcmp(confine_call_name(trapped), "setsid"));
	WANT(!strcmp(confine_call_purpose(trapped), "leave its session"));
	return 0;
}

static int start_a_process(void)
{
	int status;
	pid_t child;

	WANT(!calls_with((struct confine_calls){ .processes = true, .writing = true }));
	child = fork();
	WANT(child >= 0);
	if (!child)
		_exit(5);
	WANT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
	return 0;
}

static void test_which_and_who(void)
{
	CU_ASSERT_EQUAL(in_child(name_the_call), 0);
	CU_ASSERT_EQUAL(in_child(start_a_process), 0);
	UNIT_TEXT(confine_call_name(SYS_read), "");
	UNIT_TEXT(confine_call_purpose(SYS_read), "");
}

/* ---- The rest ----------------------------------------------------------------------------- */

static int keep_four_descriptors(void)
{
	int channel = open("/dev/zero", O_RDONLY), other = open("/dev/zero", O_RDONLY);

	dup2(other, 200);
	dup2(channel, 5);
	WANT(!confine_descriptors(5, NULL));
	for (int i = 0; i < 1024; i++)
		WANT((fcntl(i, F_GETFD) >= 0) == (i <= 2 || i == 5));
	WANT(read(0, &(char){ 0 }, 1) == 0);
	return 0;
}

static int survive_closed_standard_descriptors(void)
{
	dup2(open("/dev/zero", O_RDONLY), 3);
	for (int i = 0; i < 3; i++)
		close(i);
	WANT(!confine_descriptors(3, NULL));
	for (int i = 0; i < 10; i++)
		WANT((fcntl(i, F_GETFD) >= 0) == (i <= 3));
	return 0;
}

static int have_limits(void)
{
	const struct confine_limits limits = { .cpu_seconds = 60,
					       .file_bytes = 4096,
					       .descriptors = 20,
					       .data_bytes = (rlim_t)1 << 30 };
	const struct confine_limits more = { .cpu_seconds = 1000,
					     .file_bytes = 1 << 20,
					     .descriptors = 1000,
					     .data_bytes = (rlim_t)1 << 40 };
	struct rlimit found;

	WANT(!confine_limits(&limits, NULL));
	WANT(!confine_limits(&more, NULL)); /* never raises one */
	WANT(!getrlimit(RLIMIT_CPU, &found) && found.rlim_cur == 60 && found.rlim_max == 60);
	WANT(!getrlimit(RLIMIT_CORE, &found) && found.rlim_max == 0);
	WANT(!getrlimit(RLIMIT_NOFILE, &found) && found.rlim_max == 20);
	signal(SIGXFSZ, SIG_IGN);
	DENIED(ftruncate(open(inside("large"), O_RDWR | O_CREAT, 0600), 5000), EFBIG);
	return 0;
}

static int be_nobody(void)
{
	WANT(!confine_user(CONFINE_NOTHING, NULL));
	confine_lifetime();
	WANT(geteuid() != 0 && getuid() != 0 && getgid() != 0);
	DENIED(setuid(0), EPERM);
	DENIED(open("/etc/shadow", O_RDONLY), EACCES);
	return 0;
}

static int be_a_reader(void)
{
	WANT(!confine_user(CONFINE_READING, NULL));
	WANT(open("/etc/shadow", O_RDONLY) >= 0);
	DENIED(open(inside("root's"), O_WRONLY), EACCES);
	DENIED(setuid(0), EPERM);
	return 0;
}

/* A root as containers have it. */
static int read_without_the_right_to_read(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2];

	WANT(!syscall(SYS_capget, &header, sets));
	sets[0].permitted &= ~(1u << CAP_DAC_READ_SEARCH);
	sets[0].effective &= ~(1u << CAP_DAC_READ_SEARCH);
	WANT(!syscall(SYS_capset, &header, sets));
	if (!(sets[0].permitted & 1u << CAP_DAC_OVERRIDE))
		return UNAVAILABLE;
	WANT(!confine_user(CONFINE_ACCESS, NULL));
	WANT(geteuid() != 0 && open("/etc/shadow", O_RDONLY) >= 0);
	return 0;
}

static int forget_signals(void)
{
	sigset_t blocked;

	signal(SIGPIPE, SIG_IGN);
	sigfillset(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	confine_signals();
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	WANT(!sigismember(&blocked, SIGTERM));
	WANT(signal(SIGPIPE, SIG_DFL) == SIG_DFL);
	return 0;
}

static void test_descriptors(void)
{
	CU_ASSERT_EQUAL(in_child(keep_four_descriptors), 0);
	CU_ASSERT_EQUAL(in_child(survive_closed_standard_descriptors), 0);
}

static void test_limits(void)
{
	CU_ASSERT_EQUAL(in_child(have_limits), 0);
	unlink(inside("large"));
}

static void test_user(void)
{
	int fd = open(inside("root's"), O_WRONLY | O_CREAT, 0600);

	close(fd);
	if (geteuid() == 0) {
		CU_ASSERT_EQUAL(in_child(be_nobody), 0);
		CU_ASSERT_EQUAL(in_child(be_a_reader), 0);
		CU_ASSERT(in_child(read_without_the_right_to_read) % UNAVAILABLE == 0);
	} else {
		CU_ASSERT_EQUAL(confine_user(CONFINE_READING, NULL), STATUS_OK);
	}
	unlink(inside("root's"));
}

static void test_signals(void)
{
	CU_ASSERT_EQUAL(in_child(forget_signals), 0);
}

/* Tells whether it is an orphan now, and once the process that started it has ended. It holds the
 * other end of the channel itself, as a thread of that process does that is still about to end. */
static _Noreturn void be_orphaned(int channel, int told)
{
	pid_t parent = getppid();
	bool is = confine_is_orphan(channel);

	if (write(told, &is, sizeof(is)) < 0)
		_exit(EXIT_FAILURE);
	while (getppid() == parent)
		usleep(1000);
	is = confine_is_orphan(channel);
	_exit(write(told, &is, sizeof(is)) < 0);
}

static void test_orphans(void)
{
	int told[2], ends[2];
	bool is = true;
	pid_t parent;

	CU_ASSERT_EQUAL_FATAL(pipe(told), 0);
	parent = fork();
	if (!parent) {
		if (!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) && fork() == 0)
			be_orphaned(ends[1], told[1]);
		pause();
	}
	close(told[1]);
	CU_ASSERT(read(told[0], &is, sizeof(is)) == sizeof(is) && !is);
	kill(parent, SIGKILL);
	CU_ASSERT_EQUAL(waitpid(parent, NULL, 0), parent);
	CU_ASSERT(read(told[0], &is, sizeof(is)) == sizeof(is) && is);
	close(told[0]);

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_FALSE(confine_is_orphan(ends[1]));
	close(ends[0]);
	CU_ASSERT(confine_is_orphan(ends[1]));
	close(ends[1]);
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_files),
	UNIT_TEST(test_what_is_denied),
	UNIT_TEST(test_what_is_forbidden),
	UNIT_TEST(test_which_and_who),
	UNIT_TEST(test_descriptors),
	UNIT_TEST(test_limits),
	UNIT_TEST(test_user),
	UNIT_TEST(test_signals),
	UNIT_TEST(test_orphans),
};

int main(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	int r;

	/* Valgrind makes system calls of its own, and makes those of the program itself. */
	if (preloaded && strstr(preloaded, "vgpreload")) {
		printf("skipped: under valgrind, a filter of system calls meets valgrind\n");
		return 77;
	}
	if (!mkdtemp(folder))
		return EXIT_FAILURE;
	chmod(folder, 0755);
	r = unit_run("pack-walls", tests, sizeof(tests) / sizeof(tests[0]));
	rmdir(folder);
	return r;
}
