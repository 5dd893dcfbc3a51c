/* SPDX-License-Identifier: MIT
 *
 * What comes of a call.
 */
#include "config.h"

#include "execute/execute.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void outcome_init(struct outcome *outcome)
{
	memset(outcome, 0, offsetof(struct outcome, error));
	error_init(&outcome->error);
}

static void free_texts(struct outcome *outcome)
{
	if (outcome->borrowed)
		return;
	free(outcome->result);
	free(outcome->content);
	free(outcome->warnings);
}

void outcome_free(struct outcome *outcome)
{
	error_clear(&outcome->error);
	free_texts(outcome);
	free(outcome->partials);
	json_drop(outcome->repaired);
	outcome_init(outcome);
}

static char *copy_text(const char *text, size_t length)
{
	char *copy = text ? malloc(length + 1) : NULL;

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void outcome_copy(struct outcome *to, const struct outcome *from)
{
	*to = *from;
	to->borrowed = false;
	to->result = copy_text(from->result, from->result_length);
	to->content = copy_text(from->content, from->content_length);
	to->warnings = copy_text(from->warnings, from->warnings_length);
	to->partials = copy_text(from->partials, from->partials_length);
	to->repaired = json_hold(from->repaired);
	to->error.details = json_hold(from->error.details);
	if ((from->result && !to->result) || (from->content && !to->content))
		error_set(&to->error, STATUS_INTERNAL, "out of memory for the result");
}
