/* SPDX-License-Identifier: MIT
 *
 * The log: one line an event on stderr, never on stdout.
 *
 * "toolhost: warning: text". A line that the reader of stderr does not take is dropped and counted,
 * so that logging never blocks. Safe from any thread. Control characters are escaped, lines end at
 * 2,000 bytes.
 */
#ifndef TOOLHOST_LOG_H
#define TOOLHOST_LOG_H

#include <stddef.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

void log_set_level(enum log_level level);
enum log_level log_get_level(void);
void log_set_name(const char *program); /* constant; the first word of each line */

/* A copy of each line for somebody else as well (MCP logging). One receiver; NULL ends it. It is
 * called on the logging thread and must not log. */
typedef void (*log_receiver)(void *context, enum log_level level, const char *text, size_t length);
void log_set_receiver(log_receiver receiver, void *context);

void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...) log_write(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_write(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...) log_write(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_write(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* Text of a pack, in its name: at most 64 KiB a second for each pack, then one line that says how
 * much was left out. */
void log_pack(enum log_level level, const char *pack, const char *text, size_t length);

#endif
