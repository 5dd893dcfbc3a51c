/* SPDX-License-Identifier: MIT
 *
 * Groups by label: a list of texts, numbers and booleans, as the JSON text in which a pack receives
 * it.
 */
#ifndef TOOLHOST_COMMON_LABELS_H
#define TOOLHOST_COMMON_LABELS_H

#include <stddef.h>
#include <stdint.h>

struct label {
	const char *text; /* as it stands in the JSON text */
	size_t length;
	uint64_t hash;
};

/* How many labels the JSON text lists; SIZE_MAX where it is no list of texts, numbers and booleans.
 * With `ret_labels`, which then has room for all of them, they are stored. */
size_t labels_read(const char *json, size_t length, struct label *ret_labels);

/* Slots that labels_group() wants for this many labels. */
size_t labels_slots(size_t count);

/* Numbers the groups of equal labels from 0, in the order in which they first occur, into
 * ret_groups; answers how many there are. Numbers are equal by value: 1, 1.0 and 10e-1; a text is
 * never equal to a number. count below 2^32. Expected linear time. */
size_t labels_group(const struct label *labels, size_t count, uint32_t *ret_groups,
		    uint32_t *slots);

#endif
