/* SPDX-License-Identifier: MIT
 *
 * What a person reads: results on standard output, faults and notes on standard error.
 */
#include <config.h>

#include "command/command.h"

#include "base/json.h"
#include "base/text.h"
#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	NOTE_MAX = 2048,
	FAULT_MAX = 64 * 1024, /* bytes of one fault with its list of problems */
	LINE_COLUMNS = 79,
};

int command_print(const struct program *program, struct buffer *out, int status)
{
	int r;

	if (out->fault != BUFFER_GOOD) {
		command_note("internal: no memory for the output");
		status = EXIT_VERDICT;
	} else {
		r = write_all(program->output, out->data, out->length);
		/* A reader that has seen enough, as in `toolhost list | head`, needs no message. */
		if (r < 0 && errno != EPIPE)
			command_note("internal: standard output cannot be written: %s",
				     strerror(errno));
		if (r < 0)
			status = EXIT_VERDICT;
	}
	buffer_free(out);
	return status;
}

int command_claim_output(struct program *program, struct error *error)
{
	int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (own < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return error_set(error, STATUS_INTERNAL,
				 "standard output cannot be kept for the result: %s",
				 strerror(errno));
	program->output = own;
	return STATUS_OK;
}

/* The bytes of a control character at the head of `text`: of C0, DEL, or C1 in UTF-8. 0: it is
 * none. */
static size_t control_length(const unsigned char *text, size_t length)
{
	if (text[0] < 0x20 || text[0] == 0x7f)
		return 1;
	return length > 1 && text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

void command_plain(struct buffer *out, const char *text, size_t length, unsigned indent)
{
	const unsigned char *at = (const unsigned char *)text;

	for (size_t i = 0; i < length;) {
		size_t control = control_length(at + i, length - i);

		if (at[i] == '\n')
			buffer_format(out, "\n%*s", (int)indent, "");
		else if (at[i] == '\t')
			buffer_byte(out, '\t');
		else if (control)
			buffer_format(out, "\\x%02x", at[i + control - 1]);
		else
			buffer_byte(out, (char)at[i]);
		i += control ? control : 1;
	}
}

void command_one_line(struct buffer *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t length = strlen(text);
	bool is_text = text_is_utf8(text, length);

	for (size_t i = 0; i < length;) {
		size_t control = is_text ? control_length(at + i, length - i) : at[i] < 0x20;

		if (control || at[i] == 0x7f || (!is_text && at[i] >= 0x80))
			buffer_format(out, "\\x%02x", at[i + (control ? control - 1 : 0)]);
		else
			buffer_byte(out, (char)at[i]);
		i += control ? control : 1;
	}
}

/* Columns are counted in code points, which is right for all but wide and combining characters. */
static size_t columns_of(const char *text, size_t length)
{
	size_t columns = 0;

	for (size_t i = 0; i < length; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

void command_wrapped(struct buffer *out, const char *text, unsigned indent)
{
	command_wrapped_from(out, text, indent, indent);
}

void command_wrapped_from(struct buffer *out, const char *text, size_t column, unsigned indent)
{
	bool first = true;

	while (*text) {
		size_t blanks = strspn(text, " \n");
		size_t length = strcspn(text + blanks, " \n");
		size_t columns = columns_of(text + blanks, length);
		bool paragraph = memchr(text, '\n', blanks) != NULL && !first;

		if (!length)
			break;
		if (!first && (paragraph || column + 1 + columns > LINE_COLUMNS)) {
			buffer_format(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			buffer_byte(out, ' ');
			column++;
		}
		command_plain(out, text + blanks, length, 0);
		column += columns;
		text += blanks + length;
		first = false;
	}
}

void command_note(const char *format, ...)
{
	struct buffer line = BUFFER_INIT(2 * NOTE_MAX);
	char text[NOTE_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	buffer_text(&line, "toolhost: ");
	command_plain(&line, text, strlen(text), 2);
	buffer_byte(&line, '\n');
	if (line.fault == BUFFER_GOOD)
		(void)write_all(STDERR_FILENO, line.data, line.length);
	buffer_free(&line);
}

/* A text of an object, with what stands around it; nothing where there is none. */
static void print_detail(struct buffer *out, const json *object, const char *key,
			 const char *before, const char *after)
{
	size_t length;
	const char *text = json_text(json_get(object, key), &length);

	if (!length)
		return;
	buffer_text(out, before);
	command_plain(out, text, length, 4);
	buffer_text(out, after);
}

/* The problems of arguments that were refused, one a line. */
static void print_problems(struct buffer *out, const json *details)
{
	const json *problems = json_get(details, "errors");
	const json *more = json_get(details, "more");

	buffer_text(out, "the arguments of ");
	print_detail(out, details, "tool_name", "", " do not fit:\n");
	for (size_t i = 0; i < json_count(problems); i++) {
		const json *problem = json_peek(problems, i);

		buffer_text(out, "  ");
		print_detail(out, problem, "path", "", ": ");
		print_detail(out, problem, "expected", "expected ", ", ");
		print_detail(out, problem, "found", "found ", "");
		print_detail(out, problem, "hint", " (", ")");
		buffer_byte(out, '\n');
	}
	if (json_kind(more) == JSON_INTEGER && json_integer(more) > 0)
		buffer_format(out, "  and %lld more\n", (long long)json_integer(more));
}

static void print_fault(struct buffer *out, const struct error *error)
{
	buffer_format(out, "toolhost: %s: ", status_code(error->status));
	if (json_count(json_get(error->details, "errors")) > 1) {
		print_problems(out, error->details);
	} else {
		command_plain(out, error->message, strlen(error->message), 2);
		buffer_byte(out, '\n');
	}
	print_detail(out, error->details, "grant", "  the config line that allows it: ", "\n");
	if (error->retry_after_ms > 0)
		buffer_format(out, "  try again in %d ms\n", (int)error->retry_after_ms);
}

int command_fail(const struct program *program, const struct error *error)
{
	struct buffer out = BUFFER_INIT(FAULT_MAX + NOTE_MAX);
	int status = status_exit(error->status);

	if (program->json) {
		error_print(&out, error);
		buffer_byte(&out, '\n');
		return command_print(program, &out, status);
	}
	print_fault(&out, error);
	if (out.fault == BUFFER_GOOD)
		(void)write_all(STDERR_FILENO, out.data, out.length);
	else
		command_note("%s: %s", status_code(error->status), error->message);
	buffer_free(&out);
	return status;
}
