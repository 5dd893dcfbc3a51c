/* SPDX-License-Identifier: MIT
 *
 * Least squares and autocorrelation on the Statistical Reference Datasets of NIST, in digits. A set
 * counts twice: against the exact answer for the doubles that the program reads, which judges the
 * algorithm, and against the certified one, where the rounding of the data sets a limit of its own.
 */
#include "common/linalg.h"
#include "common/serial.h"

#include "base/json.h"
#include "base/status.h"

#include "unit.h"

#define DIGITS_MOST 15
#define COLUMNS_MOST 11

static json *read_set(const char *name)
{
	const char *shared = getenv("SHARED");
	char path[4096];
	char *text = NULL;
	size_t length = 0;
	json *value = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "%s/data/nist/%s", shared ? shared : ".", name);
	file = fopen(path, "r");
	if (!file) {
		printf("no %s: set SHARED to the folder that holds data/nist\n", path);
		exit(77);
	}
	text = malloc(1 << 20);
	length = fread(text, 1, 1 << 20, file);
	fclose(file);
	CU_ASSERT_EQUAL(json_read(text, length, NULL, &value, NULL), STATUS_OK);
	free(text);
	return value;
}

static double *read_numbers(const json *list)
{
	double *numbers = malloc((json_count(list) + 1) * sizeof(*numbers));

	for (size_t i = 0; i < json_count(list); i++)
		numbers[i] = json_item_number(list, i);
	return numbers;
}

/* The digits that `found` and `right` share; -1 where one is infinite and the other is not. */
static double digits(double found, const json *right)
{
	double wanted = json_kind(right) == JSON_NULL ? INFINITY : json_number(right), count;

	if (isinf(wanted) || isinf(found))
		return isinf(wanted) && isinf(found) ? DIGITS_MOST : -1;
	count = -log10(fabs(found - wanted) / (wanted == 0 ? 1 : fabs(wanted)));
	return fmax(0, fmin(count, DIGITS_MOST));
}

static double fewest_digits(const double *found, const json *right)
{
	double fewest = DIGITS_MOST;

	for (size_t i = 0; i < json_count(right); i++) {
		json *item = json_item(right, i);

		fewest = fmin(fewest, digits(found[i], item));
		json_drop(item);
	}
	return fewest;
}

/* Digits of everything that a set certifies, as one line, and the fewest of them. */
static double judge(const struct linalg_fit *fit, const json *right, const char *name,
		    const char *against)
{
	const json *anova = json_get(right, "anova");
	const double each[] = {
		fewest_digits(fit->coefficients, json_get(right, "coefficients")),
		fewest_digits(fit->standard_errors, json_get(right, "standard_errors")),
		digits(fit->residual_sd, json_get(right, "residual_sd")),
		digits(fit->r_squared, json_get(right, "r_squared")),
		digits(fit->f, json_get(anova, "f")),
		digits(fit->regression_ss, json_get(json_get(anova, "regression"), "ss")),
		digits(fit->residual_ss, json_get(json_get(anova, "residual"), "ss")),
	};
	double fewest = DIGITS_MOST;

	printf("\n  %-9s %-12s coefficients %4.1f  errors %4.1f  sd %4.1f  R2 %4.1f  F %4.1f  "
	       "SS %4.1f %4.1f",
	       name, against, each[0], each[1], each[2], each[3], each[4], each[5], each[6]);
	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
		fewest = fmin(fewest, each[i]);
	return fewest;
}

/* Sets the columns of a set: a constant if it has one, then powers, or each predictor. */
static void set_columns(struct linalg_qr *qr, const json *set)
{
	const bool constant = json_boolean(json_get(set, "intercept"));
	const bool is_polynomial = json_kind(json_get(set, "degree")) == JSON_INTEGER;
	const json *predictors = json_get(set, "x");
	size_t column = 0;

	if (constant)
		linalg_set_column(qr, column++, NULL, 0);
	for (unsigned k = 1; column < qr->columns; k++) {
		json *list = json_item(predictors, is_polynomial ? 0 : k - 1);
		double *x = read_numbers(list);

		linalg_set_column(qr, column++, x, is_polynomial ? k : 1);
		free(x);
		json_drop(list);
	}
}

/* The certified digits that the data as doubles allow, and the condition, by README of the sets; F
 * of Wampler2 is infinite there, and not for its doubles. */
static const struct {
	const char *name;
	double digits, condition;
} linear_sets[] = {
	{ "Norris", 13.6, 3 },	   { "Pontius", 13.4, 20 },   { "NoInt1", 14.9, 1 },
	{ "NoInt2", 14.9, 1 },	   { "Longley", 14.6, 4e4 },  { "Filip", 14.1, 5e9 },
	{ "Wampler1", 14.9, 2e3 }, { "Wampler2", -1, 2e3 },   { "Wampler3", 14.9, 2e3 },
	{ "Wampler4", 14.9, 2e3 }, { "Wampler5", 14.9, 2e3 },
};

static void check_linear(const json *set, size_t which)
{
	const char *name = linear_sets[which].name;
	const size_t rows = json_count(json_get(set, "y"));
	const json *doubles = json_get(set, "from_doubles"),
		   *certified = json_get(set, "certified");
	const size_t columns = json_count(json_get(certified, "coefficients"));
	double coefficients[COLUMNS_MOST], errors[COLUMNS_MOST], work[COLUMNS_MOST * COLUMNS_MOST];
	double *y = read_numbers(json_get(set, "y")), condition;
	struct linalg_fit fit = { .coefficients = coefficients, .standard_errors = errors };
	struct linalg_qr qr;

	linalg_qr_place(&qr, malloc(linalg_qr_size(rows, columns)), rows, columns);
	set_columns(&qr, set);
	CU_ASSERT_EQUAL_FATAL(linalg_factor(&qr), columns);
	condition = linalg_condition(&qr, work);
	CU_ASSERT(condition > linear_sets[which].condition / 1.2 - 1e-9);
	CU_ASSERT(condition < linear_sets[which].condition * 1.2);
	linalg_fit(&qr, y, json_boolean(json_get(set, "intercept")), &fit);
	CU_ASSERT(judge(&fit, doubles, name, "from doubles") >= 14.9);
	CU_ASSERT(judge(&fit, certified, name, "certified") >= linear_sets[which].digits);
	CU_ASSERT_EQUAL(fit.regression_df, columns - json_boolean(json_get(set, "intercept")));
	free(qr.cells);
	free(y);
}

static void linear_sets_have_their_digits(void)
{
	json *sets = read_set("linear.json");

	CU_ASSERT_EQUAL(json_count(sets), sizeof(linear_sets) / sizeof(linear_sets[0]));
	for (size_t i = 0; i < sizeof(linear_sets) / sizeof(linear_sets[0]); i++)
		check_linear(json_get(sets, linear_sets[i].name), i);
	json_drop(sets);
	printf("\n");
}

/* The last four lose digits to the rounding of their decimals to doubles. */
static const struct {
	const char *name;
	double digits;
} series_sets[] = {
	{ "Lew", 14.6 },      { "Lottery", 14.8 },  { "Mavro", 13.7 },
	{ "Michelso", 13.2 }, { "PiDigits", 14.8 }, { "NumAcc1", 14.9 },
	{ "NumAcc2", 14.8 },  { "NumAcc3", 12 },    { "NumAcc4", 10.8 },
};

static void autocorrelations_have_their_digits(void)
{
	json *sets = read_set("univariate.json");

	for (size_t i = 0; i < sizeof(series_sets) / sizeof(series_sets[0]); i++) {
		const json *set = json_get(sets, series_sets[i].name);
		const json *list = json_get(set, "values");
		double *values = read_numbers(list), found;

		found = digits(autocorrelation(values, json_count(list), 1),
			       json_get(json_get(set, "certified"), "lag1_autocorrelation"));
		printf("\n  %-9s autocorrelation %4.1f", series_sets[i].name, found);
		CU_ASSERT(found >= series_sets[i].digits);
		free(values);
	}
	json_drop(sets);
	printf("\n");
}

static const struct unit_test tests[] = {
	UNIT_TEST(linear_sets_have_their_digits),
	UNIT_TEST(autocorrelations_have_their_digits),
};

UNIT_MAIN("linalg-nist", tests)
