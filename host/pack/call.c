/* SPDX-License-Identifier: MIT */
#include "pack/call.h"

#include "pack/services.h"

#include <string.h>
#include <sys/random.h>

#define WARNING_BYTES_MOST ((size_t)1 << 20)
#define BYTES_PER_MIB ((size_t)1 << 20)

static int32_t unsupported_ask(th_call *public, const char *id, const char *message,
			       const char *schema, th_text *ret_answer)
{
	(void)public;
	(void)id;
	(void)message;
	(void)schema;
	*ret_answer = (th_text)TH_NO_TEXT;
	return TH_UNSUPPORTED;
}

static const th_services services = {
	.struct_size = sizeof(th_services),
	.abi_major = TH_ABI_MAJOR,
	.abi_minor = TH_ABI_MINOR,
	.put_null = result_put_null,
	.put_boolean = result_put_boolean,
	.put_integer = result_put_integer,
	.put_number = result_put_number,
	.put_text = result_put_text,
	.put_json = result_put_json,
	.put_numbers = result_put_numbers,
	.put_integers = result_put_integers,
	.begin_object = result_begin_object,
	.begin_list = result_begin_list,
	.end = result_end,
	.put_content = content_put,
	.partial = partial_give,
	.fail = service_fail,
	.warn = service_warn,
	.log = service_log,
	.progress = service_progress,
	.cancelled = service_cancelled,
	.time_left = service_time_left,
	.allocate = service_allocate,
	.random = service_random,
	.given = service_given,
	.ask = unsupported_ask,
	.extension = extension_find,
};

void call_init(struct call *call)
{
	memset(call, 0, sizeof(*call));
	call->public.services = &services;
	pthread_mutex_init(&call->lock, NULL);
	/* Without random bytes, as early after a boot, the seed is one that others may know. */
	if (getrandom(&call->keys.seed, sizeof(call->keys.seed), GRND_NONBLOCK) < 0)
		call->keys.seed = (uintptr_t)call;
	arena_init(&call->arena, SIZE_MAX);
	buffer_init(&call->result, SIZE_MAX);
	buffer_init(&call->content, SIZE_MAX);
	buffer_init(&call->partial, SIZE_MAX);
	buffer_init(&call->warnings, WARNING_BYTES_MOST);
	call_reset(call);
}

void call_reset(struct call *call)
{
	atomic_store_explicit(&call->cancelled, 0, memory_order_relaxed);
	arena_reset(&call->arena);
	buffer_reset(&call->result);
	buffer_reset(&call->content);
	buffer_reset(&call->warnings);
	error_clear(&call->failure);
	call->refused = 0;
	call->progress = -1;
	call->warning_count = 0;
	call->seeded = false;
	call->partial_bytes = 0;
	call->partial_count = 0;
	call->partial_over = false;
	result_reset(call);
}

void call_free(struct call *call)
{
	arena_free(&call->arena);
	buffer_free(&call->result);
	buffer_free(&call->content);
	buffer_free(&call->partial);
	buffer_free(&call->warnings);
	error_clear(&call->failure);
	keys_free(&call->keys);
	pthread_mutex_destroy(&call->lock);
}

void call_cancel(struct call *call)
{
	atomic_store_explicit(&call->cancelled, 1, memory_order_relaxed);
}

static const char *tool_name(const struct call *call)
{
	return call->tool_name ? call->tool_name : "the tool";
}

static int fail_too_large(struct call *call)
{
	uint64_t observed = call->result.length + call->content.length;

	if (call->result.fault == BUFFER_FULL)
		observed = call->result.wanted;
	else if (call->content.fault == BUFFER_FULL)
		observed = call->content.wanted;
	error_set(&call->failure, STATUS_RESULT_TOO_LARGE,
		  "The result of %s is larger than max_result_mb allows (%.6g MiB): ask for less, "
		  "or have the operator raise it.",
		  tool_name(call), (double)call->max_result / BYTES_PER_MIB);
	error_detail_integer(&call->failure, "limit", (int64_t)call->max_result);
	error_detail_integer(&call->failure, "observed", (int64_t)observed);
	return call->failure.status;
}

static int fail_memory(struct call *call)
{
	error_set(&call->failure, STATUS_MEMORY_EXCEEDED,
		  "%s needs more memory than it may have: give it less data, or have the operator "
		  "raise max_memory_mb.",
		  tool_name(call));
	error_detail_text(&call->failure, "tool_name", tool_name(call));
	if (call->max_memory)
		error_detail_integer(&call->failure, "memory_mb",
				     (int64_t)(call->max_memory / BYTES_PER_MIB));
	error_detail_integer(&call->failure, "observed",
			     (int64_t)(call->arena.used + call->refused));
	return call->failure.status;
}

static int fail_misuse(struct call *call, const char *what)
{
	const char *key = call->misuse_key;

	return error_set(&call->failure, STATUS_RESULT_INVALID,
			 "%s gave no valid result, which its author has to mend: %s%s%s%s.",
			 tool_name(call), what, *key ? " (key \"" : "", key, *key ? "\")" : "");
}

static int fail_late(struct call *call)
{
	error_set(&call->failure, STATUS_TIMEOUT, "%s gave up because its time had passed.",
		  tool_name(call));
	error_detail_text(&call->failure, "tool_name", tool_name(call));
	error_detail_text(&call->failure, "phase", "run");
	return call->failure.status;
}

/* The outcome of a call whose writer kept a fault. */
static int settle_fault(struct call *call, int32_t fault)
{
	switch (fault) {
	case TH_TOO_LARGE:
		return fail_too_large(call);
	case TH_NO_MEMORY:
		return fail_memory(call);
	}
	return fail_misuse(call, call->misuse);
}

/* The outcome of a call that returned a failure without saying more. */
static int settle_code(struct call *call, int32_t code)
{
	switch (code) {
	case TH_CANCELLED:
		if (atomic_load(&call->cancelled))
			return error_set(&call->failure, STATUS_CANCELLED,
					 "The call of %s was cancelled.", tool_name(call));
		if (!service_time_left(&call->public))
			return fail_late(call);
		return error_set(&call->failure, STATUS_TOOL_ERROR,
				 "%s returned TH_CANCELLED, but nobody had cancelled it.",
				 tool_name(call));
	case TH_PENDING:
		return fail_misuse(call, "it returned TH_PENDING without an open question");
	case TH_NO_MEMORY:
		if (call->refused)
			return fail_memory(call);
		break;
	}
	return error_set(&call->failure, STATUS_TOOL_ERROR,
			 "%s failed without saying why (it returned %d).", tool_name(call), code);
}

static void bound(struct buffer *buffer, size_t most)
{
	/* The memory that an earlier call has left may be more than this one may fill. */
	if (buffer->capacity > most)
		buffer_free(buffer);
	buffer->maximum = most;
}

void call_bound(struct call *call)
{
	size_t most = call->max_result ? call->max_result : SIZE_MAX;

	bound(&call->result, most);
	bound(&call->content, most);
	call->arena.maximum = call->max_memory ? call->max_memory : SIZE_MAX;
}

int call_run(struct call *call, th_run run, const void *input)
{
	int32_t code;

	call_bound(call);
	code = run(&call->public, input);

	/* What the tool said itself comes first, then the fault that its results had. */
	if (call->failure.status)
		return call->failure.status;
	if (code == TH_OK)
		result_close(call);
	if (call->fault)
		return settle_fault(call, call->fault);
	if (code != TH_OK)
		return settle_code(call, code);
	if (call->content.length > call->result.maximum - call->result.length)
		return fail_too_large(call);
	return STATUS_OK;
}
