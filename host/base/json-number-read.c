/* SPDX-License-Identifier: MIT
 *
 * Daniel Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51
 * (2021); that up to 19 digits never need another way is shown by Noble Mushtak and Daniel Lemire,
 * "Fast Number Parsing Without Fallback", Software: Practice and Experience 53 (2023).
 */
#include "base/json-number.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS_MOST 19	     /* what always has a place in 64 bits */
#define SLOW_DIGITS_MOST 800 /* no double, nor the middle of two, has more than 767 */
#define EXPONENT_MOST 1000000000000000

#define EACH_BYTE 0x0101010101010101u

/* A number taken apart: digits * 10^exponent. */
struct decimal {
	uint64_t digits; /* the first 19 significant ones */
	int64_t exponent;
	bool negative;
	bool whole; /* written without fraction and exponent */
	bool more;  /* digits other than 0 follow those that are here */
};

/* ---- Taking text apart --------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

/* The value of eight bytes that are digits less '0', the first one lowest: pairs, fours and all at
 * once. */
static uint64_t value_of_eight(uint64_t w)
{
	w = w * 10 + (w >> 8);
	return ((w & 0x000000FF000000FF) * (100 + (1000000ull << 32)) +
		(w >> 16 & 0x000000FF000000FF) * (1 + (10000ull << 32))) >>
	       32;
}

/* Appends the digits that eight bytes begin with to *digits, and answers how many they are. Numbers
 * have all lengths, which no processor can guess, so there is no loop. */
static unsigned eight_read(const char *p, uint64_t *digits)
{
	static const uint64_t powers[] = { 1,	   10,	    100,      1000,	10000,
					   100000, 1000000, 10000000, 100000000 };
	uint64_t w, other;
	unsigned count;

	memcpy(&w, p, sizeof(w));
	w = le64toh(w);
	/* The high bit of each byte that is no digit; above the lowest of these, others may have it
	 * too. */
	other = ((w + EACH_BYTE * (0x80 - ':')) | (w - EACH_BYTE * '0')) & EACH_BYTE * 0x80;
	count = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	if (count > 0) {
		w = (w - EACH_BYTE * '0') << (64 - 8 * count);
		*digits = *digits * powers[count] + value_of_eight(w);
	}
	return count;
}

/* Appends the digits at `p` to *digits, which wraps around where there are too many of them. */
static const char *digits_read(const char *p, const char *end, uint64_t *digits)
{
	while (end - p >= 8) {
		unsigned count = eight_read(p, digits);

		p += count;
		if (count < 8)
			return p;
	}
	for (; p < end && is_digit(*p); p++)
		*digits = *digits * 10 + (uint64_t)(*p - '0');
	return p;
}

/* The first significant digits of [text, end), digits with a point between them. */
static void first_digits(const char *text, const char *end, struct decimal *decimal)
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

/* The exponent behind an E. No text is so long that its digits could make up for EXPONENT_MOST, so
 * larger ones need not be told apart. */
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
		if (value < EXPONENT_MOST)
			value = value * 10 + (*p - '0');
	*exponent += negative ? -value : value;
	return p == first ? NULL : p;
}

static const char *decimal_read(const char *text, const char *end, struct decimal *ret_decimal)
{
	struct decimal d = { .whole = true };
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

static bool decimal_integer(const struct decimal *decimal, int64_t *ret_value)
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

/* ---- To the nearest double ----------------------------------------------------------------- */

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

static double decimal_double(const struct decimal *decimal, const char *text, const char *end)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,	 1e4,  1e5,  1e6,  1e7,
					 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	uint64_t bits;
	double value;

	/* Where both are exact as doubles, one operation rounds right (William Clinger, "How to
	 * Read Floating Point Numbers Accurately", 1990). Digits that were left out are past 2^53
	 * already. */
	if (decimal->digits <= (uint64_t)JSON_EXACT_MOST && decimal->exponent >= -22 &&
	    decimal->exponent <= 22) {
		value = (double)decimal->digits;
		if (decimal->exponent < 0)
			value /= powers[-decimal->exponent];
		else
			value *= powers[decimal->exponent];
		return decimal->negative ? -value : value;
	}
	bits = nearest_double(decimal->digits, decimal->exponent);
	/* The digits left out do not matter where even one more in the last place changes nothing.
	 */
	if (decimal->more && bits != nearest_double(decimal->digits + 1, decimal->exponent))
		bits = slow_double(text, end);
	return double_of_bits(bits | (uint64_t)decimal->negative << 63);
}

const char *json_number_read(const char *text, const char *end, struct json_number *ret_number)
{
	struct decimal decimal;
	const char *behind = decimal_read(text, end, &decimal);

	if (!behind)
		return NULL;
	ret_number->is_integer = decimal_integer(&decimal, &ret_number->integer);
	ret_number->value = ret_number->is_integer ? (double)ret_number->integer
						   : decimal_double(&decimal, text, behind);
	return behind;
}
