/* SPDX-License-Identifier: MIT
 *
 * Groups by label.
 */
#ifndef TOOLHOST_COMMON_LABELS_H
#define TOOLHOST_COMMON_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct label {
	const char *text;
	size_t length;
	uint64_t hash;
	bool number; /* the text is that of a JSON number, and stands for its value */
};

/* The text belongs to the caller and lives as long as the label. */
struct label label_make(const char *text, size_t length, bool number);

/* Whether the label is a number that others share their text with: whole numbers of more than 64 bits
 * come rounded, as 2.0251130123456789e22. */
bool label_is_blurred(const struct label *label);

/* Reads a list of texts, numbers and booleans out of the JSON text in which a pack receives it; the
 * texts keep their quotes, by which they differ from words. Answers how many there are; SIZE_MAX
 * where the text is no such list. With `ret_labels`, which then has room for all, they are stored.
 */
size_t labels_read(const char *json, size_t length, struct label *ret_labels);

/* Slots that labels_group() wants for this many labels. */
size_t labels_slots(size_t count);

/* Numbers the groups of equal labels from 0, in the order in which they first occur, into
 * ret_groups; answers how many there are. Numbers are equal by value: 1, 1.0 and 10e-1; a text is
 * never equal to a number. count below 2^32. Expected linear time. */
size_t labels_group(const struct label *labels, size_t count, uint32_t *ret_groups,
		    uint32_t *slots);

/* Sorts the places 0 to count - 1 by their group, a number below group_count: those of group g, in
 * their order, are ret_places[ret_start[g]] up to ret_places[ret_start[g + 1]]. ret_start has room
 * for group_count + 1. Linear time. */
void groups_sort(const uint32_t *groups, size_t count, size_t group_count, size_t *ret_start,
		 uint64_t *ret_places);

#endif
