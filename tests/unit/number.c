/* SPDX-License-Identifier: MIT
 *
 * Numbers, against the C library: every double has to read as strtod() reads it, bit by bit, and to
 * print as the shortest text that reads back.
 */
#include "base/json.h"

#include "unit.h"

#include <locale.h>
#include <math.h>

static uint64_t state = 0x9E3779B97F4A7C15;

/* xorshift64*, so that every run tries the same. */
static uint64_t next_random(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545F4914F6CDD1D;
}

static double double_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static bool same_bits(double a, double b)
{
	return !memcmp(&a, &b, sizeof(a));
}

/* Doubles of all kinds: any bits, powers of two and their neighbours, few bits, small and large
 * whole numbers. */
static double next_double(unsigned kind)
{
	double value;

	do {
		uint64_t bits = next_random();

		switch (kind % 5) {
		case 0:
			value = double_of(bits);
			break;
		case 1:
			value = double_of(((bits % 2046 + 1) << 52) +
					  (uint64_t)(next_random() % 5) - 2);
			break;
		case 2:
			value = double_of(bits & next_random() & next_random());
			break;
		case 3:
			value = double_of(bits >> next_random() % 64);
			break;
		default:
			value = (double)(int64_t)(bits >> next_random() % 64);
			break;
		}
	} while (!isfinite(value));
	return value;
}

static void print(double value, char text[64])
{
	struct buffer b = BUFFER_INIT(63);

	json_print_number(&b, value);
	memcpy(text, b.data, b.length + 1);
	buffer_free(&b);
}

/* strtod() is the judge, in the C locale. */
static bool reads_like_strtod(const char *text)
{
	double expected = strtod(text, NULL), value = NAN;
	bool good = json_parse_number(text, strlen(text), &value);

	if (good == isfinite(expected) && (!good || same_bits(value, expected)))
		return true;
	fprintf(stderr, "%s read as %a and not %a\n", text, value, expected);
	return false;
}

static void doubles_survive_printing(void)
{
	unsigned wrong = 0;
	char text[64];

	for (unsigned i = 0; i < 200000; i++) {
		double value = next_double(i), again = NAN;

		print(value, text);
		if (!json_parse_number(text, strlen(text), &again) || !same_bits(value, again) ||
		    !same_bits(value, strtod(text, NULL))) {
			fprintf(stderr, "%a printed as %s\n", value, text);
			wrong++;
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* The significant digits of `text`, without zeros at either end. */
static void digits_of(const char *text, char digits[64])
{
	size_t count = 0;

	for (; *text && *text != 'e'; text++)
		if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0'))
			digits[count++] = *text;
	while (count > 0 && digits[count - 1] == '0')
		count--;
	digits[count] = '\0';
}

/* %.*e gives the nearest decimal of each length, so the first that reads back is the shortest and
 * nearest. */
static void printing_is_shortest_and_nearest(void)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < 20000; i++) {
		double value = next_double(i);
		char text[64], digits[64], reference[64], expected[64];

		for (int precision = 0; precision < 17; precision++) {
			snprintf(reference, sizeof(reference), "%.*e", precision, value);
			if (same_bits(strtod(reference, NULL), value))
				break;
		}
		print(value, text);
		digits_of(text, digits);
		digits_of(reference, expected);
		if (value == trunc(value) && fabs(value) <= 0x1p53)
			continue; /* whole numbers print all of their digits */
		/* Below a power of two lie twice as many doubles, so that the nearest decimal of a
		 * length may miss it while the next one reads back. */
		if (strlen(digits) > strlen(expected) ||
		    (strlen(digits) == strlen(expected) && strcmp(digits, expected))) {
			fprintf(stderr, "%a printed as %s, shortest is %s\n", value, text,
				reference);
			wrong++;
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void decimals_read_like_strtod(void)
{
	unsigned wrong = 0;
	char text[128];

	for (unsigned i = 0; i < 100000; i++) {
		int exponent = (int)(next_random() % 720) - 380;

		snprintf(text, sizeof(text), "%llue%d",
			 (unsigned long long)(next_random() >> next_random() % 64), exponent);
		wrong += !reads_like_strtod(text);
		snprintf(text, sizeof(text), "-%llu.%019llu",
			 (unsigned long long)(next_random() >> (1 + next_random() % 63)),
			 (unsigned long long)(next_random() >> 1));
		wrong += !reads_like_strtod(text);
		snprintf(text, sizeof(text), "%.*e", (int)(next_random() % 40), next_double(i));
		wrong += !reads_like_strtod(text);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* The middle of two neighbours, exactly, and a hair above and below it: where rounding is hardest.
 */
static void halves_read_like_strtod(void)
{
	unsigned wrong = 0;
	char text[1400];

	for (unsigned i = 0; i < 3000; i++) {
		double value = fabs(next_double(i));
		long double middle =
			((long double)value + (long double)nextafter(value, INFINITY)) / 2;
		size_t length;

		if (!isfinite(nextafter(value, INFINITY)))
			continue;
		snprintf(text, sizeof(text), "%.780Le", middle);
		wrong += !reads_like_strtod(text);
		length = strcspn(text, "e");
		text[length - 1] = '1';
		wrong += !reads_like_strtod(text);
		snprintf(text, sizeof(text), "%.25Le", middle);
		wrong += !reads_like_strtod(text);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void known_hard_numbers(void)
{
	static const char *const hard[] = {
		"0",
		"0.0",
		"0e999999999999999999999",
		"1e-999999999999999999999",
		"1e999999999999999999999",
		"2.2250738585072011e-308",
		"2.2250738585072012e-308",
		"2.2250738585072014e-308",
		"4.9e-324",
		"2.4703282292062327e-324",
		"2.4703282292062328e-324",
		"2.47032822920623272e-324",
		"1.7976931348623157e308",
		"1.7976931348623158e308",
		"1.797693134862315807e308",
		"1.797693134862315808e308",
		"179769313486231580793e289",
		"9007199254740993",
		"9007199254740993.0",
		"9007199254740992.99999999999999999999999",
		"9007199254740993.00000000000000000001",
		"9007199254740995",
		"1448997445238699",
		"7.3177701707893310e+15",
		"0.000000000000000000000000000000000000000000000000000000000000000000000000123",
		"123456789012345678901234567890123456789012345678901234567890",
		"8.5e-10",
		"1e22",
		"1e23",
		"6929495644600919.5",
		"3.5844466002796428e298",
		"0.1e0000000000000000000000000000000000000000000000001",
		"10000000000000000000000000000000000000000000000000000000000000000000000000000e-76",
		"1090544144181609348671888949248",
		"1090544144181609348835077142190",
		"9355950000000000000."
		"0000000000000000000000000000000000184467440737095516160000018446744073709551616184"
		"4674407370955161407370955161618446744073709551616000184467440737095516166000001844"
		"6744073709551616184467440737095516140737095516161844674407370955161600018446744073"
		"7095516160184467440737095567445161618446744073709551614073709551616184467440737095"
		"5161600018446744073709551616018446744073709551611616000184467440737095001844674407"
		"3709551616001844674407370955161600184467440737095511681644674407370955161600018440"
		"7370955161601844674407370955161618446744073709551616000184467440753691075160161161"
		"6000184467440737095001844674407370955161600184467440737095516160018446744073709551"
		"6161844674407370955161600018449551616184467440737095516160001844674407536910751600"
		"18446744073709",
	};
	char text[2000];
	double value;

	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++)
		CU_ASSERT(reads_like_strtod(hard[i]));

	/* A thousand zeros that an exponent takes back. */
	memset(text, '0', 1002);
	text[1] = '.';
	strcpy(text + 1002, "15e1001");
	CU_ASSERT(json_parse_number(text, strlen(text), &value));
	CU_ASSERT_EQUAL(value, 1.5);
	CU_ASSERT(reads_like_strtod(text));
}

/* Nothing here depends on the locale, wherever one with a comma exists. */
static void locale_does_not_matter(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };
	const char *set = NULL;
	char text[64];
	double value;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !set; i++)
		set = setlocale(LC_ALL, names[i]);
	if (!set)
		printf("(no locale with a decimal comma is installed) ");
	CU_ASSERT(json_parse_number("0.1", 3, &value) && value == 0.1);
	/* More than 19 digits that matter, for which strtod() is asked. */
	CU_ASSERT(json_parse_number("9007199254740993.00000000000000000001", 37, &value));
	CU_ASSERT_EQUAL(value, 9007199254740994.0);
	CU_ASSERT_FALSE(json_parse_number("0,1", 3, &value));
	print(1234567.25, text);
	UNIT_TEXT(text, "1234567.25");
	setlocale(LC_ALL, "C");
}

static const struct unit_test tests[] = {
	UNIT_TEST(doubles_survive_printing),  UNIT_TEST(printing_is_shortest_and_nearest),
	UNIT_TEST(decimals_read_like_strtod), UNIT_TEST(halves_read_like_strtod),
	UNIT_TEST(known_hard_numbers),	      UNIT_TEST(locale_does_not_matter),
};

UNIT_MAIN("number", tests)
