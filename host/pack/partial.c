/* SPDX-License-Identifier: MIT
 *
 * What a tool gives ahead of its end. The listener gets it at once, so that it is there whatever becomes of the call.
 */
#include "pack/services.h"

#include "pack/content.h"

#include <string.h>

/* A block that makes no sense is the author's fault, but none of the result. */
static int32_t tell_misuse(th_call *public, const char *fault)
{
	char text[128] = "th_partial(): ";

	strncat(text, fault, sizeof(text) - strlen(text) - 1);
	service_log(public, TH_LOG_WARNING, text, strlen(text));
	return TH_MISUSE;
}

/* Nothing is kept behind a block that was left out, so that what is kept has no gap. */
static int32_t stop_locked(struct call *call)
{
	if (!call->partial_over)
		call->listener->partial(call, NULL, NULL, 0);
	call->partial_over = true;
	return TH_TOO_LARGE;
}

static int32_t give_locked(struct call *call, const th_content *content)
{
	struct buffer *text = &call->partial;

	if (call->partial_over || call->partial_count >= CALL_PARTIALS_MOST)
		return stop_locked(call);
	buffer_reset(text);
	text->maximum = (call->max_result ? call->max_result : SIZE_MAX) - call->partial_bytes;
	content_print(text, content);
	if (text->fault == BUFFER_NO_MEMORY)
		return TH_NO_MEMORY;
	if (text->fault)
		return stop_locked(call);
	call->partial_count++;
	call->partial_bytes += text->length;
	call->listener->partial(call, content, text->data, text->length);
	return TH_OK;
}

int32_t partial_give(th_call *public, const th_content *given)
{
	struct call *call = call_of(public);
	th_content content;
	const char *fault;
	int32_t code;

	if (call->is_prompt || !call->listener || !call->listener->partial)
		return TH_UNSUPPORTED;
	fault = content_check(given, &content);
	if (fault)
		return tell_misuse(public, fault);
	if (service_cancelled(public))
		return TH_CANCELLED;
	pthread_mutex_lock(&call->lock);
	code = give_locked(call, &content);
	pthread_mutex_unlock(&call->lock);
	return code;
}
