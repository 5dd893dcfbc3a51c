/* SPDX-License-Identifier: MIT
 *
 * Elements whose body is JSON: where they end, be the JSON sound or not. Private to parse.
 */
#ifndef TOOLHOST_PARSE_ELEMENT_H
#define TOOLHOST_PARSE_ELEMENT_H

#include "parse/formats.h"

/* Whether the body begins with an object or a list. */
bool element_opens_json(const struct source *source, size_t body);

struct element_finders {
	struct finder *start, *end; /* of the element's own tags */
};

/* Where the end tag of the element begins whose body is at `body`; NOT_FOUND where there is none
 * before the next start tag. Tags within the strings of its JSON are passed over. *ret_sound is how
 * far that JSON is sound, or the end of the text where it is so up to there: where to read on if the
 * element has no end tag. */
size_t element_end(const struct source *source, struct element_finders finders, const char *name,
		   size_t body, size_t *ret_sound);

/* Behind the tag that begins at `at`. */
size_t element_after(const struct source *source, size_t at);

/* An end tag whose element has not been seen to begin. */
enum reading element_stray_end(const struct source *source, const struct tag *tag, size_t *at);

#endif
