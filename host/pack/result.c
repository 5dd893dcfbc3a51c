/* SPDX-License-Identifier: MIT
 *
 * The result writer: what a tool gives becomes JSON text at once, with no values in between. The
 * text is valid whatever the tool does: a call that makes no sense writes nothing, and the first of
 * these is kept as the fault with which the whole call fails.
 */
#include "pack/services.h"

#include "base/text.h"

#include <string.h>

/* What is open at a depth. At depth 0 that is the result, of which nothing is known before the
 * first value. */
#define NOTHING 0
#define OBJECT '{'
#define LIST '['
#define WHOLE '.' /* the result was given as one value */

#define JSON_DEPTH_MOST 128 /* of put_json */

/* Atomic since th_fail() may look from another thread of the tool; the writer has one thread. */
static int32_t fault_of(const struct call *call)
{
	return atomic_load_explicit(&call->fault, memory_order_relaxed);
}

static void set_fault(struct call *call, int32_t fault)
{
	atomic_store_explicit(&call->fault, fault, memory_order_relaxed);
}

int32_t result_misuse(struct call *call, const char *what, const char *key)
{
	size_t length;

	if (fault_of(call))
		return fault_of(call);
	set_fault(call, TH_MISUSE);
	call->misuse = what;
	if (key) {
		length = text_head(key, strlen(key), sizeof(call->misuse_key) - 1);
		memcpy(call->misuse_key, key, length);
		call->misuse_key[length] = '\0';
	}
	return TH_MISUSE;
}

int32_t result_written(struct call *call, const struct buffer *buffer)
{
	if (buffer->fault == BUFFER_GOOD)
		return TH_OK;
	if (!fault_of(call))
		set_fault(call, buffer->fault == BUFFER_FULL ? TH_TOO_LARGE : TH_NO_MEMORY);
	return fault_of(call);
}

static int32_t written(struct call *call)
{
	return result_written(call, &call->result);
}

static int32_t write_key(struct call *call, const char *key)
{
	struct buffer *out = &call->result;
	size_t offset;

	if (!call->empty)
		buffer_byte(out, ',');
	else if (call->depth == 0)
		buffer_byte(out, '{');
	offset = out->length;
	json_print_text(out, key, strlen(key));
	if (out->fault != BUFFER_GOOD)
		return written(call);
	switch (keys_add(&call->keys, out->data, call->start[call->depth], offset,
			 out->length - offset)) {
	case KEYS_NEW:
		break;
	case KEYS_KNOWN:
		return result_misuse(call, "a key was given twice in one object", key);
	case KEYS_NO_MEMORY:
		set_fault(call, TH_NO_MEMORY);
		return TH_NO_MEMORY;
	}
	buffer_byte(out, ':');
	return TH_OK;
}

/* Comes before every value: whether one may stand here, and what has to stand before it. */
static int32_t begin_value(struct call *call, const char *key)
{
	uint8_t *around = &call->open[call->depth];
	int32_t r = TH_OK;

	if (fault_of(call))
		return fault_of(call);
	if (*around == NOTHING)
		*around = key ? OBJECT : WHOLE;
	else if (*around == WHOLE)
		return result_misuse(
			call,
			"a value was given after one without a key, which is the whole result",
			key);
	if (*around == OBJECT) {
		if (!key)
			return result_misuse(
				call, "a value was given without a key inside an object", NULL);
		r = write_key(call, key);
	} else if (key) {
		return result_misuse(call, "a key was given inside a list", key);
	} else if (!call->empty) {
		buffer_byte(&call->result, ',');
	}
	call->empty = false;
	return r;
}

int32_t result_put_null(th_call *public, const char *key)
{
	struct call *call = call_of(public);
	int32_t r = begin_value(call, key);

	if (r)
		return r;
	buffer_append(&call->result, "null", 4);
	return written(call);
}

int32_t result_put_boolean(th_call *public, const char *key, int32_t value)
{
	struct call *call = call_of(public);
	int32_t r = begin_value(call, key);

	if (r)
		return r;
	buffer_text(&call->result, value ? "true" : "false");
	return written(call);
}

int32_t result_put_integer(th_call *public, const char *key, int64_t value)
{
	struct call *call = call_of(public);
	int32_t r = begin_value(call, key);

	if (r)
		return r;
	json_print_integer(&call->result, value);
	return written(call);
}

int32_t result_put_number(th_call *public, const char *key, double value)
{
	struct call *call = call_of(public);
	int32_t r = begin_value(call, key);

	if (r)
		return r;
	json_print_number(&call->result, value);
	return written(call);
}

int32_t result_put_text(th_call *public, const char *key, const char *text, uint64_t length)
{
	struct call *call = call_of(public);
	int32_t r;

	if (!text && length)
		return result_misuse(call, "a text was given as NULL with a length", key);
	r = begin_value(call, key);
	if (r)
		return r;
	json_print_text(&call->result, text ? text : "", length);
	return written(call);
}

int32_t result_put_json(th_call *public, const char *key, const char *text, uint64_t length)
{
	struct call *call = call_of(public);
	int32_t r;

	if (!text)
		return result_misuse(call, "a JSON text was given as NULL", key);
	r = begin_value(call, key);
	if (r)
		return r;
	if (!json_print_checked(&call->result, text, length, JSON_DEPTH_MOST)) {
		r = written(call);
		return r ? r
			 : result_misuse(call, "th_put_json() was given text that is no JSON", key);
	}
	return written(call);
}

int32_t result_put_numbers(th_call *public, const char *key, const double *values, uint64_t count)
{
	struct call *call = call_of(public);
	int32_t r;

	if (!values && count)
		return result_misuse(call, "a list of numbers was given as NULL with a count", key);
	r = begin_value(call, key);
	if (r)
		return r;
	json_print_numbers(&call->result, values, count);
	return written(call);
}

int32_t result_put_integers(th_call *public, const char *key, const int64_t *values, uint64_t count)
{
	struct call *call = call_of(public);
	struct buffer *out = &call->result;
	int32_t r;

	if (!values && count)
		return result_misuse(call, "a list of integers was given as NULL with a count",
				     key);
	r = begin_value(call, key);
	if (r)
		return r;
	buffer_byte(out, '[');
	for (uint64_t i = 0; i < count && out->fault == BUFFER_GOOD; i++) {
		if (i)
			buffer_byte(out, ',');
		json_print_integer(out, values[i]);
	}
	buffer_byte(out, ']');
	return written(call);
}

static int32_t begin(struct call *call, const char *key, char what)
{
	int32_t r;

	if (!fault_of(call) && call->depth == CALL_DEPTH_MOST)
		return result_misuse(call, "more than 64 lists and objects lie in one another",
				     key);
	r = begin_value(call, key);
	if (r)
		return r;
	call->depth++;
	call->open[call->depth] = (uint8_t)what;
	call->start[call->depth] = call->result.length;
	call->empty = true;
	buffer_byte(&call->result, what);
	return written(call);
}

int32_t result_begin_object(th_call *public, const char *key)
{
	return begin(call_of(public), key, OBJECT);
}

int32_t result_begin_list(th_call *public, const char *key)
{
	return begin(call_of(public), key, LIST);
}

int32_t result_end(th_call *public)
{
	struct call *call = call_of(public);

	if (fault_of(call))
		return fault_of(call);
	if (call->depth == 0)
		return result_misuse(call, "th_end() was called with nothing open", NULL);
	if (call->open[call->depth] == OBJECT) {
		keys_forget(&call->keys, call->start[call->depth]);
		buffer_byte(&call->result, '}');
	} else {
		buffer_byte(&call->result, ']');
	}
	call->depth--;
	call->empty = false;
	return written(call);
}

void result_reset(struct call *call)
{
	call->empty = true;
	set_fault(call, TH_OK);
	call->misuse = NULL;
	call->misuse_key[0] = '\0';
	call->depth = 0;
	call->open[0] = NOTHING;
	call->start[0] = 0;
	keys_reset(&call->keys);
}

void result_close(struct call *call)
{
	if (fault_of(call))
		return;
	if (call->depth > 0) {
		result_misuse(call, "a list or an object was left open: th_end() is missing", NULL);
		return;
	}
	if (call->open[0] == OBJECT)
		buffer_byte(&call->result, '}');
	else if (call->open[0] == NOTHING && call->content.length == 0)
		buffer_append(&call->result, "{}", 2);
	written(call);
}
