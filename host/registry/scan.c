/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/scan.h"

#include "base/spawn.h"
#include "base/text.h"
#include "registry/manifest.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS_MOST 16
#define ANSWER_BYTES_MOST ((size_t)16 * 1024 * 1024)
/* A file that keeps changing is being written: somebody will have to look again later. */
#define TRIES_MOST 3

struct scanner {
	uv_loop_t loop;
	const char *worker;
	struct scan_job *jobs;
	size_t count;
	size_t next; /* the first job that nobody has begun */
	double timeout;
};

/* One worker at a time, with the job that it has. */
struct slot {
	struct scanner *scanner;
	struct scan_job *job;
	struct spawn child;
	uv_timer_t timer;
	struct buffer answer;
	struct error start_error; /* why the worker could not be started */
	int64_t exit_status;
	int exit_signal;
	unsigned tries;
	bool exited;
	bool answered; /* the channel has ended */
	bool timed_out;
	bool judged;
	bool again; /* the file changed meanwhile */
};

static void slot_start(struct slot *slot);

/* ---- Judging --------------------------------------------------------------------------------- */

static void refuse(struct scan_job *job, bool passing, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void refuse(struct scan_job *job, bool passing, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(job->reason, sizeof(job->reason), format, arguments);
	va_end(arguments);
	if (length >= (int)sizeof(job->reason))
		job->reason[text_head(job->reason, sizeof(job->reason) - 1,
				      sizeof(job->reason) - 2)] = '\0';
	job->passing = passing;
}

/* The last line that the worker wrote, behind the reason: it often says more than a signal does. */
static void add_last_line(struct slot *slot)
{
	struct scan_job *job = slot->job;
	size_t length = strlen(job->reason), line = strlen(slot->child.last_line);

	if (!line || !text_is_utf8(slot->child.last_line, line))
		return;
	line = text_head(slot->child.last_line, line, 300);
	snprintf(job->reason + length, sizeof(job->reason) - length, "; its last words: %.*s",
		 (int)line, slot->child.last_line);
}

/* A signal's short name, such as SIGSEGV. */
static const char *signal_name(int number, char *text, size_t size)
{
	const char *name = sigabbrev_np(number);

	if (name)
		snprintf(text, size, "SIG%s", name);
	else
		snprintf(text, size, "unknown");
	return text;
}

static void judge_death(struct slot *slot)
{
	struct scan_job *job = slot->job;
	char name[32];

	if (slot->exit_signal == SIGKILL) {
		refuse(job, true,
		       "Its scan was killed from outside (signal 9): is the machine short of "
		       "memory?");
		return;
	}
	refuse(job, false,
	       "It crashed with signal %d (%s) while loading: a constructor of the pack, or of a "
	       "library that it needs, is at fault",
	       slot->exit_signal, signal_name(slot->exit_signal, name, sizeof(name)));
	add_last_line(slot);
}

/* Whether the manifest is about the file that is there. */
static bool manifest_is_of(const json *manifest, const struct file_identity *file)
{
	const json *said = json_get(manifest, "file");

	return (uint64_t)json_integer(json_get(said, "device")) == file->device &&
	       (uint64_t)json_integer(json_get(said, "inode")) == file->inode &&
	       (uint64_t)json_integer(json_get(said, "size")) == file->size &&
	       json_integer(json_get(said, "modified_ns")) == file->modified_ns;
}

/* The worker's answer, which it may not have made itself: a pack's constructors can write to the
 * channel as well. */
static void judge_answer(struct slot *slot)
{
	struct scan_job *job = slot->job;
	struct json_fault fault;
	struct error error = ERROR_INIT;
	json *answer = NULL, *manifest;
	const json *refused;

	if (json_read(slot->answer.data, slot->answer.length, NULL, &answer, &fault)) {
		refuse(job, false, "Its scan gave no proper answer: %s at byte %zu", fault.reason,
		       fault.offset);
		return;
	}
	manifest = json_get(answer, "manifest");
	refused = json_get(answer, "refused");
	if (json_kind(refused) == JSON_TEXT)
		refuse(job, false, "%s", json_text(refused, NULL));
	else if (slot->exit_status)
		refuse(job, false, "It exited with status %d after answering",
		       (int)slot->exit_status);
	else if (manifest_check(manifest, &error))
		refuse(job, false, "%s", error.message);
	else if (!manifest_is_of(manifest, &job->file))
		slot->again = true;
	else
		job->manifest = json_hold(manifest);
	error_clear(&error);
	json_drop(answer);
}

static void judge_end(struct slot *slot)
{
	struct scan_job *job = slot->job;

	if (slot->start_error.status)
		refuse(job, true, "%s", slot->start_error.message);
	else if (slot->answer.fault == BUFFER_FULL)
		refuse(job, false,
		       "Its manifest is larger than %zu MiB: shorten its descriptions and examples",
		       ANSWER_BYTES_MOST >> 20);
	else if (slot->answer.fault)
		refuse(job, true, "There is no memory left to scan it");
	else if (slot->timed_out || slot->exit_signal == SIGXCPU)
		refuse(job, false,
		       "It timed out while loading: there was no answer within %g s "
		       "(scan_timeout), and a constructor has to return at once",
		       slot->scanner->timeout);
	else if (slot->exit_signal)
		judge_death(slot);
	else if (!slot->answer.length) {
		refuse(job, false,
		       "It exited with status %d before answering: a constructor of the pack, or "
		       "of a library that it needs, ends the process",
		       (int)slot->exit_status);
		add_last_line(slot);
	} else
		judge_answer(slot);
}

/* The file as it is now; false where it cannot be looked at. */
static bool identify(const char *path, struct file_identity *ret_file)
{
	struct stat st;

	memset(ret_file, 0, sizeof(*ret_file));
	if (stat(path, &st))
		return false;
	file_identity_set(ret_file, &st);
	return true;
}

/* What a pack has had a hand in reaches a terminal: no control characters. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7F)
			*text = '?';
}

/* Reasons are whole sentences, also where they end in what others wrote. */
static void end_sentence(char *reason, size_t size)
{
	size_t length = strlen(reason);

	if (length && length + 1 < size && !strchr(".!?", reason[length - 1]))
		strcpy(reason + length, ".");
}

static void judge(struct slot *slot)
{
	struct scan_job *job = slot->job;
	struct file_identity now;

	slot->judged = true;
	slot->again = false;
	judge_end(slot);
	clean(job->reason);
	end_sentence(job->reason, sizeof(job->reason));
	if (slot->start_error.status)
		return;
	if (!identify(job->path, &now) || !file_identity_equal(&now, &job->file))
		slot->again = true;
	if (!slot->again)
		return;
	json_drop(job->manifest);
	job->manifest = NULL;
	refuse(job, true,
	       "It changed while it was scanned: install a pack by writing it aside and renaming "
	       "it.");
}

/* ---- Running --------------------------------------------------------------------------------- */

static void on_child_closed(struct spawn *child)
{
	struct slot *slot = child->user;

	if (slot->again && slot->tries < TRIES_MOST) {
		slot_start(slot);
		return;
	}
	slot->tries = 0;
	slot->job = NULL;
	slot_start(slot);
}

static void on_timer_closed(uv_handle_t *timer)
{
	struct slot *slot = timer->data;

	spawn_close(&slot->child, on_child_closed);
}

static void slot_end(struct slot *slot)
{
	if (slot->judged)
		return;
	judge(slot);
	error_clear(&slot->start_error);
	uv_close((uv_handle_t *)&slot->timer, on_timer_closed);
}

static void on_worker_exit(struct spawn *child, int64_t status, int signal)
{
	struct slot *slot = child->user;

	slot->exited = true;
	slot->exit_status = status;
	slot->exit_signal = signal;
	/* Without an answer, a process that the pack started may hold the channel: not beyond the
	 * limit. */
	if (slot->answered || slot->timed_out || slot->answer.fault)
		slot_end(slot);
}

static void on_timeout(uv_timer_t *timer)
{
	struct slot *slot = timer->data;

	if (slot->exited) {
		slot_end(slot);
		return;
	}
	slot->timed_out = true;
	spawn_kill(&slot->child, SIGKILL);
}

static void on_answer_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buffer)
{
	struct spawn *child = handle->data;
	struct slot *slot = child->user;
	char *room = buffer_reserve(&slot->answer, 16 * 1024);

	(void)suggested;
	*ret_buffer = uv_buf_init(room, room ? 16 * 1024 : 0);
}

static void on_answer(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer)
{
	struct spawn *child = stream->data;
	struct slot *slot = child->user;

	(void)buffer;
	if (length > 0) {
		buffer_commit(&slot->answer, (size_t)length);
	} else if (length == UV_ENOBUFS) {
		uv_read_stop(stream);
		spawn_kill(&slot->child, SIGKILL);
	} else if (length < 0) {
		uv_read_stop(stream);
		slot->answered = true;
	}
	if (slot->exited && (slot->answered || slot->answer.fault))
		slot_end(slot);
}

/* Gives the slot a job, or the next try at the one that it has; nothing where all are done. */
static void slot_start(struct slot *slot)
{
	struct scanner *scanner = slot->scanner;
	const char *arguments[] = { "scan", NULL, NULL };
	struct spawn_options options = { .program = scanner->worker,
					 .arguments = arguments,
					 .on_exit = on_worker_exit };

	if (!slot->job) {
		if (scanner->next == scanner->count)
			return;
		slot->job = &scanner->jobs[scanner->next++];
	}
	slot->tries++;
	slot->exited = slot->answered = slot->timed_out = slot->judged = false;
	slot->exit_status = slot->exit_signal = 0;
	slot->job->reason[0] = '\0';
	slot->job->passing = false;
	buffer_reset(&slot->answer);
	identify(slot->job->path, &slot->job->file);
	arguments[1] = slot->job->path;
	options.name = slot->job->name;
	uv_timer_init(&scanner->loop, &slot->timer);
	slot->timer.data = slot;
	spawn_start(&scanner->loop, &options, &slot->child, &slot->start_error);
	slot->child.user = slot;
	if (slot->start_error.status) {
		slot_end(slot);
		return;
	}
	/* Reading the answers of others may have taken a while. */
	uv_update_time(&scanner->loop);
	uv_timer_start(&slot->timer, on_timeout, (uint64_t)(scanner->timeout * 1000), 0);
	uv_read_start((uv_stream_t *)&slot->child.channel, on_answer_buffer, on_answer);
}

static size_t processors(void)
{
	cpu_set_t set;
	int count;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	count = CPU_COUNT(&set);
	return count > WORKERS_MOST ? WORKERS_MOST : (size_t)count;
}

int scan_files(const char *worker, struct scan_job *jobs, size_t count, double timeout,
	       struct error *error)
{
	struct scanner scanner = {
		.worker = worker, .jobs = jobs, .count = count, .timeout = timeout
	};
	size_t slot_count = processors();
	struct slot *slots;

	if (slot_count > count)
		slot_count = count;
	if (!count)
		return STATUS_OK;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots || uv_loop_init(&scanner.loop)) {
		free(slots);
		return error_set(error, STATUS_INTERNAL,
				 "cannot scan packs: no memory or descriptors are left");
	}
	for (size_t i = 0; i < slot_count; i++) {
		slots[i].scanner = &scanner;
		buffer_init(&slots[i].answer, ANSWER_BYTES_MOST);
		slot_start(&slots[i]);
	}
	uv_run(&scanner.loop, UV_RUN_DEFAULT);
	uv_loop_close(&scanner.loop);
	for (size_t i = 0; i < slot_count; i++)
		buffer_free(&slots[i].answer);
	free(slots);
	return STATUS_OK;
}
