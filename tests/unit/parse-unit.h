/* SPDX-License-Identifier: MIT
 *
 * What is read out of a text, on one line: "a{"x":1} #id ns::b{} !c:truncated@12".
 */
#ifndef TOOLHOST_PARSE_UNIT_H
#define TOOLHOST_PARSE_UNIT_H

#include "parse/parse.h"

#include "unit.h"

static inline void parse_unit_entry(struct buffer *out, const struct parse_entry *entry)
{
	if (out->length)
		buffer_byte(out, ' ');
	if (entry->reason != PARSE_CALL)
		buffer_byte(out, '!');
	if (entry->namespace)
		buffer_format(out, "%s::", json_text(entry->namespace, NULL));
	buffer_text(out, entry->tool ? json_text(entry->tool, NULL) : "?");
	if (entry->reason == PARSE_CALL)
		json_print(out, entry->arguments);
	else
		buffer_format(out, ":%s", parse_reason_name(entry->reason));
	if (entry->id && entry->reason == PARSE_CALL)
		buffer_format(out, " #%s", json_text(entry->id, NULL));
}

static inline int parse_unit_read(const char *text, size_t length, bool no_fences,
				  struct buffer *out)
{
	/* Exactly this size, so that a sanitizer sees a read behind it. */
	char *copy = malloc(length ? length : 1);
	struct parse_options options = { .no_fences = no_fences };
	struct parse_list list;
	int status;

	memcpy(copy, text, length);
	buffer_init(out, SIZE_MAX);
	status = parse_output(copy, length, &options, &list, NULL);
	for (size_t i = 0; i < list.count; i++)
		parse_unit_entry(out, &list.entries[i]);
	buffer_byte(out, '\0');
	parse_list_free(&list);
	free(copy);
	return status;
}

struct reading {
	const char *text, *expected;
};

static inline void parse_unit_check(const struct reading *readings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct buffer out;

		CU_ASSERT_EQUAL(
			parse_unit_read(readings[i].text, strlen(readings[i].text), false, &out),
			STATUS_OK);
		if (strcmp(out.data, readings[i].expected) != 0)
			fprintf(stderr, "in: %s\n", readings[i].text);
		UNIT_TEXT(out.data, readings[i].expected);
		buffer_free(&out);
	}
}

#define PARSE_CHECK(readings) parse_unit_check(readings, sizeof(readings) / sizeof((readings)[0]))

#endif
