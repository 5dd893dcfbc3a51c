/* SPDX-License-Identifier: MIT
 *
 * Reading: Daniel Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and
 * Experience 51 (2021); that up to 19 digits never need another way is shown by Noble Mushtak and
 * Daniel Lemire, "Fast Number Parsing Without Fallback" (2023).
 *
 * Printing: Raffaello Giulietti, "The Schubfach way to render doubles" (2020), figures 4 and 6.
 */
#include "base/json-number.h"

#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MOST 19	     /* what always has a place in 64 bits */
#define SLOW_DIGITS_MOST 800 /* no double, nor the middle of two, has more than 767 */

#define DOUBLE_SIGNIFICAND_BITS 52
#define DOUBLE_HIDDEN ((uint64_t)1 << DOUBLE_SIGNIFICAND_BITS)
#define DOUBLE_EXPONENT_INFINITE 0x7FF
#define DOUBLE_BIAS 1023

__extension__ typedef unsigned __int128 uint128;

static double double_of_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint64_t bits_of_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* ---- Taking text apart --------------------------------------------------------------------------
 */

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

/* Eight digits at once, in one word. */
static bool eight_digits(const char *text, uint64_t *ret_value)
{
	uint64_t w;

	memcpy(&w, text, sizeof(w));
	w = le64toh(w);
	if (((w + 0x4646464646464646) | (w - 0x3030303030303030)) & 0x8080808080808080)
		return false;
	w -= 0x3030303030303030;
	w = w * 10 + (w >> 8); /* pairs, in every second byte */
	*ret_value = ((w & 0x000000FF000000FF) * 0x000F424000000064 +
		      (w >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >>
		     32;
	return true;
}

/* Appends the digits at `p` to *digits, which wraps around where there are too many of them. */
static const char *digits_read(const char *p, const char *end, uint64_t *digits)
{
	uint64_t value = *digits, eight;

	while (end - p >= 8 && eight_digits(p, &eight)) {
		value = value * 100000000 + eight;
		p += 8;
	}
	for (; p < end && is_digit(*p); p++)
		value = value * 10 + (uint64_t)(*p - '0');
	*digits = value;
	return p;
}

/* The first significant digits of [text, end), digits with a point between them. */
static void first_digits(const char *text, const char *end, struct json_decimal *decimal)
{
	int taken = 0;

	decimal->digits = 0;
	for (const char *p = text; p < end; p++) {
		if (*p == '.')
			continue;
		if (taken < DIGITS_MOST) {
			decimal->digits = decimal->digits * 10 + (uint64_t)(*p - '0');
			taken += decimal->digits != 0;
		} else {
			decimal->exponent++;
			decimal->more |= *p != '0';
		}
	}
}

/* The exponent behind an E. Text is never so long that a bound of 10^15 could be reached by a
 * fraction's zeros, so a larger exponent need not be told apart from that. */
static const char *exponent_read(const char *p, const char *end, int64_t *exponent)
{
	const char *first;
	int64_t value = 0;
	bool negative;

	negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	first = p;
	for (; p < end && is_digit(*p); p++)
		if (value < 1000000000000000)
			value = value * 10 + (*p - '0');
	*exponent += negative ? -value : value;
	return p == first ? NULL : p;
}

const char *json_decimal_read(const char *text, const char *end, struct json_decimal *ret_decimal)
{
	struct json_decimal d = { .whole = true };
	const char *p = text, *first, *fraction;
	ptrdiff_t count;

	if (p < end && *p == '-') {
		d.negative = true;
		p++;
	}
	first = p;
	p = digits_read(p, end, &d.digits);
	count = p - first;
	if (count == 0 || (count > 1 && *first == '0'))
		return NULL;
	if (p < end && *p == '.') {
		fraction = ++p;
		p = digits_read(p, end, &d.digits);
		if (p == fraction)
			return NULL;
		count += p - fraction;
		d.exponent = fraction - p;
		d.whole = false;
	}
	if (count > DIGITS_MOST)
		first_digits(first, p, &d);
	if (p < end && (*p == 'e' || *p == 'E')) {
		p = exponent_read(p + 1, end, &d.exponent);
		d.whole = false;
	}
	*ret_decimal = d;
	return p;
}

bool json_decimal_integer(const struct json_decimal *decimal, int64_t *ret_value)
{
	/* A whole number with more digits than are kept has its exponent above 0. */
	if (!decimal->whole || decimal->exponent != 0)
		return false;
	if (decimal->negative) {
		if (decimal->digits == 0 || decimal->digits > (uint64_t)INT64_MAX + 1)
			return false;
		*ret_value = (int64_t)(0 - decimal->digits);
		return true;
	}
	if (decimal->digits > INT64_MAX)
		return false;
	*ret_value = (int64_t)decimal->digits;
	return true;
}

/* ---- To the nearest double ----------------------------------------------------------------------
 */

/* floor(log2(10^q)), for |q| up to 350. */
static int log2_of_power(int q)
{
	return (q * 217706) >> 16;
}

/* The first 128 bits of w * 10^q, or enough of them to round by. */
static uint128 product_of(uint64_t w, int q)
{
	const uint64_t *power = json_powers[q - JSON_POWER_LEAST];
	uint64_t low = power[1];
	uint128 product = (uint128)w * power[0];

	/* The 9 bits behind those that a double keeps decide, unless all of them are set: then the
	 * second half of the power can still carry into them. */
	if (((uint64_t)(product >> 64) & 0x1FF) == 0x1FF) {
		/* Powers that divide evenly into a double need their reciprocals rounded up. */
		if (q >= -27 && q < 0)
			low++;
		product += (uint128)w * low >> 64;
	}
	return product;
}

/* The bits of the double nearest to w * 10^q. */
static uint64_t nearest_double(uint64_t w, int64_t q64)
{
	uint64_t high, significand;
	int q, lead, upper, shift, exponent;
	uint128 product;

	if (w == 0 || q64 < JSON_POWER_LEAST)
		return 0;
	if (q64 > 308)
		return (uint64_t)DOUBLE_EXPONENT_INFINITE << DOUBLE_SIGNIFICAND_BITS;
	q = (int)q64;
	lead = __builtin_clzll(w);
	product = product_of(w << lead, q);
	high = (uint64_t)(product >> 64);
	upper = (int)(high >> 63);
	shift = upper + 64 - DOUBLE_SIGNIFICAND_BITS - 3;
	significand = high >> shift; /* with one bit more than a double, to round by */
	exponent = log2_of_power(q) + 63 + upper - lead + DOUBLE_BIAS;
	if (exponent <= 0) {
		/* Below the normal ones: the bits move down, and the exponent is 0 unless rounding
		 * carries. */
		if (exponent <= -63)
			return 0;
		significand >>= 1 - exponent;
		return (significand + (significand & 1)) >> 1;
	}
	/* Exactly between two doubles, which only small powers allow: to the even one. */
	if ((uint64_t)product <= 1 && q >= -4 && q <= 23 && (significand & 3) == 1 &&
	    significand << shift == high)
		significand--;
	significand = (significand + (significand & 1)) >> 1;
	if (significand >= DOUBLE_HIDDEN * 2) {
		significand = DOUBLE_HIDDEN;
		exponent++;
	}
	if (exponent >= DOUBLE_EXPONENT_INFINITE)
		return (uint64_t)DOUBLE_EXPONENT_INFINITE << DOUBLE_SIGNIFICAND_BITS;
	return (significand & ~DOUBLE_HIDDEN) | (uint64_t)exponent << DOUBLE_SIGNIFICAND_BITS;
}

/* More than 19 digits, and they matter. strtod() gets them without a point, the one thing in a
 * number that depends on the locale, and with a 1 for all digits past the last that can matter. */
static uint64_t slow_double(const char *text, const char *end)
{
	char copy[SLOW_DIGITS_MOST + 32];
	int64_t exponent = 0;
	bool fraction = false, more = false;
	int count = 0;
	const char *p;

	for (p = text; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.')
			fraction = true;
		if (!is_digit(*p))
			continue;
		exponent -= fraction;
		if (count == 0 && *p == '0')
			continue;
		if (count < SLOW_DIGITS_MOST) {
			copy[count++] = *p;
		} else {
			exponent++;
			more |= *p != '0';
		}
	}
	if (p < end)
		exponent_read(p + 1, end, &exponent);
	if (more) {
		copy[count++] = '1';
		exponent--;
	}
	snprintf(copy + count, sizeof(copy) - (size_t)count, "e%lld", (long long)exponent);
	return bits_of_double(strtod(copy, NULL));
}

bool json_decimal_double(const struct json_decimal *decimal, const char *text, const char *end,
			 double *ret_value)
{
	uint64_t bits = nearest_double(decimal->digits, decimal->exponent);

	/* The digits left out do not matter where even one more in the last place changes nothing.
	 */
	if (decimal->more && bits != nearest_double(decimal->digits + 1, decimal->exponent))
		bits = slow_double(text, end);
	if (bits >> DOUBLE_SIGNIFICAND_BITS == DOUBLE_EXPONENT_INFINITE)
		return false;
	*ret_value = double_of_bits(bits | (uint64_t)decimal->negative << 63);
	return true;
}

/* ---- The shortest decimal -----------------------------------------------------------------------
 */

/* floor(g * c / 2^128) with the lowest bit set where anything was cut off. */
static uint64_t round_to_odd(const uint64_t g[2], uint64_t c)
{
	uint128 y = (uint128)g[0] * c + ((uint128)g[1] * c >> 64);

	return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

static struct json_decimal shortest_of(uint64_t significand, int q, bool lower_is_closer)
{
	struct json_decimal result = { 0 };
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

struct json_decimal json_decimal_shortest(double value)
{
	uint64_t bits = bits_of_double(value);
	uint64_t significand = bits & (DOUBLE_HIDDEN - 1);
	int exponent = (int)(bits >> DOUBLE_SIGNIFICAND_BITS & DOUBLE_EXPONENT_INFINITE);
	struct json_decimal result;

	if (exponent == 0)
		result = shortest_of(significand, 1 - DOUBLE_BIAS - DOUBLE_SIGNIFICAND_BITS, false);
	else
		result = shortest_of(significand | DOUBLE_HIDDEN,
				     exponent - DOUBLE_BIAS - DOUBLE_SIGNIFICAND_BITS,
				     significand == 0 && exponent > 1);
	while (result.digits % 10 == 0) {
		result.digits /= 10;
		result.exponent++;
	}
	result.negative = bits >> 63;
	return result;
}

/* ---- Writing ------------------------------------------------------------------------------------
 */

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
	struct json_decimal d;
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

	d = json_decimal_shortest(value);
	count = (int)(write_digits(digits, d.digits) - digits);
	point = count + (int)d.exponent; /* where it stands, from the first digit */
	if (d.negative)
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
