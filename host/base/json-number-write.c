/* SPDX-License-Identifier: MIT
 *
 * Raffaello Giulietti, "The Schubfach way to render doubles" (2020), figures 4 and 6.
 */
#include "base/json-number.h"

#include <math.h>
#include <stdlib.h>

/* digits * 10^exponent */
struct decimal {
	uint64_t digits;
	int exponent;
};

/* ---- The shortest decimal ------------------------------------------------------------------ */

/* floor(g * c / 2^128) with the lowest bit set where anything was cut off. */
static uint64_t round_to_odd(const uint64_t g[2], uint64_t c)
{
	uint128 y = (uint128)g[0] * c + ((uint128)g[1] * c >> 64);

	return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

static struct decimal shortest_of(uint64_t significand, int q, bool lower_is_closer)
{
	struct decimal result = { 0 };
	uint64_t c = significand * 4, odd = significand & 1;
	uint64_t lower, upper, middle, s, tens, g[2];
	bool below, above;
	/* floor(log10(2^q)), or of 3/4 of it where the interval reaches down only half as far */
	int k = (q * 1262611 - (lower_is_closer ? 524031 : 0)) >> 22;
	int h = q + log2_of_power(-k) + 1;

	/* The method wants powers rounded up; those from 10^0 to 10^55 are exact. */
	memcpy(g, json_powers[-k - JSON_POWER_LEAST], sizeof(g));
	if (-k < 0 || -k > 55) {
		g[1]++;
		g[0] += g[1] == 0;
	}
	/* What reads back as this double lies between lower and upper, in quarters of 10^k. */
	lower = round_to_odd(g, (c - 2 + lower_is_closer) << h) + odd;
	middle = round_to_odd(g, c << h);
	upper = round_to_odd(g, (c + 2) << h) - odd;

	s = middle / 4;
	if (s >= 10) {
		tens = s / 10;
		below = lower <= 40 * tens;
		above = 40 * tens + 40 <= upper;
		if (below != above) {
			result.digits = tens + above;
			result.exponent = k + 1;
			return result;
		}
	}
	below = lower <= 4 * s;
	above = 4 * s + 4 <= upper;
	result.exponent = k;
	if (below != above)
		result.digits = s + above;
	else /* both or neither: the nearer one, the even one between them */
		result.digits = s + (middle > 4 * s + 2 || (middle == 4 * s + 2 && (s & 1)));
	return result;
}

/* Decimals with few digits come with many zeros behind them. */
static void drop_zeros(struct decimal *decimal)
{
	while (decimal->digits % 100000000 == 0) {
		decimal->digits /= 100000000;
		decimal->exponent += 8;
	}
	if (decimal->digits % 10000 == 0) {
		decimal->digits /= 10000;
		decimal->exponent += 4;
	}
	while (decimal->digits % 10 == 0) {
		decimal->digits /= 10;
		decimal->exponent++;
	}
}

/* The shortest decimal that reads back as `value`, which is finite and not 0; of several the
 * nearest one. */
static struct decimal shortest_decimal(double value)
{
	uint64_t bits = bits_of_double(value);
	uint64_t significand = bits & (DOUBLE_HIDDEN - 1);
	int exponent = (int)(bits >> DOUBLE_SIGNIFICAND_BITS & DOUBLE_EXPONENT_INFINITE);
	struct decimal result;

	if (exponent == 0)
		result = shortest_of(significand, 1 - DOUBLE_BIAS - DOUBLE_SIGNIFICAND_BITS, false);
	else
		result = shortest_of(significand | DOUBLE_HIDDEN,
				     exponent - DOUBLE_BIAS - DOUBLE_SIGNIFICAND_BITS,
				     significand == 0 && exponent > 1);
	drop_zeros(&result);
	return result;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static const char digit_pairs[] = "00010203040506070809"
				  "10111213141516171819"
				  "20212223242526272829"
				  "30313233343536373839"
				  "40414243444546474849"
				  "50515253545556575859"
				  "60616263646566676869"
				  "70717273747576777879"
				  "80818283848586878889"
				  "90919293949596979899";

static char *write_digits(char *place, uint64_t value)
{
	char digits[20], *p = digits + sizeof(digits);
	size_t length;

	for (; value >= 100; value /= 100) {
		p -= 2;
		memcpy(p, digit_pairs + value % 100 * 2, 2);
	}
	if (value >= 10) {
		p -= 2;
		memcpy(p, digit_pairs + value * 2, 2);
	} else {
		*--p = (char)('0' + value);
	}
	length = (size_t)(digits + sizeof(digits) - p);
	memcpy(place, p, length);
	return place + length;
}

char *json_write_integer(char *place, int64_t value)
{
	if (value >= 0)
		return write_digits(place, (uint64_t)value);
	*place++ = '-';
	return write_digits(place, 0 - (uint64_t)value);
}

/* As JavaScript writes it, but that no digit is made up: 1e16 is not 10000000000000000. */
char *json_write_double(char *place, double value)
{
	struct decimal d;
	char digits[20];
	int count, point;

	if (!isfinite(value)) {
		memcpy(place, "null", 4);
		return place + 4;
	}
	if (value == 0 && signbit(value)) {
		memcpy(place, "-0.0", 4);
		return place + 4;
	}
	if (fabs(value) <= (double)JSON_EXACT_MOST && value == (double)(int64_t)value)
		return json_write_integer(place, (int64_t)value);

	d = shortest_decimal(value);
	count = (int)(write_digits(digits, d.digits) - digits);
	point = count + d.exponent; /* where it stands, from the first digit */
	if (value < 0)
		*place++ = '-';
	if (point > 0 && point < count) {
		memcpy(place, digits, (size_t)point);
		place[point] = '.';
		memcpy(place + point + 1, digits + point, (size_t)(count - point));
		return place + count + 1;
	}
	if (point <= 0 && point > -6) {
		memcpy(place, "0.00000", 7);
		place += 2 - point;
		memcpy(place, digits, (size_t)count);
		return place + count;
	}
	*place++ = digits[0];
	if (count > 1) {
		*place++ = '.';
		memcpy(place, digits + 1, (size_t)(count - 1));
		place += count - 1;
	}
	*place++ = 'e';
	*place++ = point > 0 ? '+' : '-';
	return write_digits(place, (uint64_t)abs(point - 1));
}
