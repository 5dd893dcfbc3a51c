/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <string.h>

#define NAME_PART_MOST 64
#define NEAREST_MOST 128
#define HIGH_BITS 0x8080808080808080u

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

/* The Unicode Standard, table 3-7: what may follow each first byte. */
int text_sequence(const char *text, size_t length)
{
	const unsigned char *t = (const unsigned char *)text;
	unsigned char least = 0x80, most = 0xBF;
	int bytes;

	if (t[0] < 0x80)
		return 1;
	if (t[0] < 0xC2 || t[0] > 0xF4)
		return -1;
	if (t[0] < 0xE0)
		bytes = 2;
	else if (t[0] < 0xF0)
		bytes = 3;
	else
		bytes = 4;
	if (t[0] == 0xE0)
		least = 0xA0; /* shorter forms exist below */
	else if (t[0] == 0xED)
		most = 0x9F; /* surrogates lie above */
	else if (t[0] == 0xF0)
		least = 0x90;
	else if (t[0] == 0xF4)
		most = 0x8F; /* U+10FFFF is the last one */
	if (length < 2 || t[1] < least || t[1] > most)
		return -1;
	for (int i = 2; i < bytes; i++)
		if ((size_t)i >= length || !is_continuation(t[i]))
			return -i;
	return bytes;
}

bool text_is_utf8(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		uint64_t eight;
		int bytes;

		/* Most text is ASCII, so look at eight bytes at a time while it lasts. */
		while (length - at >= sizeof(eight)) {
			memcpy(&eight, text + at, sizeof(eight));
			if (eight & HIGH_BITS)
				break;
			at += sizeof(eight);
		}
		if (at == length)
			break;
		bytes = text_sequence(text + at, length - at);
		if (bytes < 0)
			return false;
		at += (size_t)bytes;
	}
	return true;
}

size_t text_points(const char *text, size_t length)
{
	size_t points = 0;

	for (size_t i = 0; i < length; i++)
		points += !is_continuation((unsigned char)text[i]);
	return points;
}

size_t text_head(const char *text, size_t length, size_t max)
{
	size_t head = max;

	if (length <= max)
		return length;
	while (head > 0 && is_continuation((unsigned char)text[head]))
		head--;
	return head;
}

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool text_same_folded(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (fold(a[i]) != fold(b[i]))
			return false;
	return true;
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance with insertions, deletions, substitutions and transpositions of neighbours (the
 * optimal string alignment distance). Both lengths are at most NEAREST_MOST. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][NEAREST_MOST + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *free_row = before;

		now[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			char x = fold(a[i - 1]), y = fold(b[j - 1]);

			now[j] =
				least_of(last[j - 1] + (x != y), least_of(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]))
				now[j] = least_of(now[j], before[j - 2] + 1);
		}
		before = last;
		last = now;
		now = free_row;
	}
	return last[b_length];
}

const char *text_nearest(const char *name, const char *const *names, size_t count)
{
	size_t length = strlen(name), nearest_distance = SIZE_MAX;
	const char *nearest = NULL;

	if (length > NEAREST_MOST)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(names[i]);
		size_t longer = other > length ? other : length;
		size_t shorter = other > length ? length : other;
		size_t distance;

		if (other > NEAREST_MOST || longer - shorter > longer / 3)
			continue;
		distance = edit_distance(name, length, names[i], other);
		if (distance <= longer / 3 && distance < nearest_distance) {
			nearest = names[i];
			nearest_distance = distance;
		}
	}
	return nearest;
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

bool text_is_tool_name(const char *name, size_t length)
{
	size_t part = 0;

	if (length > TEXT_TOOL_NAME_MOST)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (name[i] == '.') {
			if (part == 0)
				return false;
			part = 0;
		} else if (!is_name_byte(name[i]) || ++part > NAME_PART_MOST) {
			return false;
		}
	}
	return part > 0;
}

bool text_glob(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL;

	/* Only the last star has to be able to take more: what stands before it has matched
	 * already. */
	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
