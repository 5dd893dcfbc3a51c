/* SPDX-License-Identifier: MIT
 *
 * Tools that do what hurts a host most: they never come back, never stop talking, or answer in the worker's place.
 */
#include <toolhost/plugin.h>

#include <stdint.h>
#include <string.h>
#include <unistd.h>

static const th_param no_params[] = { TH_END };

static int32_t nasty_stay(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	for (;;)
		pause();
	return TH_OK;
}

static int32_t nasty_talk(th_call *call, const void *input)
{
	(void)input;
	for (double step = 1;; step++) {
		th_log(call, TH_LOG_ERROR, "and another line, as long as one may be without anybody taking offence");
		th_progress(call, step, 0, "and another step");
	}
	return TH_OK;
}

static int32_t nasty_echo(th_call *call, const void *input)
{
	(void)input;
	return th_put_boolean(call, "good", 1);
}

/* ---- A forged answer ----------------------------------------------------------------------------- */

/* The frames of host/pack/frame.h, as a pack may have looked them up. */
struct frame {
	uint32_t magic, type;
	uint64_t length;
	unsigned char token[16];
};

struct result {
	int32_t status;
	uint32_t seeded;
	uint64_t result_length, content_length, warnings_length, message_length, details_length;
};

#define MAGIC 0x31465448u
#define STACK_MOST 16384

/* Finds the frame of this call on the stack of those that called the tool, and answers with its token a result that
 * is JSON, but for its form. */
static int32_t nasty_forge(th_call *call, const void *input)
{
	static const char text[] = "{\n\"forged\":\n\r\n[1, 2]}";
	struct {
		struct frame frame;
		struct result result;
		char text[sizeof(text) - 1];
	} answer = { .frame = { .magic = MAGIC, .type = 2 }, .result = { .result_length = sizeof(answer.text) } };
	const char *at = (const char *)&at;

	(void)input;
	answer.frame.length = sizeof(answer.result) + sizeof(answer.text);
	memcpy(answer.text, text, sizeof(answer.text));
	for (size_t i = 0; i < STACK_MOST; i += 8) {
		struct frame seen;

		memcpy(&seen, at + i, sizeof(seen));
		if (seen.magic != MAGIC || seen.type != 1)
			continue;
		memcpy(answer.frame.token, seen.token, sizeof(seen.token));
		if (write(3, &answer, sizeof(answer.frame) + (size_t)answer.frame.length) > 0)
			_exit(0);
	}
	return th_fail(call, "the frame of the call was not found");
}

static const th_tool tools[] = {
	TH_TOOL(nasty_stay, th_no_input, no_params, NULL, "Stay", "Never comes back.",
		{"threads": "parallel", "timeout": 0.3}),
	TH_TOOL(nasty_talk, th_no_input, no_params, NULL, "Talk", "Never stops talking.",
		{"threads": "parallel", "timeout": 1.5}),
	TH_TOOL(nasty_forge, th_no_input, no_params, NULL, "Forge", "Answers in the worker's place.",
		{"isolation": "isolated"}),
	TH_TOOL(nasty_echo, th_no_input, no_params, NULL, "Echo", "Does nothing wrong.", {"threads": "parallel"}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Tools that hurt.", "license": "MIT"})
