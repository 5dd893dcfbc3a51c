/* SPDX-License-Identifier: MIT
 *
 * Looking at a piece of text: blanks, lines, tags, and searches that remember what they found.
 */
#include "parse/deepseek.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

bool byte_is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

bool byte_is_name(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '_' || byte == '.' || byte == '-';
}

size_t source_skip_space(const struct source *source, size_t at)
{
	while (at < source->length && byte_is_space(source->text[at]))
		at++;
	return at;
}

size_t source_line_end(const struct source *source, size_t at)
{
	const char *end = memchr(source->text + at, '\n', source->length - at);

	return end ? (size_t)(end - source->text) : source->length;
}

bool source_blank(const struct source *source, size_t from, size_t to)
{
	while (from < to && byte_is_space(source->text[from]))
		from++;
	return from >= to;
}

bool source_has(const struct source *source, size_t at, const char *token)
{
	size_t length = strlen(token);

	return source->length - at >= length && !memcmp(source->text + at, token, length);
}

bool source_has_folded(const struct source *source, size_t at, const char *token)
{
	size_t length = strlen(token);

	return source->length - at >= length && text_same_folded(source->text + at, token, length);
}

static size_t search(const struct source *source, const char *needle, size_t from)
{
	while (from < source->length) {
		const char *p = memchr(source->text + from, needle[0], source->length - from);

		if (!p)
			break;
		from = (size_t)(p - source->text);
		if (source_has_folded(source, from, needle))
			return from;
		from++;
	}
	return NOT_FOUND;
}

static bool is_remembered(const struct finder *finder, size_t from)
{
	return finder->valid && from >= finder->from &&
	       (finder->at == NOT_FOUND || from <= finder->at);
}

size_t source_find(const struct source *source, struct finder *finder, const char *needle,
		   size_t from)
{
	if (!is_remembered(finder, from))
		*finder = (struct finder){ from, search(source, needle, from), true };
	return finder->at;
}

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

bool source_tag(const struct source *source, size_t at, struct tag *ret_tag)
{
	size_t limit = source->length - at < TAG_NAME_MAX ? source->length : at + TAG_NAME_MAX;
	size_t p = at + 1;

	*ret_tag = (struct tag){ 0 };
	if (p < limit && source->text[p] == '/') {
		ret_tag->end = true;
		p++;
	}
	ret_tag->name = p;
	if (p == limit || !is_letter(source->text[p]))
		return false;
	for (; p < limit && (byte_is_name(source->text[p]) || source->text[p] == ':'); p++) {
		if (source->text[p] == ':') {
			ret_tag->name = p + 1;
			ret_tag->prefixed = true;
		}
	}
	ret_tag->name_length = p - ret_tag->name;
	ret_tag->after = p;
	return ret_tag->name_length > 0;
}

bool tag_is(const struct source *source, const struct tag *tag, const char *name)
{
	size_t length = strlen(name);

	return tag->name_length == length &&
	       text_same_folded(source->text + tag->name, name, length);
}

bool tag_ends_there(const struct source *source, const struct tag *tag)
{
	return tag->after == source->length || source->text[tag->after] == '>' ||
	       source->text[tag->after] == '/' || source->text[tag->after] == '=' ||
	       byte_is_space(source->text[tag->after]);
}

static size_t search_tag(const struct source *source, const char *name, bool end, size_t from)
{
	struct tag tag;

	while (from < source->length) {
		const char *p = memchr(source->text + from, '<', source->length - from);

		if (!p)
			break;
		from = (size_t)(p - source->text);
		if (source_tag(source, from, &tag) && tag.end == end &&
		    tag_is(source, &tag, name) && tag_ends_there(source, &tag))
			return from;
		from++;
	}
	return NOT_FOUND;
}

size_t source_find_tag(const struct source *source, struct finder *finder, const char *name,
		       bool end, size_t from)
{
	if (!is_remembered(finder, from))
		*finder = (struct finder){ from, search_tag(source, name, end, from), true };
	return finder->at;
}

json *source_text(const struct source *source, size_t from, size_t to)
{
	if (!text_is_utf8(source->text + from, to - from))
		return NULL;
	return json_new_text_n(source->text + from, to - from);
}

void tag_name(const struct source *source, const struct tag *tag, char ret_name[TAG_NAME_MAX])
{
	size_t length = tag->name_length < TAG_NAME_MAX ? tag->name_length : TAG_NAME_MAX - 1;

	memcpy(ret_name, source->text + tag->name, length);
	ret_name[length] = '\0';
}

static const char *const tokens[] = {
	"</s>",
	"<|eot_id|>",
	"<|eom_id|>",
	"<|im_end|>",
	"<|end|>",
	"<|endoftext|>",
	"<|end_of_text|>",
	"<|python_end|>",
	"<eos>",
	"<end_of_turn>",
	DEEPSEEK_TOKEN("end" DEEPSEEK_BLANK "of" DEEPSEEK_BLANK "sentence"),
	/* those around calls */
	DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "calls" DEEPSEEK_BLANK "begin"),
	DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "calls" DEEPSEEK_BLANK "end"),
	DEEPSEEK_CALL_END,
};

enum { TOKEN_COUNT = ARRAY_SIZE(tokens), END_TOKEN_COUNT = TOKEN_COUNT - 3 };

size_t source_token(const struct source *source, size_t at)
{
	for (size_t i = 0; i < TOKEN_COUNT; i++)
		if (source_has(source, at, tokens[i]))
			return strlen(tokens[i]);
	return 0;
}

/* The length of the token that ends at `end`; 0: there is none. */
static size_t token_before(const struct source *source, size_t end)
{
	for (size_t i = 0; i < END_TOKEN_COUNT; i++) {
		size_t length = strlen(tokens[i]);

		if (end >= length && !memcmp(source->text + end - length, tokens[i], length))
			return length;
	}
	return 0;
}

size_t source_end(const struct source *source)
{
	size_t end = source->length, token;

	do {
		while (end > 0 && byte_is_space(source->text[end - 1]))
			end--;
		token = token_before(source, end);
		end -= token;
	} while (token);
	return end;
}
