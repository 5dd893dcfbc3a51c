/* SPDX-License-Identifier: MIT
 *
 * What is no call because it is not said. Private to parse.
 */
#ifndef TOOLHOST_PARSE_QUOTATION_H
#define TOOLHOST_PARSE_QUOTATION_H

#include "parse/formats.h"

enum { INLINE_CODE_MAX = 32 }; /* backticks of one run; longer ones open nothing */

struct inline_code {
	size_t paragraph_end; /* up to where `last` holds */
	size_t last[INLINE_CODE_MAX + 1];
};

struct quotation_finders {
	struct finder start, end;
	bool unpaired;
};

struct quotations {
	struct finder angle, comment, outputs, output, thoughts[2];
	struct quotation_finders results[3];
};

/* Each moves *at behind what is quoted there. READ_NONE: nothing is.
 * READ_UNSAID: a thought ends that did not begin, so all before it was one. */
enum reading quotation_element(const struct source *source, struct quotations *quotations,
			       const struct tag *tag, size_t *at);
enum reading quotation_token(const struct source *source, struct quotations *quotations,
			     size_t *at);

/* At a backtick. *at is moved behind the run where that opens nothing. */
enum reading quotation_code(const struct source *source, struct inline_code *code, size_t *at);

#endif
