/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "base/text.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_MOST 2000
#define PACK_BYTES_A_SECOND ((size_t)64 * 1024)
#define PACK_NAME_MOST 64

struct line {
	char text[LINE_MOST]; /* the last byte is a line feed once it is written */
	size_t length;
};

/* What a pack wrote in the second that began at `since`. */
struct pack_flow {
	struct pack_flow *next;
	int64_t since; /* of the monotonic clock */
	size_t bytes;
	size_t left_out;
	char name[PACK_NAME_MOST + 1];
};

static _Atomic int current_level = LOG_LEVEL_WARNING;
static const char *_Atomic program_name = "toolhost";

static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t lines_lost;

static pthread_rwlock_t receiver_lock = PTHREAD_RWLOCK_INITIALIZER;
static log_receiver current_receiver;
static void *receiver_context;

static pthread_mutex_t flow_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pack_flow *flows;

void log_set_level(enum log_level level)
{
	atomic_store(&current_level, level);
}

enum log_level log_get_level(void)
{
	return (enum log_level)atomic_load(&current_level);
}

void log_set_name(const char *program)
{
	atomic_store(&program_name, program);
}

void log_set_receiver(log_receiver receiver, void *context)
{
	pthread_rwlock_wrlock(&receiver_lock);
	current_receiver = receiver;
	receiver_context = context;
	pthread_rwlock_unlock(&receiver_lock);
}

/* ---- Lines --------------------------------------------------------------------------------- */

static bool line_add(struct line *line, const char *text, size_t length)
{
	/* One byte is kept for the line feed. */
	if (length > sizeof(line->text) - 1 - line->length)
		return false;
	memcpy(line->text + line->length, text, length);
	line->length += length;
	return true;
}

/* One code point, or what stands for it. */
static bool line_add_point(struct line *line, const char *text, int bytes)
{
	unsigned char c = (unsigned char)text[0];
	char escape[8];

	if (bytes < 0)
		return line_add(line, "\xEF\xBF\xBD", 3);
	if (c == '\n')
		return line_add(line, "\\n", 2);
	if (c == '\t')
		return line_add(line, "\\t", 2);
	if (c < 0x20 || c == 0x7F) {
		snprintf(escape, sizeof(escape), "\\x%02x", c);
		return line_add(line, escape, 4);
	}
	/* U+0080 to U+009F move a terminal's cursor as well as their older forms do. */
	if (c == 0xC2 && (unsigned char)text[1] < 0xA0) {
		snprintf(escape, sizeof(escape), "\\x%02x", (unsigned char)text[1]);
		return line_add(line, escape, 4);
	}
	return line_add(line, text, (size_t)bytes);
}

static void line_add_escaped(struct line *line, const char *text, size_t length)
{
	static const char cut[] = "...";
	size_t at = 0, before_last = line->length;

	while (at < length) {
		int bytes = text_sequence(text + at, length - at);

		if (!line_add_point(line, text + at, bytes)) {
			line->length = before_last;
			line_add(line, cut, strlen(cut));
			return;
		}
		at += (size_t)abs(bytes);
		/* As long as a cut could still be marked here. */
		if (line->length + strlen(cut) < sizeof(line->text))
			before_last = line->length;
	}
}

/* False too where the reader is gone, since a write would be answered with a signal. */
static bool stderr_takes_more(void)
{
	struct pollfd output = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&output, 1, 0) == 1 && output.revents == POLLOUT;
}

/* Tells once that lines were lost, before the first one that is not. */
static bool write_lost_locked(void)
{
	char text[128];
	int length;

	if (lines_lost == 0)
		return true;
	length = snprintf(text, sizeof(text),
			  "%s: warning: lines of the log that were lost here: %zu\n",
			  atomic_load(&program_name), lines_lost);
	if (write(STDERR_FILENO, text, (size_t)length) != length)
		return false;
	lines_lost = 0;
	return stderr_takes_more();
}

/* A pipe that can be written takes a line whole, since lines are shorter than PIPE_BUF. */
static void line_write(struct line *line)
{
	line->text[line->length] = '\n';
	pthread_mutex_lock(&output_lock);
	if (!stderr_takes_more() || !write_lost_locked() ||
	    write(STDERR_FILENO, line->text, line->length + 1) < 0)
		lines_lost++;
	pthread_mutex_unlock(&output_lock);
}

static void line_receive(enum log_level level, const char *text, size_t length)
{
	pthread_rwlock_rdlock(&receiver_lock);
	if (current_receiver)
		current_receiver(receiver_context, level, text, length);
	pthread_rwlock_unlock(&receiver_lock);
}

static void event_write(enum log_level level, const char *pack, const char *text, size_t length)
{
	static const char *const names[] = { "error", "warning", "info", "debug" };
	struct line line = { .length = 0 };
	size_t prefix;

	line_add_escaped(&line, atomic_load(&program_name), strlen(atomic_load(&program_name)));
	line_add(&line, ": ", 2);
	line_add(&line, names[level], strlen(names[level]));
	line_add(&line, ": ", 2);
	prefix = line.length;
	if (pack) {
		line_add(&line, "pack ", 5);
		line_add_escaped(&line, pack, text_head(pack, strlen(pack), PACK_NAME_MOST));
		line_add(&line, ": ", 2);
	}
	line_add_escaped(&line, text, length);
	line_write(&line);
	line_receive(level, line.text + prefix, line.length - prefix);
}

void log_write(enum log_level level, const char *format, ...)
{
	char text[LINE_MOST];
	va_list arguments;
	int length;

	if (level > log_get_level())
		return;
	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	event_write(level, NULL, text,
		    (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

/* ---- Packs --------------------------------------------------------------------------------- */

static int64_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static struct pack_flow *flow_find_locked(const char *pack)
{
	size_t length = text_head(pack, strlen(pack), PACK_NAME_MOST);
	struct pack_flow *flow;

	for (flow = flows; flow; flow = flow->next)
		if (strlen(flow->name) == length && !memcmp(flow->name, pack, length))
			return flow;
	flow = calloc(1, sizeof(*flow));
	if (!flow)
		return NULL;
	memcpy(flow->name, pack, length);
	flow->next = flows;
	flows = flow;
	return flow;
}

/* Counts `length` bytes for the pack. True where they may be written; *ret_left_out is what was
 * not, in a second that is over by now. */
static bool flow_admit(const char *pack, size_t length, size_t *ret_left_out)
{
	int64_t now = seconds_now();
	struct pack_flow *flow;
	bool admitted = true;

	*ret_left_out = 0;
	pthread_mutex_lock(&flow_lock);
	flow = flow_find_locked(pack);
	if (flow) {
		if (flow->since != now) {
			*ret_left_out = flow->left_out;
			flow->since = now;
			flow->bytes = 0;
			flow->left_out = 0;
		}
		admitted = length <= PACK_BYTES_A_SECOND - flow->bytes;
		if (admitted)
			flow->bytes += length;
		else
			flow->left_out += length;
	}
	pthread_mutex_unlock(&flow_lock);
	return admitted;
}

void log_pack(enum log_level level, const char *pack, const char *text, size_t length)
{
	char notice[128];
	size_t left_out;
	bool admitted;

	if (level > log_get_level())
		return;
	/* A line is cut anyway, so no more than that counts. */
	if (length > LINE_MOST)
		length = LINE_MOST;
	admitted = flow_admit(pack, length, &left_out);
	if (left_out) {
		snprintf(notice, sizeof(notice), "%zu bytes left out: more than 64 KiB in a second",
			 left_out);
		event_write(level, pack, notice, strlen(notice));
	}
	if (admitted)
		event_write(level, pack, text, length);
}
