/* SPDX-License-Identifier: MIT
 *
 * Groups by label.
 */
#include "common/labels.h"

#include <stdbool.h>
#include <string.h>

/* ---- Numbers as text -------------------------------------------------------------------- */

/* Room for any number that a host prints; a longer one is compared as it is written. */
#define NUMBER_MAX 64

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number as its digits without zeros at either end, and the power of ten of the last digit: what
 * equal numbers have in common, however they are written. strtod() would do as well, but reads
 * another number where some pack has set a locale. */
struct decimal {
	char digits[NUMBER_MAX];
	size_t count;
	long power;
	bool negative;
};

static void decimal_read(const struct label *label, struct decimal *d)
{
	const char *at = label->text, *end = label->text + label->length;
	long exponent = 0;
	bool fraction = false, minus = false;

	memset(d, 0, sizeof(*d));
	if (*at == '-') {
		d->negative = true;
		at++;
	}
	for (; at < end && (is_digit(*at) || *at == '.'); at++) {
		if (*at == '.') {
			fraction = true;
			continue;
		}
		d->power -= fraction;
		if (d->count || *at != '0')
			d->digits[d->count++] = *at;
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		at++;
		if (at < end && (*at == '+' || *at == '-'))
			minus = *at++ == '-';
		for (; at < end && is_digit(*at) && exponent < 1000000; at++)
			exponent = 10 * exponent + (*at - '0');
	}
	d->power += minus ? -exponent : exponent;
	for (; d->count && d->digits[d->count - 1] == '0'; d->count--)
		d->power++;
	if (!d->count) {
		d->power = 0;
		d->negative = false;
	}
}

static bool decimal_equal(const struct decimal *a, const struct decimal *b)
{
	return a->negative == b->negative && a->power == b->power && a->count == b->count &&
	       !memcmp(a->digits, b->digits, a->count);
}

/* ---- Labels ----------------------------------------------------------------------------- */

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t label_hash(const struct label *label)
{
	const uint64_t start = UINT64_C(0xcbf29ce484222325);
	struct decimal d;

	if (!label->number || label->length >= NUMBER_MAX)
		return hash_bytes(start, label->text, label->length);
	decimal_read(label, &d);
	return hash_bytes(hash_bytes(start + d.negative, d.digits, d.count), &d.power,
			  sizeof(d.power));
}

static bool label_equal(const struct label *a, const struct label *b)
{
	struct decimal x, y;

	if (a->hash != b->hash || a->number != b->number)
		return false;
	if (a->length == b->length && !memcmp(a->text, b->text, a->length))
		return true;
	if (!a->number || a->length >= NUMBER_MAX || b->length >= NUMBER_MAX)
		return false;
	decimal_read(a, &x);
	decimal_read(b, &y);
	return decimal_equal(&x, &y);
}

struct label label_make(const char *text, size_t length, bool number)
{
	struct label label = { text, length, 0, number };

	label.hash = label_hash(&label);
	return label;
}

bool label_is_blurred(const struct label *label)
{
	struct decimal d;

	if (!label->number || label->length >= NUMBER_MAX ||
	    (!memchr(label->text, 'e', label->length) && !memchr(label->text, 'E', label->length)))
		return false;
	decimal_read(label, &d);
	return (long)d.count + d.power >= 19;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* Behind the scalar that begins at `at`; NULL where none does. The text is JSON already, so the
 * shape of a number or a word needs no second look. */
static const char *scalar_end(const char *at, const char *end)
{
	if (at == end)
		return NULL;
	if (*at == '"') {
		for (at++; at < end && *at != '"'; at++)
			if (*at == '\\')
				at++;
		return at < end ? at + 1 : NULL;
	}
	if (*at != '-' && !is_digit(*at) && *at != 't' && *at != 'f')
		return NULL;
	while (at < end && *at != ',' && *at != ']' && *at != ' ' && *at != '\t' && *at != '\n' &&
	       *at != '\r')
		at++;
	return at;
}

size_t labels_read(const char *json, size_t length, struct label *ret_labels)
{
	const char *end = json + length, *at = skip_blanks(json, end);
	size_t count = 0;

	if (at == end || *at++ != '[')
		return SIZE_MAX;
	at = skip_blanks(at, end);
	if (at < end && *at == ']')
		return 0;
	for (;;) {
		const char *behind = scalar_end(at, end);

		if (!behind)
			return SIZE_MAX;
		if (ret_labels)
			ret_labels[count] =
				label_make(at, (size_t)(behind - at), *at == '-' || is_digit(*at));
		count++;
		at = skip_blanks(behind, end);
		if (at < end && *at == ']')
			return count;
		if (at == end || *at != ',')
			return SIZE_MAX;
		at = skip_blanks(at + 1, end);
	}
}

size_t labels_slots(size_t count)
{
	size_t slots = 16;

	while (slots < 2 * count)
		slots *= 2;
	return slots;
}

size_t labels_group(const struct label *labels, size_t count, uint32_t *ret_groups, uint32_t *slots)
{
	size_t mask = labels_slots(count) - 1, groups = 0;

	/* A slot holds the first label of a group, counted from 1. */
	memset(slots, 0, (mask + 1) * sizeof(*slots));
	for (size_t i = 0; i < count; i++) {
		size_t slot = (size_t)(labels[i].hash ^ labels[i].hash >> 32) & mask;

		while (slots[slot] && !label_equal(&labels[slots[slot] - 1], &labels[i]))
			slot = (slot + 1) & mask;
		if (slots[slot]) {
			ret_groups[i] = ret_groups[slots[slot] - 1];
			continue;
		}
		slots[slot] = (uint32_t)i + 1;
		ret_groups[i] = (uint32_t)groups++;
	}
	return groups;
}

void groups_sort(const uint32_t *groups, size_t count, size_t group_count, size_t *ret_start,
		 uint64_t *ret_places)
{
	size_t total = 0;

	memset(ret_start, 0, (group_count + 1) * sizeof(*ret_start));
	for (size_t i = 0; i < count; i++)
		ret_start[groups[i]]++;
	for (size_t g = 0; g <= group_count; g++) {
		total += ret_start[g];
		ret_start[g] = total - ret_start[g];
	}
	/* ret_start[g] moves up to the end of group g, which is the start of the next. */
	for (size_t i = 0; i < count; i++)
		ret_places[ret_start[groups[i]]++] = i;
	memmove(ret_start + 1, ret_start, group_count * sizeof(*ret_start));
	ret_start[0] = 0;
}
