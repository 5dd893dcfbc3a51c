/* SPDX-License-Identifier: MIT
 *
 * Tools that do what hurts a host most: they never come back, never stop talking, or answer in the worker's place.
 */
#include <toolhost/plugin.h>

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
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

/* ---- Forged parts of an answer ------------------------------------------------------------------- */

struct forge_in {
	int32_t what;
	int32_t then_exit;
};

static const th_param forge_params[] = {
	TH_CHOICE(struct forge_in, what, "What to send in the worker's place.",
		  ["good", "more", "empty", "garbage", "kind", "long", "many", "large", "half", "endless", "text"]),
	TH_BOOLEAN_OR(struct forge_in, then_exit, 0, "Whether to end the process behind it.", {}),
	TH_END
};

enum { GOOD, MORE, EMPTY, GARBAGE, KIND, LONG, MANY, LARGE, HALF, ENDLESS, TEXT };

struct part {
	struct frame frame;
	uint32_t kind, binary;
	uint64_t lengths[4];
};

/* A frame that the worker has made, with the token of this call, caught on its way. */
static int catch_part(th_call *call, struct part *ret_part)
{
	const th_text text = TH_TEXT("caught"), none = TH_NO_TEXT;
	const th_content content = { sizeof(content), TH_CONTENT_TEXT, 0, 0, text, none, none, none };
	int ends[2], channel = dup(3);
	ssize_t got;

	if (channel < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || dup2(ends[0], 3) < 0)
		return -1;
	th_partial(call, &content);
	got = recv(ends[1], ret_part, sizeof(*ret_part), MSG_DONTWAIT);
	dup2(channel, 3);
	close(channel);
	close(ends[0]);
	close(ends[1]);
	return got == (ssize_t)sizeof(*ret_part) ? 0 : -1;
}

static void send_part(const struct part *part, const char *text, size_t length)
{
	struct iovec parts[2] = { { (void *)(uintptr_t)part, sizeof(*part) }, { (void *)(uintptr_t)text, length } };
	size_t left = sizeof(*part) + length;

	while (left) {
		ssize_t n = writev(3, parts, 2);

		if (n < 0)
			return;
		left -= (size_t)n;
		for (int i = 0; i < 2; i++) {
			size_t cut = (size_t)n < parts[i].iov_len ? (size_t)n : parts[i].iov_len;

			parts[i].iov_base = (char *)parts[i].iov_base + cut;
			parts[i].iov_len -= cut;
			n -= (ssize_t)cut;
		}
	}
}

static int32_t nasty_forge_part(th_call *call, const void *input)
{
	const struct forge_in *in = (const struct forge_in *)input;
	static char text[1 << 20];
	struct part part;
	size_t length = 5, times = 1;

	if (catch_part(call, &part))
		return th_fail(call, "the frame was not caught");
	memset(text, 'x', sizeof(text));
	switch (in->what) {
	case MORE:
		part.kind = 0;
		times = 1000;
		break;
	case EMPTY:
		part.frame.length = 0;
		if (write(3, &part, sizeof(part.frame)) < 0)
			return TH_FAILED;
		times = 0;
		break;
	case GARBAGE:
		memset(&part.kind, 0xa5, sizeof(part) - sizeof(part.frame));
		break;
	case KIND:
		part.kind = 99;
		break;
	case LONG:
		part.lengths[0] = UINT64_MAX - 1;
		break;
	case MANY:
		times = 20000;
		break;
	case LARGE:
		length = sizeof(text);
		times = 64;
		break;
	case HALF:
		part.frame.length = 1000000;
		break;
	case ENDLESS:
		part.frame.length = UINT64_MAX - 1;
		break;
	case TEXT:
		memcpy(text, "\n\"\xff\0}", length);
		break;
	}
	if (in->what != LONG && in->what != GARBAGE)
		part.lengths[0] = length;
	if (in->what != HALF && in->what != ENDLESS)
		part.frame.length = sizeof(part) - sizeof(part.frame) + length;
	for (size_t i = 0; i < times; i++)
		send_part(&part, text, length);
	if (in->then_exit)
		_exit(0);
	return th_put_boolean(call, "forged", 1);
}

static const th_tool tools[] = {
	TH_TOOL(nasty_stay, th_no_input, no_params, NULL, "Stay", "Never comes back.",
		{"threads": "parallel", "timeout": 0.3}),
	TH_TOOL(nasty_talk, th_no_input, no_params, NULL, "Talk", "Never stops talking.",
		{"threads": "parallel", "timeout": 1.5}),
	TH_TOOL(nasty_forge, th_no_input, no_params, NULL, "Forge", "Answers in the worker's place.",
		{"isolation": "isolated"}),
	TH_TOOL(nasty_forge_part, struct forge_in, forge_params, NULL, "Forge part", "Gives parts in the worker's place.",
		{"isolation": "isolated", "threads": "parallel"}),
	TH_TOOL(nasty_echo, th_no_input, no_params, NULL, "Echo", "Does nothing wrong.", {"threads": "parallel"}),
};

TH_PACK(tools, {"version": "1.0.0", "summary": "Tools that hurt.", "license": "MIT"})
