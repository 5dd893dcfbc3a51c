/* SPDX-License-Identifier: MIT
 *
 * The floor of a server on the standard streams: reads a line, writes a canned one, and does
 * nothing else. It is no MCP server, but answers load.c, whose requests it knows by their first
 * bytes.
 */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
static const char initialize[] =
	",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
	"\"serverInfo\":{\"name\":\"floor\",\"version\":\"0\"}}}\n";
static const char list[] = ",\"result\":{\"tools\":[]}}\n";
static const char call[] =
	",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"hello median\"}]}}\n";

static const char *body_of(const char *method, size_t left, size_t *ret_length)
{
	static const char initialize_is[] = "\"method\":\"initialize\"",
			  list_is[] = "\"method\":\"tools/list\"";

	if (left >= sizeof(initialize_is) &&
	    !memcmp(method, initialize_is, sizeof(initialize_is) - 1)) {
		*ret_length = sizeof(initialize) - 1;
		return initialize;
	}
	if (left >= sizeof(list_is) && !memcmp(method, list_is, sizeof(list_is) - 1)) {
		*ret_length = sizeof(list) - 1;
		return list;
	}
	*ret_length = sizeof(call) - 1;
	return call;
}

static bool answer(const char *line, size_t length)
{
	char out[512];
	const char *comma, *body;
	size_t kept, body_length;

	if (length < sizeof(head) || memcmp(line, head, sizeof(head) - 1))
		return true; /* a notification */
	comma = memchr(line + sizeof(head) - 1, ',', length - sizeof(head) + 1);
	if (!comma)
		return false;
	kept = (size_t)(comma - line);
	if (kept > 64)
		return false;
	body = body_of(comma + 1, length - kept - 1, &body_length);
	memcpy(out, line, kept);
	memcpy(out + kept, body, body_length);
	return write(STDOUT_FILENO, out, kept + body_length) == (ssize_t)(kept + body_length);
}

int main(void)
{
	size_t size = 1 << 21, end = 0, scanned = 0;
	char *input = malloc(size);

	while (input) {
		ssize_t n = read(STDIN_FILENO, input + end, size - end);
		size_t start = 0;
		char *newline;

		if (n <= 0)
			break;
		end += (size_t)n;
		while ((newline = memchr(input + scanned, '\n', end - scanned))) {
			if (!answer(input + start, (size_t)(newline - input) - start))
				return EXIT_FAILURE;
			start = scanned = (size_t)(newline - input) + 1;
		}
		memmove(input, input + start, end - start);
		end -= start;
		scanned = end;
		if (end == size)
			return EXIT_FAILURE;
	}
	free(input);
	return EXIT_SUCCESS;
}
