/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *words_format(struct arena *arena, const char *format, ...)
{
	va_list arguments, again;
	char *text;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	text = arena_allocate_raw(arena, (size_t)length + 1, 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	return text ? text : "there is no memory left to say why";
}

const char *const *words_split(struct arena *arena, const char *list)
{
	static const char blanks[] = " \t", ends[] = ", \t";
	size_t count = 0, most = 1;
	const char **words;

	for (const char *c = list; *c; c++)
		most += *c == ',';
	words = arena_array(arena, most + 1, sizeof(*words));
	while (words) {
		const char *end;
		size_t length;

		list += strspn(list, ends);
		if (!*list)
			break;
		end = list + strcspn(list, ",");
		length = (size_t)(end - list);
		while (strchr(blanks, list[length - 1]))
			length--;
		words[count] = arena_copy(arena, list, length);
		if (!words[count++])
			return NULL;
		list = end;
	}
	return words;
}
