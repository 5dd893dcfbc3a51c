/* SPDX-License-Identifier: MIT
 *
 * A pack that writes to the channel itself could send any bytes with the call's token, so each text
 * is read and printed again: a line feed between two values would cut the protocol's message in two,
 * and a block that is none of MCP would make a client throw the whole message away.
 */
#include "config.h"

#include "execute/answer.h"

#include "base/array.h"
#include "base/json.h"
#include "pack/frame.h"

#include <string.h>

#define DETAILS_MOST 65536
#define MESSAGE_MOST 1000

/* ---- Forms ------------------------------------------------------------------------------------ */

#define KEYS_MOST 4

/* An object of texts: what it has to have, and what it may have. */
struct form {
	const char *type; /* of a block; NULL: there is none */
	const char *needed[KEYS_MOST];
	const char *allowed[KEYS_MOST];
};

static const struct form warning_form = { NULL, { "category", "message" }, { NULL } };

static const struct form block_forms[] = {
	{ "text", { "text" }, { NULL } },
	{ "image", { "data", "mimeType" }, { NULL } },
	{ "audio", { "data", "mimeType" }, { NULL } },
	{ "resource_link", { "uri", "name" }, { "mimeType" } },
};

static const struct form resource_forms[] = {
	{ NULL, { "uri", "text" }, { "mimeType" } },
	{ NULL, { "uri", "blob" }, { "mimeType" } },
};

static bool has_form(const json *object, const struct form *form)
{
	size_t known = form->type ? 1 : 0;

	if (json_kind(object) != JSON_OBJECT ||
	    (form->type && !json_text_is(json_get(object, "type"), form->type)))
		return false;
	for (int i = 0; i < KEYS_MOST && form->needed[i]; i++, known++)
		if (json_kind(json_get(object, form->needed[i])) != JSON_TEXT)
			return false;
	for (int i = 0; i < KEYS_MOST && form->allowed[i]; i++) {
		if (!json_has(object, form->allowed[i]))
			continue;
		if (json_kind(json_get(object, form->allowed[i])) != JSON_TEXT)
			return false;
		known++;
	}
	return json_count(object) == known;
}

static bool has_any_form(const json *object, const struct form *forms, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (has_form(object, &forms[i]))
			return true;
	return false;
}

static bool is_warning(const json *item)
{
	return has_form(item, &warning_form);
}

static bool is_block(const json *item)
{
	if (json_kind(item) != JSON_OBJECT)
		return false;
	if (json_text_is(json_get(item, "type"), "resource"))
		return json_count(item) == 2 &&
		       has_any_form(json_get(item, "resource"), resource_forms,
				    ARRAY_SIZE(resource_forms));
	return has_any_form(item, block_forms, ARRAY_SIZE(block_forms));
}

/* ---- Texts ------------------------------------------------------------------------------------ */

/* A text that has to be JSON, as this side prints it. */
static char *take_text(const char *text, size_t length, size_t *ret_length, bool *good)
{
	struct buffer printed = BUFFER_INIT(SIZE_MAX);

	*ret_length = 0;
	if (!length || !*good)
		return NULL;
	*good = json_print_checked(&printed, text, length, 0) && !printed.fault;
	return buffer_take(&printed, ret_length);
}

static bool all_are(const json *list, bool (*is)(const json *item))
{
	for (size_t i = 0; i < json_count(list); i++)
		if (!is(json_peek(list, i)))
			return false;
	return true;
}

/* The items of a list that has lost its brackets. */
static char *take_items(const char *text, size_t length, bool (*is)(const json *item),
			size_t *ret_length, bool *good)
{
	struct buffer list = BUFFER_INIT(SIZE_MAX), printed = BUFFER_INIT(SIZE_MAX);
	json *items = NULL;

	*ret_length = 0;
	if (!length || !*good)
		return NULL;
	buffer_byte(&list, '[');
	buffer_append(&list, text, length);
	buffer_byte(&list, ']');
	*good = !list.fault && !json_read(list.data, list.length, NULL, &items, NULL) &&
		json_count(items) && all_are(items, is);
	for (size_t i = 0; *good && i < json_count(items); i++) {
		if (i)
			buffer_byte(&printed, ',');
		json_print(&printed, json_peek(items, i));
	}
	*good = *good && !printed.fault;
	json_drop(items);
	buffer_free(&list);
	return buffer_take(&printed, ret_length);
}

static void take_failure(const struct frame_result *head, const char *message, struct error *error)
{
	int status = head->status < 0 && head->status >= STATUS_LAST ? head->status
								     : STATUS_INTERNAL;
	size_t shown = head->message_length < MESSAGE_MOST ? head->message_length : MESSAGE_MOST;
	json *details = NULL;
	struct json_member m;

	error_set(error, status, "%.*s", (int)shown, message);
	if (head->details_length && head->details_length < DETAILS_MOST &&
	    !json_read(message + head->message_length, head->details_length, NULL, &details, NULL))
		for (bool more = json_kind(details) == JSON_OBJECT && json_first(details, &m); more;
		     more = json_next(&m))
			error_detail(error, m.key, json_hold(m.value));
	json_drop(details);
}

/* ---- The frame -------------------------------------------------------------------------------- */

/* Whether the lengths of the head are those of what follows it. */
static bool lengths_fit(const struct frame_result *head, size_t length)
{
	const uint64_t lengths[] = { head->result_length, head->content_length,
				     head->warnings_length, head->message_length,
				     head->details_length };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		if (lengths[i] > length)
			return false;
		length -= lengths[i];
	}
	return !length;
}

bool answer_read(const char *payload, size_t length, struct outcome *outcome)
{
	struct frame_result head;
	const char *result, *content, *warnings, *message;
	bool good = true;

	if (length < sizeof(head))
		return false;
	memcpy(&head, payload, sizeof(head));
	if (!lengths_fit(&head, length - sizeof(head)))
		return false;
	result = payload + sizeof(head);
	content = result + head.result_length;
	warnings = content + head.content_length;
	message = warnings + head.warnings_length;

	outcome->seeded = head.seeded != 0;
	outcome->warnings = take_items(warnings, head.warnings_length, is_warning,
				       &outcome->warnings_length, &good);
	if (head.status) {
		take_failure(&head, message, &outcome->error);
	} else {
		outcome->result =
			take_text(result, head.result_length, &outcome->result_length, &good);
		outcome->content = take_items(content, head.content_length, is_block,
					      &outcome->content_length, &good);
	}
	return good;
}
