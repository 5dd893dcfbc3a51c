/* SPDX-License-Identifier: MIT
 *
 * Decimal to double and back: correctly rounded, shortest, and the same in every locale. Private to
 * base.
 */
#ifndef TOOLHOST_JSON_NUMBER_H
#define TOOLHOST_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first 128 bits of 10^q, highest half first, at index q - JSON_POWER_LEAST; what follows is
 * cut off. */
#define JSON_POWER_LEAST (-342)
#define JSON_POWER_MOST 324
extern const uint64_t json_powers[JSON_POWER_MOST - JSON_POWER_LEAST + 1][2];

/* Whole numbers up to here are exact as doubles, and so are their neighbours. */
#define JSON_EXACT_MOST ((int64_t)1 << 53)

#define DOUBLE_SIGNIFICAND_BITS 52
#define DOUBLE_HIDDEN ((uint64_t)1 << DOUBLE_SIGNIFICAND_BITS)
#define DOUBLE_EXPONENT_INFINITE 0x7FF
#define DOUBLE_BIAS 1023

__extension__ typedef unsigned __int128 uint128;

static inline double double_of_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint64_t bits_of_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* floor(log2(10^q)), for |q| up to 350. */
static inline int log2_of_power(int q)
{
	return (q * 217706) >> 16;
}

struct json_number {
	double value; /* the nearest double, ties to even; infinite where it lies beyond the largest
			 one */
	int64_t integer; /* where is_integer: a whole number, other than -0, with a place in 64 bits
			  */
	bool is_integer; /* and written without fraction and exponent */
};

/* Reads the number that begins at `text`, and answers the byte behind it; NULL where the grammar is
 * broken. Whatever else follows a number is not looked at. */
const char *json_number_read(const char *text, const char *end, struct json_number *ret_number);

/* Writes a number as JSON without a NUL, and answers the byte behind it. NaN and infinities become
 * null. */
#define JSON_NUMBER_BYTES 32 /* enough for each of them */
char *json_write_double(char *place, double value);
char *json_write_integer(char *place, int64_t value);

#endif
