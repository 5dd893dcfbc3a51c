/* SPDX-License-Identifier: MIT
 *
 * Tool calls out of model output: text as a model wrote it, or the message, response or stored
 * stream that holds it, in the formats of the model families. Nothing here knows which tools there
 * are, and nothing is run.
 */
#ifndef TOOLHOST_PARSE_H
#define TOOLHOST_PARSE_H

#include "base/error.h"
#include "base/json.h"

/* Why something that was plainly meant as a call cannot be made. */
enum parse_reason {
	PARSE_CALL, /* it can */
	PARSE_ARGUMENTS_NOT_JSON,
	PARSE_ARGUMENTS_NOT_OBJECT,
	PARSE_DUPLICATE_ID,
	PARSE_DUPLICATE_KEY,
	PARSE_NO_NAME,
	PARSE_NOT_AN_OBJECT,
	PARSE_NOT_A_LIST,
	PARSE_NOT_JSON,
	PARSE_TRUNCATED,
	PARSE_UNSUPPORTED_TYPE,
};

/* One call, or one that cannot be made. The values are the list's; each is referred to once, so that
 * a call may be taken out and handed to another thread. */
struct parse_entry {
	enum parse_reason reason;
	json *tool;	 /* a text, as it was written; NULL where a malformed call has none */
	json *arguments; /* an object; NULL where malformed */
	json *id;	 /* a text, or NULL */
	json *namespace; /* a text, or NULL */
	bool untyped;	 /* the arguments are texts since their form knows nothing else */
	char *message;	 /* of a malformed call: what is wrong, for people; may be NULL */
	size_t offset;	 /* where it begins in the input, in bytes; of a call in a JSON value, where
			    that begins */
	bool tentative;	 /* private */
};

struct parse_list {
	struct parse_entry *entries; /* in the order of the input */
	size_t count, capacity;
};

struct parse_options {
	bool no_fences; /* code fences are quotation, whatever they hold */
};

/* The most entries that one input may have. */
#define PARSE_ENTRIES_MAX 65536

/* Reads the calls out of `text`, in time and memory in proportion to its length. What is malformed
 * is an entry of the list and no error. Bytes that are no UTF-8 are passed over like other text that
 * is no call; within a call they make it malformed. The list is the caller's to free, also after an
 * error: STATUS_INPUT_TOO_LARGE where there are more than PARSE_ENTRIES_MAX entries, or
 * STATUS_INTERNAL without memory. */
int parse_output(const char *text, size_t length, const struct parse_options *options,
		 struct parse_list *ret_list, struct error *error);
void parse_list_free(struct parse_list *list);

/* The name of a reason, as in "arguments_not_json"; constant. */
const char *parse_reason_name(enum parse_reason reason);

#endif
