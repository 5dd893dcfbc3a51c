/* SPDX-License-Identifier: MIT
 *
 * The launcher's channel is read by whichever thread needs something from it: spares and ends of
 * children that turn up on the way are kept for the others. Whoever waits has the lock, so that the
 * others sleep meanwhile; but not for long, as what it waits for may be that one of those gives back
 * its child.
 */
#include "config.h"

#include "execute/launcher.h"

#include "base/clock.h"
#include "base/log.h"
#include "execute/kin.h"
#include "execute/launch-task.h"
#include "pack/call.h"
#include "pack/launch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TASK_BYTES_MOST ((size_t)4 << 20) /* of arguments and environment */
#define BACK_OFF_NS INT64_C(1000000000)	  /* between two starts that fail */
#define LEAVE_NS INT64_C(500000000)	  /* for a child whose channel is closed */
#define HURRY_NS INT64_C(20000000)	  /* the same, where a call waits for one */
#define TURN_NS INT64_C(5000000)	  /* that a thread which waits has the lock */
#define BARREN_MOST 3			  /* launchers in a row that end before they have a child */

static const char no_descriptor[] =
	"no descriptor is left: raise the limit of open files (ulimit -n), or lower max_workers";

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- The channel ----------------------------------------------------------------------------- */

static void send_message(struct launcher *launcher, enum launch_type type, unsigned number)
{
	struct launch_message message = { .type = type, .id = number };

	/* A launcher that does not listen any more is found out at the next read. */
	send(launcher->control, &message, offsetof(struct launch_message, text),
	     MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* A child whose channel is closed ends. */
static void let_go(struct launched *child)
{
	close_fd(&child->channel);
	close_fd(&child->pidfd);
	life_release(child->life);
	child->life = NULL;
}

/* A call that has answered leaves by itself, unless its tool has left something that keeps it: a
 * thread that stops the process, say. */
static void end_leaving_locked(struct launcher *launcher, unsigned i)
{
	if (!launcher->leaving[i].since_ns)
		return;
	syscall(SYS_pidfd_send_signal, launcher->leaving[i].pidfd, SIGKILL, NULL, 0);
	close_fd(&launcher->leaving[i].pidfd);
	launcher->leaving[i].since_ns = 0;
}

/* Ends those that have had that long. */
static void end_late_locked(struct launcher *launcher, int64_t now_ns, int64_t time_ns)
{
	for (unsigned i = 0; i < LAUNCHER_LEAVING; i++)
		if (now_ns - launcher->leaving[i].since_ns >= time_ns)
			end_leaving_locked(launcher, i);
}

static void add_leaving_locked(struct launcher *launcher, int pidfd)
{
	unsigned i = launcher->next_leaving++ % LAUNCHER_LEAVING;

	end_leaving_locked(launcher, i);
	launcher->leaving[i].pidfd = pidfd;
	launcher->leaving[i].since_ns = clock_now_ns();
}

static void drop_spares_locked(struct launcher *launcher, unsigned kept)
{
	while (launcher->spare_count > kept)
		let_go(&launcher->spares[--launcher->spare_count]);
}

/* The launcher has ended, or is not to be used any more. */
static void drop_locked(struct launcher *launcher)
{
	drop_spares_locked(launcher, 0);
	end_late_locked(launcher, clock_now_ns(), 0);
	close_fd(&launcher->control);
	life_release(launcher->life);
	launcher->life = NULL;
}

static void fail_locked(struct launcher *launcher, const char *reason)
{
	error_set(&launcher->failure, STATUS_WORKER_FAILED, "no worker for pack %s: %s",
		  launcher->pack->name, reason);
	launcher->failed_ns = clock_now_ns();
	drop_locked(launcher);
}

/* It has ended without a word, or offers what may be of one that ends. It may have been killed, so
 * the next one is started at once; but not where none of several had a child to offer. */
static void lose_locked(struct launcher *launcher, const char *reason)
{
	fail_locked(launcher, reason);
	if (++launcher->barren < BARREN_MOST)
		launcher->failed_ns = 0;
}

/* The pack's constructors have run in the launcher, and may send what they like. What is signalled
 * later has to be a child of it, and not this process, or somebody else's. */
static bool is_child_locked(struct launcher *launcher, int pidfd)
{
	pid_t parent = kin_parent_behind(pidfd);

	if (parent > 0 && !launcher->process && kin_parent(parent) == launcher->supervisor)
		launcher->process = parent;
	return !parent || (parent > 0 && parent == launcher->process);
}

static void add_spare_locked(struct launcher *launcher, const struct launch_message *message,
			     int channel, int pidfd)
{
	struct launched *spare;

	if (launcher->asked)
		launcher->asked--;
	if (launcher->spare_count == LAUNCHER_SPARES || channel < 0 || pidfd < 0) {
		close_fd(&channel);
		close_fd(&pidfd);
		return;
	}
	if (!is_child_locked(launcher, pidfd)) {
		close_fd(&channel);
		close_fd(&pidfd);
		lose_locked(launcher, "its launcher offers a process that is no child of it");
		return;
	}
	launcher->barren = 0;
	spare = &launcher->spares[launcher->spare_count++];
	*spare = (struct launched){ .channel = channel,
				    .pidfd = pidfd,
				    .id = message->id,
				    .process = message->status,
				    .generation = launcher->generation,
				    .life = life_hold(launcher->life) };
	launcher_group_add(&launcher->group, launcher->pack, message->leaf, pidfd, &spare->leaf);
}

/* The leaf of a child that was killed is left alone until it has been looked at. */
static void add_exit_locked(struct launcher *launcher, const struct launch_message *message)
{
	unsigned i = launcher->next_exit++ % LAUNCHER_EXITS;
	bool killed = WIFSIGNALED(message->status) && WTERMSIG(message->status) == SIGKILL;

	launcher->exits[i].id = message->id;
	launcher->exits[i].generation = launcher->generation;
	launcher->exits[i].status = message->status;
	launcher_group_examine(&launcher->group, killed ? message->leaf : -1,
			       &launcher->exits[i].memory);
	if (killed && message->leaf >= 0)
		send_message(launcher, LAUNCH_RELEASE, (unsigned)message->leaf);
}

static void add_blocked_locked(struct launcher *launcher, int32_t process, int32_t number)
{
	unsigned i = launcher->next_blocked++ % LAUNCHER_EXITS;

	launcher->blocked[i].process = process;
	launcher->blocked[i].generation = launcher->generation;
	launcher->blocked[i].number = number;
}

static void take_message_locked(struct launcher *launcher, struct launch_message *message,
				int fds[2])
{
	switch (message->type) {
	case LAUNCH_CHILD:
		add_spare_locked(launcher, message, fds[0], fds[1]);
		return;
	case LAUNCH_EXIT:
		add_exit_locked(launcher, message);
		break;
	case LAUNCH_BLOCKED:
		add_blocked_locked(launcher, (int32_t)message->id, message->status);
		break;
	case LAUNCH_KILLED:
		add_blocked_locked(launcher, (int32_t)message->id, LAUNCHER_KILLED_ITSELF);
		break;
	case LAUNCH_LIFE:
		if (!launcher->life)
			launcher->life = life_open(fds[0]);
		if (!launcher->life)
			fail_locked(launcher, no_descriptor);
		break;
	case LAUNCH_READY:
		break;
	case LAUNCH_REFUSED:
		message->text[sizeof(message->text) - 1] = '\0';
		fail_locked(launcher, message->text);
		break;
	default:
		fail_locked(launcher, "its launcher sends what is no message");
		break;
	}
	close_fd(&fds[0]);
	close_fd(&fds[1]);
}

/* Reads one message, waiting for it until the deadline (0: not at all); false where there is none.
 * A launcher that is gone is dropped. */
static bool read_locked(struct launcher *launcher, int64_t deadline_ns)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control;
	struct launch_message message = { 0 };
	struct iovec io = { &message, sizeof(message) };
	struct msghdr header = { .msg_iov = &io,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control) };
	int64_t left = deadline_ns ? deadline_ns - clock_now_ns() : 0;
	struct pollfd ready = { .fd = launcher->control, .events = POLLIN };
	int fds[2] = { -1, -1 };
	ssize_t n;

	if (left > 0 && poll(&ready, 1, (int)(left / 1000000) + 1) <= 0)
		return false;
	n = recvmsg(launcher->control, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	/* A launcher that ended before it had read all is told of before its last words are. */
	if (n < 0 && errno == ECONNRESET)
		n = recvmsg(launcher->control, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return false;
	for (struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&header) : NULL; c;
	     c = CMSG_NXTHDR(&header, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
			memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	if (n < (ssize_t)offsetof(struct launch_message, text)) {
		lose_locked(launcher, "its launcher has ended; what it wrote is in the log");
		close_fd(&fds[0]);
		close_fd(&fds[1]);
		return false;
	}
	launcher->starved = header.msg_flags & MSG_CTRUNC;
	take_message_locked(launcher, &message, fds);
	return true;
}

/* Takes what has come meanwhile, so that the channel does not fill up; not more, as a pack that
 * never stops sending would keep us here. */
static void catch_up_locked(struct launcher *launcher)
{
	for (int i = 0; i < LAUNCHER_EXITS && launcher->control >= 0 && read_locked(launcher, 0);
	     i++)
		;
}

/* ---- Start ----------------------------------------------------------------------------------- */

static void end_group(void *groups, unsigned number)
{
	groups_remove(groups, number);
}

static int start_process_locked(struct launcher *launcher, struct error *error)
{
	struct warden_task task;
	struct arena arena;
	char group[GROUPS_PATH];
	int r;

	arena_init(&arena, TASK_BYTES_MOST);
	launcher_group_make(&launcher->group, launcher->pack, group);
	r = launch_task_make(launcher->pack, launcher->level, group, &arena, &task);
	task.ended = end_group;
	task.context = launcher->group.groups;
	task.number = launcher->group.number;
	if (r) {
		error_set(error, r, "there is no memory left to start a worker");
		groups_remove(launcher->group.groups, launcher->group.number);
	} else {
		r = warden_start(launcher->warden, &task, &launcher->control, &launcher->supervisor,
				 error);
	}
	arena_free(&arena);
	return r;
}

static int say_failure(const struct launcher *launcher, struct error *error)
{
	error_set(error, STATUS_WORKER_FAILED, "%s", launcher->failure.message);
	error_detail_text(error, "step", "launch");
	error_detail_text(error, "reason", launcher->failure.message);
	return STATUS_WORKER_FAILED;
}

/* It forks children, and none can be taken. */
static int say_starved(const struct launcher *launcher, struct error *error)
{
	error_set(error, STATUS_WORKER_FAILED, "no worker for pack %s: %s", launcher->pack->name,
		  no_descriptor);
	error_detail_text(error, "step", "launch");
	error_detail_text(error, "reason", no_descriptor);
	return STATUS_WORKER_FAILED;
}

static int start_locked(struct launcher *launcher, struct error *error)
{
	struct error fault = ERROR_INIT;
	const char *reason;

	if (launcher->failed_ns && clock_now_ns() - launcher->failed_ns < BACK_OFF_NS)
		return say_failure(launcher, error);
	if (start_process_locked(launcher, &fault)) {
		/* Where the program lies is for the operator alone. */
		log_warning("%s", fault.message);
		reason = json_text(json_get(fault.details, "reason"), NULL);
		fail_locked(launcher, reason ? reason : fault.message);
		error_clear(&fault);
		return say_failure(launcher, error);
	}
	launcher->generation++;
	launcher->asked = 0;
	launcher->process = 0;
	launcher->target = launcher->ahead;
	send_message(launcher, LAUNCH_KEEP, launcher->target);
	return STATUS_OK;
}

/* Whoever has the lock may be waiting for the warden to start the launcher. */
static int lock_until(struct launcher *launcher, int64_t deadline_ns)
{
	const struct timespec until = clock_timespec(deadline_ns);

	return pthread_mutex_clocklock(&launcher->lock, CLOCK_MONOTONIC, &until) ? STATUS_TIMEOUT
										 : STATUS_OK;
}

/* Waits for a message and takes it; after a while others get their turn. False: the deadline has
 * passed. */
static bool await_locked(struct launcher *launcher, int64_t deadline_ns)
{
	const struct timespec moment = { .tv_nsec = 50000 };
	int64_t now = clock_now_ns();

	if (now >= deadline_ns)
		return false;
	if (read_locked(launcher, deadline_ns - now < TURN_NS ? deadline_ns : now + TURN_NS))
		return true;
	pthread_mutex_unlock(&launcher->lock);
	nanosleep(&moment, NULL);
	pthread_mutex_lock(&launcher->lock);
	return true;
}

/* There is no child for the calls that want one: one is forked for each, or more are kept when calls
 * come faster than children. No more are kept than have a place here once all calls are done. */
static void ask_for_children_locked(struct launcher *launcher)
{
	unsigned wanted = launcher->in_use + launcher->ahead;

	if (!launcher->ahead || wanted > LAUNCHER_SPARES) {
		for (; launcher->asked < launcher->hungry; launcher->asked++)
			send_message(launcher, LAUNCH_FORK, 1);
	} else if (launcher->target < wanted) {
		launcher->target = wanted;
		send_message(launcher, LAUNCH_KEEP, wanted);
	}
}

/* Waits for a spare child of the launcher that runs. STATUS_WORKER_FAILED where that ends. */
static int await_spare_locked(struct launcher *launcher, int64_t deadline_ns, struct error *error)
{
	int r = STATUS_OK;

	if (!launcher->spare_count)
		catch_up_locked(launcher);
	launcher->hungry++;
	launcher->starved = false;
	while (!launcher->spare_count && !r) {
		if (launcher->control < 0) {
			/* It has ended, or said that it cannot start. */
			r = say_failure(launcher, error);
		} else {
			/* Those count as children until they have ended. */
			end_late_locked(launcher, clock_now_ns(), HURRY_NS);
			/* Another call may have taken the one that this had asked for. */
			ask_for_children_locked(launcher);
			r = await_locked(launcher, deadline_ns) ? STATUS_OK : STATUS_TIMEOUT;
			if (!r && launcher->starved && !launcher->spare_count)
				r = say_starved(launcher, error);
		}
	}
	launcher->hungry--;
	return r;
}

int launcher_take(struct launcher *launcher, int64_t deadline_ns, struct launched *ret_child,
		  struct error *error)
{
	int r = lock_until(launcher, deadline_ns);

	if (r)
		return r;
	launcher->in_use++;
	/* One that turns out to have ended is started again, once. */
	for (int attempt = 0; attempt < 2; attempt++) {
		error_clear(error);
		r = launcher->control < 0 ? start_locked(launcher, error) : STATUS_OK;
		if (!r)
			r = await_spare_locked(launcher, deadline_ns, error);
		if (r != STATUS_WORKER_FAILED)
			break;
	}
	if (r) {
		launcher->in_use--;
	} else {
		*ret_child = launcher->spares[0];
		launcher->spare_count--;
		memmove(&launcher->spares[0], &launcher->spares[1],
			launcher->spare_count * sizeof(launcher->spares[0]));
		launcher->used_ns = clock_now_ns();
	}
	pthread_mutex_unlock(&launcher->lock);
	return r;
}

/* ---- End ------------------------------------------------------------------------------------- */

/* NULL: nothing is known of it. */
static const struct launcher_exit *find_exit_locked(const struct launcher *launcher,
						    const struct launched *child)
{
	for (unsigned i = 0; i < LAUNCHER_EXITS; i++)
		if (launcher->exits[i].id == child->id &&
		    launcher->exits[i].generation == child->generation)
			return &launcher->exits[i];
	return NULL;
}

void launcher_memory(struct launcher *launcher, const struct launched *child,
		     struct groups_memory *ret_memory)
{
	const struct launcher_exit *found;

	pthread_mutex_lock(&launcher->lock);
	found = find_exit_locked(launcher, child);
	*ret_memory = found ? found->memory : (struct groups_memory){ 0 };
	pthread_mutex_unlock(&launcher->lock);
}

bool launcher_status(struct launcher *launcher, const struct launched *child, int64_t deadline_ns,
		     int *ret_status)
{
	const struct launcher_exit *found;

	if (lock_until(launcher, deadline_ns))
		return false;
	while (!(found = find_exit_locked(launcher, child)) && launcher->control >= 0 &&
	       launcher->generation == child->generation && await_locked(launcher, deadline_ns))
		;
	if (found)
		*ret_status = found->status;
	pthread_mutex_unlock(&launcher->lock);
	return found;
}

int launcher_blocked(struct launcher *launcher, const struct launched *child)
{
	int number = -1;

	pthread_mutex_lock(&launcher->lock);
	for (unsigned i = 0; i < LAUNCHER_EXITS && number < 0; i++)
		if (launcher->blocked[i].process == child->process &&
		    launcher->blocked[i].generation == child->generation)
			number = launcher->blocked[i].number;
	pthread_mutex_unlock(&launcher->lock);
	return number;
}

void launcher_keep(struct launcher *launcher, struct launched *child)
{
	bool kept;

	pthread_mutex_lock(&launcher->lock);
	kept = child->generation == launcher->generation && launcher->control >= 0 &&
	       launcher->spare_count < LAUNCHER_SPARES;
	if (kept) {
		groups_look(launcher->group.groups, &child->leaf, 0);
		memmove(&launcher->spares[1], &launcher->spares[0],
			launcher->spare_count * sizeof(launcher->spares[0]));
		launcher->spares[0] = *child;
		launcher->spare_count++;
		launcher->in_use--;
	}
	pthread_mutex_unlock(&launcher->lock);
	if (!kept)
		launcher_give_back(launcher, child);
}

void launcher_give_back(struct launcher *launcher, struct launched *child)
{
	int pidfd = child->pidfd;

	child->pidfd = -1;
	let_go(child);
	pthread_mutex_lock(&launcher->lock);
	launcher->in_use--;
	add_leaving_locked(launcher, pidfd);
	if (launcher->control >= 0)
		catch_up_locked(launcher);
	pthread_mutex_unlock(&launcher->lock);
}

/* Fewer calls are under way than there were. Children that were forked before the launcher heard of
 * it are dropped at a later look. */
static void keep_fewer_locked(struct launcher *launcher)
{
	unsigned wanted = launcher->in_use + launcher->ahead;

	if (launcher->control < 0)
		return;
	if (launcher->target > wanted) {
		launcher->target = wanted;
		send_message(launcher, LAUNCH_KEEP, wanted);
	}
	/* Without spares, those that are there are a pool's. */
	if (launcher->ahead && launcher->spare_count + launcher->in_use > launcher->target)
		drop_spares_locked(launcher, launcher->ahead);
}

void launcher_retire(struct launcher *launcher, int64_t now_ns, int64_t idle_ns)
{
	/* Whoever has the lock uses the launcher, and may be waiting for the warden to start it. */
	if (pthread_mutex_trylock(&launcher->lock))
		return;
	end_late_locked(launcher, now_ns, LEAVE_NS);
	if (launcher->control >= 0 && !launcher->in_use && now_ns - launcher->used_ns > idle_ns) {
		log_debug("the launcher of %s retires", launcher->pack->name);
		drop_locked(launcher);
	} else if (launcher->control >= 0) {
		catch_up_locked(launcher);
		keep_fewer_locked(launcher);
	}
	pthread_mutex_unlock(&launcher->lock);
}

void launcher_init(struct launcher *launcher, struct warden *warden, struct groups *groups,
		   const struct registry_pack *pack, enum isolation level, unsigned spares)
{
	memset(launcher, 0, sizeof(*launcher));
	pthread_mutex_init(&launcher->lock, NULL);
	launcher->warden = warden;
	launcher->group.groups = groups;
	launcher->pack = pack;
	launcher->level = level;
	launcher->control = -1;
	launcher->ahead = spares;
}

void launcher_free(struct launcher *launcher)
{
	drop_locked(launcher);
	error_clear(&launcher->failure);
	pthread_mutex_destroy(&launcher->lock);
}
