/* SPDX-License-Identifier: MIT
 *
 * The recorder: what is kept of a call, and the thread that writes it down.
 */
#include "config.h"

#include "execute/replay.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/sha256.h"
#include "base/text.h"
#include "execute/executor.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define QUEUE_MOST 32 /* records that wait; further ones are dropped, so that memory is bounded */
#define FLUSH_NS INT64_C(2000000000)

/* A call whose record is still to be written. The job keeps all that is said about it. */
struct note {
	struct job *job;
	struct error error;
	struct timespec time;
	struct note *next;
};

struct recorder {
	const struct paths *paths;
	pthread_t thread; /* once `started` */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct note *notes, **last_note;
	size_t count; /* of notes, the one that is being written among them */
	unsigned written;
	bool started, over;
};

/* ---- What a record says ---------------------------------------------------------------------- */

static json *pack_part(const struct registry_pack *pack)
{
	json *part = json_new_object();
	char sum[SHA256_TEXT];
	int fd = open(pack->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	json_set_text(part, "name", pack->name);
	json_set_text(part, "path", pack->path);
	if (fd >= 0 && !sha256_file(fd, sum))
		json_set_text(part, "sha256", sum);
	else
		json_set(part, "sha256", NULL);
	if (fd >= 0)
		close(fd);
	return part;
}

static json *limits_part(const struct job *job)
{
	json *part = json_new_object();

	json_set_number(part, "timeout", job->timeout);
	json_set_integer(part, "memory_mb", job->request.memory_mb);
	return part;
}

/* The error object, and its backtrace apart. */
static void add_verdict(json *record, const struct error *error)
{
	json *wrapped = error_to_json(error);
	json *verdict = json_hold(json_get(wrapped, "error"));
	json *details = json_get(verdict, "details");
	json *backtrace = json_hold(json_get(details, "backtrace"));

	json_drop(wrapped);
	if (backtrace)
		json_remove(details, "backtrace");
	json_set(record, "verdict", verdict);
	json_set(record, "backtrace", backtrace ? backtrace : json_new_list());
}

/* Whether the arguments are kept in `record`, or only their size and sum. That there were none is
 * no secret. */
static bool add_arguments_summary(json *record, const struct buffer *arguments)
{
	bool allowed = setting_switch(SETTING_REPLAY_ARGUMENTS) || !strcmp(arguments->data, "{}");
	bool fit = arguments->length <= REPLAY_BYTES_MOST / 2;
	char sum[SHA256_TEXT];
	struct sha256 sha256;

	sha256_init(&sha256);
	sha256_add(&sha256, arguments->data, arguments->length);
	sha256_text(&sha256, sum);
	json_set_integer(record, "arguments_bytes", (int64_t)arguments->length);
	json_set_text(record, "arguments_sha256", sum);
	if (!allowed)
		json_set_text(record, "arguments_left_out",
			      "replay_arguments is false, which it is unless it is set");
	else if (!fit)
		json_set_text(record, "arguments_left_out", "they are too large for a record");
	return allowed && fit;
}

static void print_time(const struct timespec *time, const char *format, char *text, size_t size)
{
	struct tm utc;

	gmtime_r(&time->tv_sec, &utc);
	strftime(text, size, format, &utc);
}

static void print_record(struct buffer *out, const struct note *note)
{
	const struct job *job = note->job;
	struct buffer arguments = BUFFER_INIT(SIZE_MAX);
	json *record = json_new_object();
	char time[32];
	bool kept;

	json_print(&arguments, job->request.arguments);
	print_time(&note->time, "%Y-%m-%dT%H:%M:%SZ", time, sizeof(time));
	json_set_integer(record, "format", REPLAY_FORMAT);
	json_set_text(record, "toolhost", PACKAGE_VERSION);
	json_set_text(record, "time", time);
	json_set(record, "pack", pack_part(job->request.spec->tool->pack));
	json_set_text(record, "tool", job->request.spec->tool->name);
	json_set_integer(record, "seed", (int64_t)job->request.seed);
	json_set(record, "limits", limits_part(job));
	json_set_text(record, "isolation", isolation_name(job->strategy));
	add_verdict(record, &note->error);
	kept = !arguments.fault && arguments.data && add_arguments_summary(record, &arguments);
	json_print_pretty(out, record);
	if (kept && out->length > 2) {
		/* The arguments are the job's, and not to be held by an object of this thread: they
		 * are put into the text, in front of its last brace. */
		out->length -= 2;
		buffer_text(out, ",\n  \"arguments\": ");
		buffer_append(out, arguments.data, arguments.length);
		buffer_text(out, "\n}");
	}
	buffer_byte(out, '\n');
	json_drop(record);
	buffer_free(&arguments);
}

/* ---- The thread ------------------------------------------------------------------------------ */

static void write_note(struct recorder *recorder, const struct note *note)
{
	const char *tool = note->job->request.spec->tool->name;
	struct buffer text = BUFFER_INIT(REPLAY_BYTES_MOST);
	struct error error = ERROR_INIT;
	char time[32], name[TEXT_TOOL_NAME_MOST + 64], *path;

	print_record(&text, note);
	/* By this name records sort by age. */
	print_time(&note->time, "%Y%m%dT%H%M%S", time, sizeof(time));
	snprintf(name, sizeof(name), "%s.%03ld-%s-%d-%u.json", time, note->time.tv_nsec / 1000000,
		 tool, (int)getpid(), recorder->written++);
	if (replay_write(recorder->paths->state, name, &text,
			 (size_t)setting_whole(SETTING_REPLAY_RECORDS), &path, &error)) {
		log_warning("no replay record of %s: %s", tool, error.message);
	} else {
		log_warning("%s: %s; to run the call again: toolhost replay %s", tool,
			    status_code(note->error.status), path);
		free(path);
	}
	error_clear(&error);
	buffer_free(&text);
}

static void free_note(struct note *note)
{
	job_release(note->job);
	error_clear(&note->error);
	free(note);
}

static void *write_notes(void *context)
{
	struct recorder *recorder = context;

	pthread_mutex_lock(&recorder->lock);
	for (;;) {
		struct note *note = recorder->notes;

		if (!note && recorder->over)
			break;
		if (!note) {
			pthread_cond_wait(&recorder->changed, &recorder->lock);
			continue;
		}
		recorder->notes = note->next;
		if (!recorder->notes)
			recorder->last_note = &recorder->notes;
		pthread_mutex_unlock(&recorder->lock);
		write_note(recorder, note);
		free_note(note);
		pthread_mutex_lock(&recorder->lock);
		recorder->count--;
		pthread_cond_broadcast(&recorder->changed);
	}
	pthread_mutex_unlock(&recorder->lock);
	return NULL;
}

/* Signals are for the threads that there were before. */
static bool start_locked(struct recorder *recorder)
{
	sigset_t all, before;

	if (recorder->started)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	recorder->started = !pthread_create(&recorder->thread, NULL, write_notes, recorder);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return recorder->started;
}

/* ---- Notes ----------------------------------------------------------------------------------- */

/* Whether it is the tool that this end speaks of, and running it again can show why. */
static bool leaves_record(const struct outcome *outcome)
{
	const json *phase;

	switch (outcome->error.status) {
	case STATUS_CRASHED:
	case STATUS_EXITED:
	case STATUS_BLOCKED:
	case STATUS_MEMORY_EXCEEDED:
		return true;
	case STATUS_TIMEOUT:
		phase = json_get(outcome->error.details, "phase");
		return !json_text_is(phase, "queue");
	default:
		return false;
	}
}

/* A call in this process whose arguments are still on their way through the gate has no record. */
static bool is_in_tool(struct job *job)
{
	return job->strategy != ISOLATION_IN_PROCESS || atomic_load(&job->call);
}

static struct note *make_note(struct job *job, const struct error *error)
{
	struct note *note = calloc(1, sizeof(*note));

	if (!note)
		return NULL;
	job_hold(job);
	note->job = job;
	note->error.status = error->status;
	memcpy(note->error.message, error->message, sizeof(error->message));
	note->error.details = json_copy(error->details);
	clock_gettime(CLOCK_REALTIME, &note->time);
	return note;
}

void recorder_note(struct recorder *recorder, struct job *job, const struct outcome *outcome)
{
	struct note *note;

	if (!recorder || !outcome->error.status || !leaves_record(outcome) ||
	    job->request.spec->tool->pack->linked || !is_in_tool(job))
		return;
	note = make_note(job, &outcome->error);
	if (!note)
		return;
	pthread_mutex_lock(&recorder->lock);
	if (recorder->count < QUEUE_MOST && start_locked(recorder)) {
		*recorder->last_note = note;
		recorder->last_note = &note->next;
		recorder->count++;
		pthread_cond_broadcast(&recorder->changed);
		note = NULL;
	}
	pthread_mutex_unlock(&recorder->lock);
	if (note)
		free_note(note);
}

/* ---- The recorder ---------------------------------------------------------------------------- */

struct recorder *recorder_new(const struct paths *paths)
{
	struct recorder *recorder;

	if (!paths || !paths->state || !setting_whole(SETTING_REPLAY_RECORDS))
		return NULL;
	recorder = calloc(1, sizeof(*recorder));
	if (!recorder)
		return NULL;
	recorder->paths = paths;
	recorder->last_note = &recorder->notes;
	pthread_mutex_init(&recorder->lock, NULL);
	pthread_cond_init(&recorder->changed, NULL);
	return recorder;
}

/* False where some are not written in time, as on a disk that hangs. */
static bool flush(struct recorder *recorder)
{
	int64_t end = clock_now_ns() + FLUSH_NS;
	const struct timespec until = clock_timespec(end);
	bool empty;

	pthread_mutex_lock(&recorder->lock);
	while (recorder->count && !pthread_cond_clockwait(&recorder->changed, &recorder->lock,
							  CLOCK_MONOTONIC, &until))
		;
	empty = !recorder->count;
	pthread_mutex_unlock(&recorder->lock);
	return empty;
}

void recorder_flush(struct recorder *recorder)
{
	if (recorder && !flush(recorder))
		log_warning("a replay record could not be written in time");
}

void recorder_free(struct recorder *recorder)
{
	if (!recorder)
		return;
	if (!flush(recorder))
		return; /* its thread is held by the disk, and what it uses is left to it */
	pthread_mutex_lock(&recorder->lock);
	recorder->over = true;
	pthread_cond_broadcast(&recorder->changed);
	pthread_mutex_unlock(&recorder->lock);
	if (recorder->started)
		pthread_join(recorder->thread, NULL);
	pthread_cond_destroy(&recorder->changed);
	pthread_mutex_destroy(&recorder->lock);
	free(recorder);
}
