/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "recipes/canonical.h"

#include "base/text.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdlib.h>
#include <string.h>

struct canonical {
	pcre2_code *all;  /* the whole text */
	pcre2_code *word; /* a run of letters, digits and underscores of any script */
};

static pcre2_code *compile(const char *pattern)
{
	size_t offset;
	int code;

	return pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			     PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_NO_UTF_CHECK, &code,
			     &offset, NULL);
}

int canonical_new(struct canonical **ret_canonical, struct error *error)
{
	struct canonical *canonical = calloc(1, sizeof(*canonical));

	*ret_canonical = NULL;
	if (canonical) {
		canonical->all = compile(".+");
		canonical->word = compile("[\\p{L}\\p{N}_]+");
	}
	if (!canonical || !canonical->all || !canonical->word) {
		canonical_free(canonical);
		return error_set(error, STATUS_INTERNAL, "no memory for the recipe catalogue");
	}
	*ret_canonical = canonical;
	return STATUS_OK;
}

void canonical_free(struct canonical *canonical)
{
	if (!canonical)
		return;
	pcre2_code_free(canonical->all);
	pcre2_code_free(canonical->word);
	free(canonical);
}

/* Lower case by Unicode's own tables, which the C library has only under a locale. A letter may
 * need more bytes in lower case, at most half as many again. */
static int lower(const struct canonical *canonical, const char *text, size_t length,
		 char **ret_lower, size_t *ret_length)
{
	PCRE2_SIZE size = 2 * length + 16;
	char *out = malloc(size);
	int r = PCRE2_ERROR_NOMEMORY;

	if (out)
		r = pcre2_substitute(canonical->all, (PCRE2_SPTR)text, length, 0,
				     PCRE2_SUBSTITUTE_EXTENDED | PCRE2_NO_UTF_CHECK, NULL, NULL,
				     (PCRE2_SPTR) "\\L$0", PCRE2_ZERO_TERMINATED,
				     (PCRE2_UCHAR *)out, &size);
	if (r < 0) {
		free(out);
		return r;
	}
	*ret_lower = out;
	*ret_length = size;
	return 0;
}

/* What lower case leaves apart though it is one letter: the Greek final sigma, which capitals do
 * not have, and the dotted capital I of Turkish. In place; answers the new length. */
static size_t fold(char *text, size_t length)
{
	static const char final_sigma[] = "\xCF\x82", sigma[] = "\xCF\x83";
	static const char dotted_i[] = "\xC4\xB0";
	size_t to = 0;

	for (size_t at = 0; at < length;) {
		if (at + 1 < length && !memcmp(text + at, dotted_i, 2)) {
			text[to++] = 'i';
			at += 2;
		} else if (at + 1 < length && !memcmp(text + at, final_sigma, 2)) {
			memcpy(text + to, sigma, 2);
			to += 2;
			at += 2;
		} else {
			text[to++] = text[at++];
		}
	}
	return to;
}

static int print_words(const struct canonical *canonical, const char *text, size_t length,
		       struct buffer *out)
{
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(canonical->word, NULL);
	const PCRE2_SIZE *ends = match ? pcre2_get_ovector_pointer(match) : NULL;
	size_t at = 0;
	bool first = true;
	int r = match ? 0 : PCRE2_ERROR_NOMEMORY;

	while (match && at < length) {
		r = pcre2_match(canonical->word, (PCRE2_SPTR)text, length, at, PCRE2_NO_UTF_CHECK,
				match, NULL);
		if (r < 0)
			break;
		buffer_text(out, first ? "" : " ");
		buffer_append(out, text + ends[0], ends[1] - ends[0]);
		at = ends[1];
		first = false;
	}
	pcre2_match_data_free(match);
	return r == PCRE2_ERROR_NOMATCH || r > 0 ? 0 : r;
}

/* A copy with blanks for the bytes that are not UTF-8, which the matcher cannot bear; NULL: no
 * memory. */
static char *with_blanks(const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	for (size_t at = 0; copy && at < length;) {
		int bytes = text_sequence(text + at, length - at);
		size_t size = (size_t)(bytes < 0 ? -bytes : bytes);

		if (bytes < 0)
			memset(copy + at, ' ', size);
		else
			memcpy(copy + at, text + at, size);
		at += size;
	}
	return copy;
}

int canonical_print(const struct canonical *canonical, const char *text, size_t length,
		    struct buffer *out, struct error *error)
{
	char *mended = NULL, *lowered = NULL;
	size_t lowered_length = 0;
	int r = 0;

	if (!text_is_utf8(text, length)) {
		text = mended = with_blanks(text, length);
		r = mended ? 0 : PCRE2_ERROR_NOMEMORY;
	}
	if (!r && length)
		r = lower(canonical, text, length, &lowered, &lowered_length);
	if (!r && lowered)
		r = print_words(canonical, lowered, fold(lowered, lowered_length), out);
	free(lowered);
	free(mended);
	if (!r && out->fault == BUFFER_GOOD)
		return STATUS_OK;
	return error_set(error, STATUS_INTERNAL,
			 "a text cannot be compared with the recipes' cues: %s",
			 r == PCRE2_ERROR_NOMEMORY || !r ? "no memory" : "the matcher failed");
}
