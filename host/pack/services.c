/* SPDX-License-Identifier: MIT
 *
 * What a tool says beside its result, and what it may ask about its call. Any thread of the call
 * may.
 */
#include <config.h>

#include "pack/services.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define WARNINGS_MOST 100u
#define CATEGORY_BYTES_MOST 64u
#define MESSAGE_BYTES_MOST 4096u
#define DETAILS_BYTES_MOST ((size_t)64 * 1024)
#define DETAILS_DEPTH_MOST 32u

/* Whether the deadline has passed. */
static bool call_is_late(const struct call *call)
{
	struct timespec now;

	if (!call->deadline_ns)
		return false;
	/* Good to some milliseconds, and cheap enough for the innermost loop of a tool. */
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return clock_ns(now) >= call->deadline_ns;
}

/* The bytes of a message to take: at most `most`, and no code point that the formatting helpers of
 * the plugin header, or this bound, have cut in two. */
static size_t take(const char *text, size_t length, size_t most)
{
	size_t head = text_head(text, length, most), start = head;

	while (start > 0 && head - start < 4) {
		start--;
		if (((unsigned char)text[start] & 0xC0) != 0x80)
			return text_sequence(text + start, head - start) < 0 ? start : head;
	}
	return head;
}

static json *read_details(const char *text)
{
	const struct json_limits limits = { .max_bytes = DETAILS_BYTES_MOST,
					    .max_depth = DETAILS_DEPTH_MOST };
	json *details = NULL;

	if (json_read(text, strlen(text), &limits, &details, NULL))
		return NULL;
	if (json_kind(details) != JSON_OBJECT) {
		json_drop(details);
		return NULL;
	}
	return details;
}

bool call_fail(struct call *call, int status, const char *message, size_t length, json *details)
{
	bool first;

	pthread_mutex_lock(&call->lock);
	/* The first failure is nearest to the cause; those that follow come from callers that pass
	 * it on. */
	first = !call->failure.status && !call->fault;
	if (first) {
		error_set(&call->failure, status, "%.*s",
			  (int)take(message, length, sizeof(call->failure.message) - 1), message);
		call->failure.details = details;
	} else {
		json_drop(details);
	}
	pthread_mutex_unlock(&call->lock);
	return first;
}

int32_t service_fail(th_call *public, const char *message, uint64_t length, const char *details)
{
	static const char dropped[] =
		"the details of th_fail_details() are no JSON object, and were left out";
	json *read = details ? read_details(details) : NULL;

	if (details && !read)
		service_log(public, TH_LOG_WARNING, dropped, sizeof(dropped) - 1);
	call_fail(call_of(public), STATUS_TOOL_ERROR, message, length, read);
	return TH_FAILED;
}

/* Appends the object, unless the same one is there already. */
static void add_warning(struct buffer *out, const char *category, const char *message,
			size_t length)
{
	size_t before = out->length, start;

	if (before)
		buffer_byte(out, ',');
	start = out->length;
	buffer_text(out, "{\"category\":");
	json_print_text(out, category, take(category, strlen(category), CATEGORY_BYTES_MOST));
	buffer_text(out, ",\"message\":");
	json_print_text(out, message, take(message, length, MESSAGE_BYTES_MOST));
	buffer_byte(out, '}');
	if (out->fault != BUFFER_GOOD)
		return;
	/* No text inside an object can look like an object, since its quotes are escaped. */
	if (memmem(out->data, before, out->data + start, out->length - start)) {
		out->length = before;
		out->data[before] = '\0';
	}
}

void service_warn(th_call *public, const char *category, const char *message, uint64_t length)
{
	static const char more[] = "There were more warnings, which are left out.";
	struct call *call = call_of(public);
	size_t before;

	if (!category)
		category = "warning";
	pthread_mutex_lock(&call->lock);
	before = call->warnings.length;
	if (call->warning_count < WARNINGS_MOST)
		add_warning(&call->warnings, category, message, length);
	else
		add_warning(&call->warnings, "toolhost", more, sizeof(more) - 1);
	if (call->warnings.length > before)
		call->warning_count++;
	pthread_mutex_unlock(&call->lock);
}

void service_log(th_call *public, int32_t level, const char *message, uint64_t length)
{
	struct call *call = call_of(public);

	if (!call->listener || !call->listener->log)
		return;
	if (level < TH_LOG_ERROR)
		level = TH_LOG_ERROR;
	if (level > TH_LOG_DEBUG)
		level = TH_LOG_DEBUG;
	pthread_mutex_lock(&call->lock);
	call->listener->log(call, level, message, length);
	pthread_mutex_unlock(&call->lock);
}

int32_t service_progress(th_call *public, double done, double total, const char *message)
{
	struct call *call = call_of(public);

	if (!isfinite(total) || total < 0)
		total = 0;
	pthread_mutex_lock(&call->lock);
	if (isfinite(done) && done >= 0 && done > call->progress) {
		call->progress = done;
		if (call->listener && call->listener->progress)
			call->listener->progress(call, done, total, message);
	}
	pthread_mutex_unlock(&call->lock);
	return service_cancelled(public) ? TH_CANCELLED : TH_OK;
}

int32_t service_cancelled(th_call *public)
{
	struct call *call = call_of(public);

	return atomic_load_explicit(&call->cancelled, memory_order_relaxed) || call_is_late(call);
}

int64_t service_time_left(th_call *public)
{
	const struct call *call = call_of(public);
	int64_t left;

	if (!call->deadline_ns)
		return INT64_MAX;
	left = (call->deadline_ns - clock_now_ns()) / 1000000;
	return left > 0 ? left : 0;
}

void *service_allocate(th_call *public, uint64_t size, uint64_t alignment)
{
	struct call *call = call_of(public);
	void *memory;

	pthread_mutex_lock(&call->lock);
	if (alignment <= 16) {
		memory = arena_allocate(&call->arena, size);
	} else {
		memory = arena_allocate_raw(&call->arena, size, alignment);
		if (memory)
			memset(memory, 0, size);
	}
	if (!memory)
		call->refused = size;
	pthread_mutex_unlock(&call->lock);
	return memory;
}

/* SplitMix64 (Steele, Lea, Flood 2014), which spreads a seed over another generator's state. */
static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

/* xoshiro256++ 1.0 (Blackman, Vigna 2019). */
static uint64_t xoshiro(uint64_t s[4])
{
	uint64_t result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t service_random(th_call *public)
{
	struct call *call = call_of(public);
	uint64_t value;

	pthread_mutex_lock(&call->lock);
	if (!call->seeded) {
		uint64_t state = call->seed;

		for (int i = 0; i < 4; i++)
			call->random[i] = splitmix(&state);
		call->seeded = true;
	}
	value = xoshiro(call->random);
	pthread_mutex_unlock(&call->lock);
	return value;
}

int32_t service_given(th_call *public, const char *name)
{
	const json *arguments = call_of(public)->arguments;

	return json_kind(arguments) == JSON_OBJECT && json_get(arguments, name) != NULL;
}
