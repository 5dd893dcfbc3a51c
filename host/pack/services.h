/* SPDX-License-Identifier: MIT
 *
 * The functions behind the service table, for call.c. A th_call is the first member of a struct
 * call.
 */
#ifndef TOOLHOST_SERVICES_H
#define TOOLHOST_SERVICES_H

#include "pack/call.h"

static inline struct call *call_of(th_call *public)
{
	return (struct call *)(void *)public;
}

/* ---- result.c: the result, written as the tool gives it; plugin.h says what each does ------ */

int32_t result_put_null(th_call *public, const char *key);
int32_t result_put_boolean(th_call *public, const char *key, int32_t value);
int32_t result_put_integer(th_call *public, const char *key, int64_t value);
int32_t result_put_number(th_call *public, const char *key, double value);
int32_t result_put_text(th_call *public, const char *key, const char *text, uint64_t length);
int32_t result_put_json(th_call *public, const char *key, const char *text, uint64_t length);
int32_t result_put_numbers(th_call *public, const char *key, const double *values, uint64_t count);
int32_t result_put_integers(th_call *public, const char *key, const int64_t *values,
			    uint64_t count);
int32_t result_begin_object(th_call *public, const char *key);
int32_t result_begin_list(th_call *public, const char *key);
int32_t result_end(th_call *public);

/* Readies the writer, the result being empty. */
void result_reset(struct call *call);

/* Closes the result object; an object or list that the tool left open is its fault. */
void result_close(struct call *call);

/* Keeps the first fault and answers the one that is kept. `what` is a constant phrase, `key` may be
 * NULL. */
int32_t result_misuse(struct call *call, const char *what, const char *key);

/* The fault of a buffer, kept likewise; TH_OK where it has none. */
int32_t result_written(struct call *call, const struct buffer *buffer);

/* ---- content.c: blocks beside the result -------------------------------------------------- */

int32_t content_put(th_call *public, const th_content *content);

/* ---- partial.c: blocks ahead of it -------------------------------------------------------- */

int32_t partial_give(th_call *public, const th_content *content);

/* ---- services.c: what goes beside the result, and what a tool may ask about its call ------ */

int32_t service_fail(th_call *public, const char *message, uint64_t length, const char *details);
void service_warn(th_call *public, const char *category, const char *message, uint64_t length);
void service_log(th_call *public, int32_t level, const char *message, uint64_t length);
int32_t service_progress(th_call *public, double done, double total, const char *message);
int32_t service_cancelled(th_call *public);
int64_t service_time_left(th_call *public);
void *service_allocate(th_call *public, uint64_t size, uint64_t alignment);
uint64_t service_random(th_call *public);
int32_t service_given(th_call *public, const char *name);

/* Keeps a failure that the tool tells, unless there is one already; takes over `details`. False
 * where it was not the first. */
bool call_fail(struct call *call, int status, const char *message, size_t length, json *details);

/* ---- extensions.c: further services by their id ------------------------------------------- */

const void *extension_find(th_call *public, const char *id);

/* ---- call.c ------------------------------------------------------------------------------- */

void call_bound(struct call *call); /* puts the bounds of the call into its buffers and its arena */

#endif
