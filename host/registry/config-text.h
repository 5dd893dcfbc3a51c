/* SPDX-License-Identifier: MIT
 *
 * The text of a config file: the faults that libconfuse passes over, the places of its sections,
 * and the change of one value that leaves all the rest as it is.
 */
#ifndef TOOLHOST_CONFIG_TEXT_H
#define TOOLHOST_CONFIG_TEXT_H

#include "base/buffer.h"

/* The bytes of the byte order mark that the text, which ends in a NUL, begins with: 3 or 0. The
 * functions below want the text behind it. */
size_t config_text_mark(const char *text);

/* NULL where the text is fit for libconfuse, else a phrase that says what is wrong, and on which
 * line. libconfuse itself drops a star or a control character outside of quotes without a word,
 * takes the end of the file for the end of a section, and blames it for a quote or a comment that
 * is not closed. */
const char *config_text_fault(const char *text, size_t length, int *ret_line);

/* Puts blanks in the place of comments, so that all else stays where it is: libconfuse takes none
 * within a list. Only of a text that has no fault. */
void config_text_blank_comments(char *text, size_t length);

/* The line on which a section (pack "univariate") begins, or 0. */
int config_text_line(const char *text, size_t length, const char *kind, const char *title);

/* Appends the text with the `enabled` of a section set; a section that is not there is added at the
 * end. */
void config_text_enable(struct buffer *out, const char *text, size_t length, const char *kind,
			const char *title, bool enabled);

#endif
