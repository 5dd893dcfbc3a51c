/* SPDX-License-Identifier: MIT
 *
 * Regular expressions of schemas: ECMA-262 with the u flag, run by PCRE2 under a bound on work.
 */
#ifndef TOOLHOST_PATTERN_H
#define TOOLHOST_PATTERN_H

#include "base/buffer.h"

struct pattern; /* compiled; immutable */

#define PATTERN_LENGTH_MOST 4096 /* bytes */

/* Compiles a pattern. NULL: `ret_reason`, of `size` bytes, says what is wrong with it and where. */
struct pattern *pattern_compile(const char *text, size_t length, char *ret_reason, size_t size);
void pattern_free(struct pattern *pattern);
const char *pattern_text(const struct pattern *pattern); /* as the schema wrote it */

/* What all matches of one validation share: memory, and the work that is left, in steps of the
 * matcher. */
struct pattern_work {
	void *match; /* pcre2_match_data and its context, made at the first match */
	void *context;
	uint64_t left;
	/* of the match that is running: */
	uint64_t spare;	 /* steps that come with its subject */
	uint64_t weight; /* of one step */
	size_t position; /* in the subject, at the last step */
};

/* Beyond those that come with the subjects. A validation that ends here may be done twice, the second
 * time for its message, and both together have to end well within a tenth of a second. */
#define PATTERN_WORK_MOST 1000000

/* Before the first match, and behind the last. */
void pattern_work_init(struct pattern_work *work);
void pattern_work_free(struct pattern_work *work);

enum pattern_verdict { PATTERN_NO_MATCH, PATTERN_MATCH, PATTERN_LIMIT };

/* Whether the pattern matches anywhere in valid UTF-8. PATTERN_LIMIT: the work is used up, or there
 * is no memory. */
enum pattern_verdict pattern_match(const struct pattern *pattern, struct pattern_work *work,
				   const char *subject, size_t length);

struct pattern_facts {
	/* The longest run that one step may go over, beside what shows as progress. */
	uint64_t scan;
};

/* The same expression in the language of PCRE2, appended. False: `ret_reason`, of `size` bytes, says
 * what is wrong with it and where. */
bool pattern_translate(const char *text, size_t length, struct buffer *out,
		       struct pattern_facts *ret_facts, char *ret_reason, size_t size);

#endif
