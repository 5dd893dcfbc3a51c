/* SPDX-License-Identifier: MIT
 *
 * Has a destructor and an atexit handler, each of which says so on stderr: at most once in a process.
 */
#include "zoo.h"

#include <stdlib.h>
#include <unistd.h>

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static void say_at_exit(void)
{
	say("last-words: atexit handler\n");
}

__attribute__((destructor)) static void say_when_unloaded(void)
{
	say("last-words: destructor\n");
}

static int32_t last_words(th_call *call, const void *input)
{
	(void)input;
	atexit(say_at_exit);
	return th_put_boolean(call, "well", 1);
}

ZOO_PACK(last_words)
