/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of the number keywords. Numbers mean what is written: 0.0075 is 75 times 0.0001.
 */
#include "schema/number.h"

#include "schema/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWO_TO_63 9223372036854775808.0

bool number_is_whole(double number)
{
	return number == floor(number) && isfinite(number);
}

bool number_is_beyond_64(double number)
{
	/* 2^63 is the first double beyond; -2^63 is the last within. */
	return !(number >= -TWO_TO_63 && number < TWO_TO_63);
}

static int compare_integer(int64_t integer, double number)
{
	double whole = floor(number);

	if (number >= TWO_TO_63)
		return -1;
	if (number < -TWO_TO_63)
		return 1;
	if (integer != (int64_t)whole)
		return integer < (int64_t)whole ? -1 : 1;
	return number > whole ? -1 : 0;
}

int number_compare(const struct instance *in, const struct bound *bound)
{
	bool exact = in->kind == JSON_INTEGER && in->value;

	if (exact && bound->whole) {
		int64_t integer = json_integer(in->value);

		return integer < bound->integer ? -1 : integer > bound->integer;
	}
	if (exact)
		return compare_integer(json_integer(in->value), bound->number);
	if (bound->whole)
		return -compare_integer(bound->integer, in->number);
	return in->number < bound->number ? -1 : in->number > bound->number;
}

/* ---- multipleOf ------------------------------------------------------------------------ */

/* digits times 10 to the power, without a sign. */
struct decimal {
	uint64_t digits;
	long power;
};

/* The shortest text that reads back the same has at most 17 digits, an integer 19. */
static bool to_decimal(double number, struct decimal *ret_decimal)
{
	struct buffer printed = BUFFER_INIT(64);
	bool good, fraction = false;

	*ret_decimal = (struct decimal){ 0 };
	json_print_number(&printed, fabs(number));
	good = printed.fault == BUFFER_GOOD && printed.data;
	for (const char *at = printed.data; good && *at; at++) {
		if (*at == '.') {
			fraction = true;
		} else if (*at == 'e' || *at == 'E') {
			ret_decimal->power += strtol(at + 1, NULL, 10);
			break;
		} else if (*at < '0' || *at > '9') {
			good = false;
		} else if (ret_decimal->digits > UINT64_MAX / 10 - 1) {
			ret_decimal->power +=
				!fraction; /* trailing zeros of 1e20, printed in full */
			good = *at == '0';
		} else {
			ret_decimal->digits = 10 * ret_decimal->digits + (uint64_t)(*at - '0');
			ret_decimal->power -= fraction;
		}
	}
	buffer_free(&printed);
	return good;
}

static uint64_t power_modulo(uint64_t power, uint64_t modulus)
{
	__uint128_t base = 10 % modulus, result = 1 % modulus;

	for (; power; power >>= 1) {
		if (power & 1)
			result = result * base % modulus;
		base = base * base % modulus;
	}
	return (uint64_t)result;
}

static bool is_multiple_decimal(struct decimal x, struct decimal of)
{
	long shift = x.power - of.power;
	__uint128_t divisor = of.digits;

	if (!x.digits)
		return true;
	if (shift >= 0)
		return !((__uint128_t)(x.digits % of.digits) *
			 power_modulo((uint64_t)shift, of.digits) % of.digits);
	/* x would have to hold a power of ten that is larger than itself. */
	if (shift < -19)
		return false;
	for (; shift < 0; shift++)
		divisor *= 10;
	return !(x.digits % divisor);
}

bool number_is_multiple(const struct instance *in, const struct bound *of)
{
	struct decimal x, y;

	if (in->kind == JSON_INTEGER && in->value) {
		int64_t integer = json_integer(in->value);

		if (of->whole)
			return !(integer % of->integer);
		x.digits = integer < 0 ? -(uint64_t)integer : (uint64_t)integer;
		x.power = 0;
		return to_decimal(of->number, &y) && is_multiple_decimal(x, y);
	}
	/* Of whole numbers that doubles hold, the remainder is exact. */
	if (number_is_whole(in->number) && number_is_whole(of->number) &&
	    fabs(in->number) < 0x1p53 && of->number < 0x1p53)
		return (int64_t)in->number % (int64_t)of->number == 0;
	return to_decimal(in->number, &x) && to_decimal(of->number, &y) &&
	       is_multiple_decimal(x, y);
}
