/* SPDX-License-Identifier: MIT
 *
 * What is told about a failure: the one structured error of section "Errors" in toolhost(1).
 */
#ifndef TOOLHOST_ERROR_H
#define TOOLHOST_ERROR_H

#include "base/json.h"
#include "base/status.h"

struct error {
	int status;		/* 0: nothing has failed */
	int32_t retry_after_ms; /* 0: not known */
	json *details;		/* an object, or NULL; owned */
	char message[1024];	/* a sentence that says what to do; UTF-8, cut at a code point */
};

#define ERROR_INIT ((struct error){ 0 })

/* The same without touching all of the message, for places that many calls pass. */
static inline void error_init(struct error *error)
{
	error->status = STATUS_OK;
	error->retry_after_ms = 0;
	error->details = NULL;
	error->message[0] = '\0';
}

/* Sets status and message, drops older details, and answers `status`, so that a function can end in
 * `return error_set(error, STATUS_..., "...")`. `error` may be NULL. */
int error_set(struct error *error, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds one detail; takes over `value`. Nothing happens where `error` is NULL. */
void error_detail(struct error *error, const char *key, json *value);
void error_detail_text(struct error *error, const char *key, const char *text);
void error_detail_integer(struct error *error, const char *key, int64_t value);

void error_clear(struct error *error);
void error_move(struct error *to, struct error *from); /* `from` is clear afterwards */

/* {"error": {"code", "category", "message", "retryable", "retry_after_ms", "details"}}.
 * retry_after_ms is null where it is not known. Never more than 64 KiB: details that would pass
 * that are left out. */
void error_print(struct buffer *out, const struct error *error);
json *error_to_json(const struct error *error);

#endif
