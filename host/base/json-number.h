/* SPDX-License-Identifier: MIT
 *
 * Decimal to double and back: correctly rounded, shortest, and the same in every locale. Private to base.
 */
#ifndef TOOLHOST_JSON_NUMBER_H
#define TOOLHOST_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first 128 bits of 10^q, highest half first, at index q - JSON_POWER_LEAST; what follows is cut off. */
#define JSON_POWER_LEAST (-342)
#define JSON_POWER_MOST 324
extern const uint64_t json_powers[JSON_POWER_MOST - JSON_POWER_LEAST + 1][2];

/* Whole numbers up to here are exact as doubles, and so are their neighbours. */
#define JSON_EXACT_MOST ((int64_t)1 << 53)

/* A number taken apart: digits * 10^exponent. */
struct json_decimal {
	uint64_t digits; /* the first 19 significant ones */
	int64_t exponent;
	bool negative;
	bool whole; /* written without fraction and exponent */
	bool more;  /* digits other than 0 follow those that are here */
};

/* Takes the number apart that begins at `text`, and answers the byte behind it; NULL where the grammar is
 * broken. Whatever else follows a number is not looked at. */
const char *json_decimal_read(const char *text, const char *end, struct json_decimal *ret_decimal);

/* True where it was written as a whole number, other than -0, that has a place in 64 bits. */
bool json_decimal_integer(const struct json_decimal *decimal, int64_t *ret_value);

/* The nearest double, ties to even. [text, end) is what it was read from. False beyond the largest double. */
bool json_decimal_double(const struct json_decimal *decimal, const char *text, const char *end,
			 double *ret_value);

/* The shortest decimal that reads back as `value`, which is finite and not 0; of several the nearest one. */
struct json_decimal json_decimal_shortest(double value);

/* Writes a number as JSON without a NUL, and answers the byte behind it. NaN and infinities become null. */
#define JSON_NUMBER_BYTES 32 /* enough for each of them */
char *json_write_double(char *place, double value);
char *json_write_integer(char *place, int64_t value);

#endif
