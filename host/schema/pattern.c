/* SPDX-License-Identifier: MIT */
#include "schema/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps that come with a subject, so that patterns which go over it a few times never run out. */
#define SPARE_A_MATCH 64
#define SPARE_A_BYTE 2
/* Bytes that one step may go over. */
#define BYTES_A_STEP 16
#define HEAP_MOST (32 * 1024) /* KiB, for backtracking */

struct pattern {
	pcre2_code *code;
	struct pattern_facts facts;
	char *text;
};

struct pattern *pattern_compile(const char *text, size_t length, char *ret_reason, size_t size)
{
	/* Without automatic possessive quantifiers, every step that a run takes back is a step that
	 * is counted. */
	const uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |
				 PCRE2_AUTO_CALLOUT | PCRE2_NO_AUTO_POSSESS |
				 PCRE2_NEVER_BACKSLASH_C;
	struct buffer translated = BUFFER_INIT(32 * PATTERN_LENGTH_MOST);
	struct pattern *pattern = calloc(1, sizeof(*pattern));
	PCRE2_SIZE offset;
	int code;

	snprintf(ret_reason, size, "no memory");
	if (!pattern || !(pattern->text = strndup(text, length)))
		goto fail;
	if (!pattern_translate(text, length, &translated, &pattern->facts, ret_reason, size))
		goto fail;
	pattern->code = pcre2_compile((PCRE2_SPTR)(translated.length ? translated.data : ""),
				      translated.length, options, &code, &offset, NULL);
	if (!pattern->code) {
		PCRE2_UCHAR message[128];

		pcre2_get_error_message(code, message, sizeof(message));
		snprintf(ret_reason, size, "%s", (const char *)message);
		goto fail;
	}
	buffer_free(&translated);
	return pattern;
fail:
	buffer_free(&translated);
	pattern_free(pattern);
	return NULL;
}

void pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_code_free(pattern->code);
	free(pattern->text);
	free(pattern);
}

const char *pattern_text(const struct pattern *pattern)
{
	return pattern->text;
}

/* ---- Matching -------------------------------------------------------------------------- */

void pattern_work_init(struct pattern_work *work)
{
	*work = (struct pattern_work){ .left = PATTERN_WORK_MOST };
}

void pattern_work_free(struct pattern_work *work)
{
	pcre2_match_data_free(work->match);
	pcre2_match_context_free(work->context);
}

/* Called at every item of the pattern that is tried. What an item goes over forward shows in the
 * position of the next one; what it goes over in vain is bounded by pattern_facts.scan, which is in
 * the weight. */
static int count_step(pcre2_callout_block *step, void *data)
{
	struct pattern_work *work = data;
	size_t from = work->position, to = step->current_position;
	uint64_t cost = work->weight + (to > from ? to - from : from - to) / BYTES_A_STEP;

	work->position = to;
	if (cost <= work->spare) {
		work->spare -= cost;
		return 0;
	}
	if (work->left < cost)
		return PCRE2_ERROR_MATCHLIMIT;
	work->left -= cost;
	return 0;
}

static bool prepare(struct pattern_work *work)
{
	if (!work->match)
		work->match = pcre2_match_data_create(1, NULL);
	if (!work->context && (work->context = pcre2_match_context_create(NULL))) {
		pcre2_set_callout(work->context, count_step, work);
		pcre2_set_heap_limit(work->context, HEAP_MOST);
	}
	return work->match && work->context;
}

enum pattern_verdict pattern_match(const struct pattern *pattern, struct pattern_work *work,
				   const char *subject, size_t length)
{
	uint64_t scan = pattern->facts.scan < length ? pattern->facts.scan : length;
	int code;

	if (!prepare(work))
		return PATTERN_LIMIT;
	work->spare = SPARE_A_MATCH + SPARE_A_BYTE * length;
	work->weight = 1 + scan / BYTES_A_STEP;
	work->position = 0;
	code = pcre2_match(pattern->code, (PCRE2_SPTR)subject, length, 0, PCRE2_NO_UTF_CHECK,
			   work->match, work->context);
	if (code >= 0)
		return PATTERN_MATCH;
	return code == PCRE2_ERROR_NOMATCH ? PATTERN_NO_MATCH : PATTERN_LIMIT;
}
