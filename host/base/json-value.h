/* SPDX-License-Identifier: MIT
 *
 * How a packed list hides in a json-c value. Private to base.
 */
#ifndef TOOLHOST_JSON_VALUE_H
#define TOOLHOST_JSON_VALUE_H

#include "base/json.h"

/* Lists of fewer numbers are not packed: an object for each is no dearer then. */
#define JSON_PACK_LEAST 8

/* A packed list is an empty json-c array with this as its user data. No other value has user data.
 */
struct json_packed {
	size_t count;
	double values[];
};

/* Room for `count` doubles; NULL where there is no memory. `old` may be NULL, and is freed by
 * nobody on failure. */
struct json_packed *json_packed_resize(struct json_packed *old, size_t count);
/* A list that takes over `packed`, which is freed where there is no memory. */
json *json_take_packed(struct json_packed *packed);

/* What an element of a packed list is: a whole number up to 2^53 counts as an integer, however it
 * was written. */
enum json_kind json_packed_kind(double value);

#endif
