/* SPDX-License-Identifier: MIT */
#include "schema/uri.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

struct span {
	const char *text; /* NULL: the part is not there, which is not the same as empty */
	size_t length;
};

struct uri {
	struct span scheme, authority, path, query, fragment;
};

static struct span span(const char *from, const char *to)
{
	return (struct span){ from, (size_t)(to - from) };
}

static size_t scheme_length(const char *uri)
{
	size_t length = 0;

	if (!isalpha((unsigned char)*uri))
		return 0;
	while (isalnum((unsigned char)uri[length]) || (uri[length] && strchr("+-.", uri[length])))
		length++;
	return uri[length] == ':' ? length : 0;
}

bool uri_is_absolute(const char *uri)
{
	return scheme_length(uri) > 0;
}

/* The regular expression of RFC 3986, appendix B, by hand. */
static struct uri split(const char *text)
{
	struct uri uri = { 0 };
	size_t length = scheme_length(text);

	if (length) {
		uri.scheme = span(text, text + length);
		text += length + 1;
	}
	if (!strncmp(text, "//", 2)) {
		text += 2;
		length = strcspn(text, "/?#");
		uri.authority = span(text, text + length);
		text += length;
	}
	length = strcspn(text, "?#");
	uri.path = span(text, text + length);
	text += length;
	if (*text == '?') {
		length = strcspn(++text, "#");
		uri.query = span(text, text + length);
		text += length;
	}
	if (*text == '#')
		uri.fragment = span(text + 1, text + 1 + strlen(text + 1));
	return uri;
}

/* Section 5.2.4, in place. */
static size_t remove_dots(char *path, size_t length)
{
	char *out = path, *at = path, *end = path + length;

	while (at < end) {
		char *next = memchr(at + 1, '/', (size_t)(end - at - 1));
		size_t size = (size_t)((next ? next : end) - at);

		if ((size == 2 && !memcmp(at, "/.", 2)) || (size == 3 && !memcmp(at, "/..", 3))) {
			while (size == 3 && out > path && *--out != '/')
				;
			if (!next)
				*out++ = '/';
		} else {
			memmove(out, at, size);
			out += size;
		}
		at += size;
	}
	return (size_t)(out - path);
}

/* Section 5.2.3: the reference's path behind the last slash of the base's. */
static char *merge_paths(struct arena *arena, const struct uri *base, struct span reference,
			 size_t *ret_length)
{
	size_t keep = 0;
	bool slash = base->authority.text && !base->path.length;
	char *path;

	for (size_t i = 0; i < base->path.length; i++)
		if (base->path.text[i] == '/')
			keep = i + 1;
	if (!(path = arena_allocate_raw(arena, keep + slash + reference.length + 1, 1)))
		return NULL;
	memcpy(path, base->path.text, keep);
	if (slash)
		path[keep] = '/';
	memcpy(path + keep + slash, reference.text, reference.length);
	*ret_length = keep + slash + reference.length;
	return path;
}

static char *add(char *out, const char *before, struct span part, const char *after)
{
	if (!part.text)
		return out;
	out = stpcpy(out, before);
	memcpy(out, part.text, part.length);
	return stpcpy(out + part.length, after);
}

static const char *join(struct arena *arena, const struct uri *uri)
{
	size_t length = uri->scheme.length + uri->authority.length + uri->path.length +
			uri->query.length;
	char *text = arena_allocate_raw(arena, length + sizeof("://?"), 1), *out = text;

	if (!text)
		return NULL;
	out = add(out, "", uri->scheme, ":");
	out = add(out, "//", uri->authority, "");
	out = add(out, "", uri->path, "");
	out = add(out, "?", uri->query, "");
	*out = '\0';
	return text;
}

static int hex(char c)
{
	return !isxdigit((unsigned char)c) ? -1
	       : isdigit((unsigned char)c) ? c - '0'
					   : (c | 32) - 'a' + 10;
}

static const char *decode(struct arena *arena, struct span part)
{
	char *text = arena_copy(arena, part.text, part.length), *out = text;

	for (size_t i = 0; text && i < part.length; i++) {
		int high, low;

		if (part.text[i] != '%') {
			*out++ = part.text[i];
			continue;
		}
		if (part.length - i < 3 || (high = hex(part.text[i + 1])) < 0 ||
		    (low = hex(part.text[i + 2])) < 0 || !(high | low))
			return NULL;
		*out++ = (char)(high << 4 | low);
		i += 2;
	}
	if (!text || !text_is_utf8(text, (size_t)(out - text)))
		return NULL;
	*out = '\0';
	return text;
}

const char *uri_resolve(struct arena *arena, const char *base, const char *reference,
			const char **ret_fragment)
{
	struct uri from = split(base), to = split(reference);
	char *path;

	*ret_fragment = NULL;
	if (to.fragment.text && !(*ret_fragment = decode(arena, to.fragment)))
		return NULL;
	if (!to.scheme.text) {
		to.scheme = from.scheme;
		if (!to.authority.text) {
			to.authority = from.authority;
			if (!to.path.length) {
				to.path = from.path;
				to.query = to.query.text ? to.query : from.query;
			} else if (*to.path.text != '/') {
				if (!(path = merge_paths(arena, &from, to.path, &to.path.length)))
					return NULL;
				to.path.text = path;
			}
		}
	}
	if (to.path.length && *to.path.text == '/') {
		if (!(path = arena_copy(arena, to.path.text, to.path.length)))
			return NULL;
		to.path.length = remove_dots(path, to.path.length);
		to.path.text = path;
	}
	return join(arena, &to);
}
