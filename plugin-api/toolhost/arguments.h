/* SPDX-License-Identifier: MIT
 *
 * toolhost/arguments.h - an extension: refusing arguments that no schema can refuse, such as a lower limit above the
 * upper one, or two lists that belong together and differ in length.
 *
 *	if (in->lower > in->upper)
 *		return th_refuse(call, "lower", "lower is above upper: exchange the two.");
 *
 * The caller then sees the same error as for arguments that break the schema, input_invalid, and not that the tool has
 * failed. With a host that has no such extension the tool fails with that message.
 */
#ifndef TOOLHOST_ARGUMENTS_EXTENSION_H
#define TOOLHOST_ARGUMENTS_EXTENSION_H

#include <toolhost/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What th_extension() is asked for. */
#define TH_ARGUMENTS "toolhost.arguments/1"

/* Belongs to the host and lives until the tool returns. */
typedef struct th_arguments {
	uint32_t struct_size;
	uint32_t reserved;

	/* Fails the call because of the argument `name`, which is one of the tool's parameters. Answers TH_FAILED, for
	 * the tool to return. Any thread of the call. */
	int32_t (*refuse)(th_call *call, const char *name, const char *message, uint64_t length);
} th_arguments;

/* Refuses the call because of one argument: `return th_refuse(call, "x", "...");`. The message reaches the model, so it says what
 * to change. Cut at 1023 bytes. */
TH_INLINE_ int32_t th_refuse(th_call *call, const char *name, const char *format, ...) TH_FORMAT_(3, 4);
TH_INLINE_ int32_t th_refuse(th_call *call, const char *name, const char *format, ...)
{
	const th_arguments *extension = (const th_arguments *)th_extension(call, TH_ARGUMENTS);
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	if (extension &&
	    extension->struct_size >= offsetof(th_arguments, refuse) + sizeof(extension->refuse) &&
	    extension->refuse)
		return extension->refuse(call, name, message, strlen(message));
	return call->services->fail(call, message, strlen(message), NULL);
}

#ifdef __cplusplus
}
#endif

#endif
