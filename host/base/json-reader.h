/* SPDX-License-Identifier: MIT
 *
 * What the parts of the JSON reader share: json-read.c (values), json-string.c (strings),
 * json-fault.c (why a text is refused). Private to base.
 */
#ifndef TOOLHOST_JSON_READER_H
#define TOOLHOST_JSON_READER_H

#include "base/json-plain.h"
#include "base/json-value.h"

enum json_place { JSON_PLACE_TOP, JSON_PLACE_LIST, JSON_PLACE_OBJECT };

struct json_reader {
	const char *at; /* the next byte */
	const char *end;
	const char *start;
	unsigned depth, max_depth;
	struct json_fault *fault; /* NULL: nobody wants to know */

	struct buffer string; /* the last string that had escapes */
	json **values;	      /* finished elements of the lists that are still open; owned */
	size_t value_count, value_capacity;
	struct json_packed *numbers; /* a run of numbers at the head of a list */
	bool *are_integers;	     /* for each of them, how it was written */
	size_t number_capacity;
};

static inline bool reader_ended(const struct json_reader *r)
{
	return r->at == r->end;
}

static inline bool reader_sees(const struct json_reader *r, char byte)
{
	return r->at < r->end && *r->at == byte;
}

static inline void reader_skip_blanks(struct json_reader *r)
{
	const char *p = r->at;

	while (p < r->end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
		p++;
	r->at = p;
}

/* Readies a reader for a text within the limits; reader_free() undoes it. STATUS_INPUT_INVALID: it
 * is too long. */
int reader_init(struct json_reader *r, const char *text, size_t length,
		const struct json_limits *limits, struct json_fault *fault);
void reader_free(struct json_reader *r);

/* Reads the value that is next; on failure *ret_value is NULL, or the caller's to drop. */
int reader_value(struct json_reader *r, enum json_place place, json **ret_value);

/* True, and past the comma, where another element follows. */
bool reader_next_element(struct json_reader *r);

/* Reads the string whose opening quote is next. The bytes lie in the JSON text or in r->string,
 * until the next one. */
int reader_string(struct json_reader *r, const char **ret_string, size_t *ret_length);

/* ---- Faults: each of them fills r->fault and answers the status. --------------------------- */

int reader_fault(struct json_reader *r, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int reader_no_memory(struct json_reader *r);
int reader_too_deep(struct json_reader *r);
int reader_too_long(struct json_reader *r, size_t length, size_t most);

/* No value begins at r->at, where one has to stand; `place` is what lies around it. */
int reader_explain_value(struct json_reader *r, enum json_place place);
int reader_explain_number(struct json_reader *r);
int reader_explain_key(struct json_reader *r);
int reader_explain_colon(struct json_reader *r);
/* Neither a comma nor the end of `place` follows an element. */
int reader_explain_next(struct json_reader *r, enum json_place place);
int reader_explain_string(struct json_reader *r); /* r->at cannot stand in a string */
int reader_explain_escape(struct json_reader *r); /* nor the escape that begins there */
int reader_repeated_key(struct json_reader *r, const char *at, const char *key);

#endif
