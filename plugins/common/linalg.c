/* SPDX-License-Identifier: MIT
 *
 * Least squares in 106 bits; see linalg.h.
 */
#include "common/linalg.h"

#include <float.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Vectors of 106 bits are known to this many, times their length; a residual below that is none. */
#define ROUNDING_BITS 102

size_t linalg_qr_size(size_t rows, size_t columns)
{
	const size_t per_column = 3 * sizeof(struct wide) + 2 * sizeof(size_t) + sizeof(int);
	size_t cells, vectors;

	if (__builtin_mul_overflow(rows, columns, &cells) ||
	    __builtin_add_overflow(cells, rows, &cells) ||
	    __builtin_mul_overflow(cells, sizeof(struct wide), &cells) ||
	    __builtin_mul_overflow(columns, per_column, &vectors) ||
	    __builtin_add_overflow(cells, vectors, &cells))
		return 0;
	return cells;
}

void linalg_qr_place(struct linalg_qr *qr, void *memory, size_t rows, size_t columns)
{
	qr->rows = rows;
	qr->columns = columns;
	qr->rank = 0;
	qr->cells = (struct wide *)memory;
	qr->response = qr->cells + rows * columns;
	qr->diagonal = qr->response + rows;
	qr->factors = qr->diagonal + columns;
	qr->work = qr->factors + columns;
	qr->order = (size_t *)(void *)(qr->work + columns);
	qr->members = qr->order + columns;
	qr->exponents = (int *)(void *)(qr->members + columns);
}

static struct wide *column_of(const struct linalg_qr *qr, size_t column)
{
	return qr->cells + column * qr->rows;
}

static double largest_of(const double *values, size_t count)
{
	double largest = 0;

	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, fabs(values[i]));
	return largest;
}

void linalg_set_column(struct linalg_qr *qr, size_t column, const double *values, unsigned power)
{
	struct wide *cells = column_of(qr, column);
	int exponent = 0;

	/* Scaled first, so that a high power of a large value stays in range. */
	if (power > 0)
		frexp(largest_of(values, qr->rows), &exponent);
	for (size_t i = 0; i < qr->rows; i++) {
		cells[i] = wide_of(1);
		for (unsigned k = 0; k < power; k++)
			cells[i] = wide_multiply(cells[i], wide_of(ldexp(values[i], -exponent)));
	}
	qr->exponents[column] = exponent * (int)power;
}

/* The sum of squares of `count` cells. */
static struct wide square_sum(const struct wide *cells, size_t count)
{
	struct wide sum = wide_of(0);

	for (size_t i = 0; i < count; i++)
		sum = wide_add(sum, wide_multiply(cells[i], cells[i]));
	return sum;
}

/* Brings the length of each column to between 1/2 and 1. A column of zeros stays. */
static void scale_columns(struct linalg_qr *qr)
{
	for (size_t j = 0; j < qr->columns; j++) {
		struct wide *cells = column_of(qr, j);
		int exponent;

		frexp(sqrt(square_sum(cells, qr->rows).hi), &exponent);
		for (size_t i = 0; i < qr->rows; i++)
			cells[i] = wide_shift(cells[i], -exponent);
		qr->exponents[j] += exponent;
		qr->order[j] = j;
	}
}

static void swap_columns(struct linalg_qr *qr, size_t a, size_t b)
{
	struct wide *left = column_of(qr, a), *right = column_of(qr, b), squares = qr->work[a];
	size_t order = qr->order[a];

	if (a == b)
		return;
	for (size_t i = 0; i < qr->rows; i++) {
		struct wide cell = left[i];

		left[i] = right[i];
		right[i] = cell;
	}
	qr->order[a] = qr->order[b];
	qr->order[b] = order;
	qr->work[a] = qr->work[b];
	qr->work[b] = squares;
}

/* Applies reflector k to the cells of a column, or of the response, from row k down. */
static void reflect(const struct linalg_qr *qr, size_t k, struct wide *cells)
{
	const struct wide *v = column_of(qr, k);
	struct wide sum = wide_of(0);

	for (size_t i = k; i < qr->rows; i++)
		sum = wide_add(sum, wide_multiply(v[i], cells[i]));
	sum = wide_multiply(sum, qr->factors[k]);
	for (size_t i = k; i < qr->rows; i++)
		cells[i] = wide_subtract(cells[i], wide_multiply(sum, v[i]));
}

/* Makes reflector k out of column k, whose length from row k down is `length`. The sign is the one
 * that does not cancel. */
static void make_reflector(struct linalg_qr *qr, size_t k, struct wide length)
{
	struct wide *first = column_of(qr, k) + k;

	qr->diagonal[k] = first->hi > 0 ? wide_negate(length) : length;
	*first = wide_subtract(*first, qr->diagonal[k]);
	qr->factors[k] = wide_divide(wide_of(-1), wide_multiply(qr->diagonal[k], *first));
}

/* The place, from k on, of the column with most left of it outside the span of the first k. */
static size_t longest_column(const struct linalg_qr *qr, size_t k)
{
	size_t best = k;

	for (size_t j = k + 1; j < qr->columns; j++)
		if (qr->work[j].hi > qr->work[best].hi)
			best = j;
	return best;
}

size_t linalg_factor(struct linalg_qr *qr)
{
	const size_t steps = qr->rows < qr->columns ? qr->rows : qr->columns;
	const double tolerance = (double)(qr->rows > qr->columns ? qr->rows : qr->columns) *
				 DBL_EPSILON;

	scale_columns(qr);
	for (size_t j = 0; j < qr->columns; j++)
		qr->work[j] = square_sum(column_of(qr, j), qr->rows);
	for (qr->rank = 0; qr->rank < steps; qr->rank++) {
		const size_t k = qr->rank;
		struct wide length;

		swap_columns(qr, k, longest_column(qr, k));
		length = wide_root(square_sum(column_of(qr, k) + k, qr->rows - k));
		if (!(length.hi > tolerance))
			break;
		make_reflector(qr, k, length);
		for (size_t j = k + 1; j < qr->columns; j++) {
			struct wide *cells = column_of(qr, j);

			reflect(qr, k, cells);
			qr->work[j] = wide_subtract(qr->work[j], wide_multiply(cells[k], cells[k]));
		}
	}
	return qr->rank;
}

/* Solves R x = b in place, for the leading `count` rows and columns of R. */
static void back_substitute(const struct linalg_qr *qr, size_t count, struct wide *b)
{
	for (size_t k = count; k-- > 0;) {
		b[k] = wide_divide(b[k], qr->diagonal[k]);
		for (size_t i = 0; i < k; i++)
			b[i] = wide_subtract(b[i], wide_multiply(column_of(qr, k)[i], b[k]));
	}
}

/* The diagonal of the inverse of A'A for the scaled columns, as they stand in R: the sum of squares
 * of each row of the inverse of R. */
static void inverse_diagonal(const struct linalg_qr *qr, struct wide *squares)
{
	struct wide *solution = qr->work;
	const size_t columns = qr->columns;

	for (size_t i = 0; i < columns; i++)
		squares[i] = wide_of(0);
	for (size_t j = 0; j < columns; j++) {
		for (size_t i = 0; i < j; i++)
			solution[i] = wide_of(0);
		solution[j] = wide_of(1);
		back_substitute(qr, j + 1, solution);
		for (size_t i = 0; i <= j; i++)
			squares[i] = wide_add(squares[i], wide_multiply(solution[i], solution[i]));
	}
}

/* The sum of squares about the mean, or about 0, of the response. */
static struct wide total_squares(const struct wide *cells, size_t count, bool about_mean)
{
	struct wide mean = wide_of(0), sum = wide_of(0);

	if (about_mean) {
		for (size_t i = 0; i < count; i++)
			mean = wide_add(mean, cells[i]);
		mean = wide_divide(mean, wide_of((double)count));
	}
	for (size_t i = 0; i < count; i++) {
		struct wide deviation = wide_subtract(cells[i], mean);

		sum = wide_add(sum, wide_multiply(deviation, deviation));
	}
	return sum;
}

/* The table of the analysis of variance, out of the two sums of squares. */
static void fill_variances(const struct linalg_qr *qr, struct wide total, struct wide residual,
			   int exponent, bool intercept, struct linalg_fit *fit)
{
	struct wide regression = wide_subtract(total, residual);
	double mean_square;

	fit->regression_df = qr->columns - (intercept ? 1 : 0);
	fit->residual_df = qr->rows - qr->columns;
	fit->total_ss = wide_round(wide_shift(total, 2 * exponent));
	fit->residual_ss = wide_round(wide_shift(residual, 2 * exponent));
	fit->regression_ss = wide_round(wide_shift(regression, 2 * exponent));
	fit->r_squared = total.hi > 0 ? wide_round(wide_divide(regression, total)) : NAN;
	if (fit->residual_df == 0) {
		fit->residual_sd = fit->f = NAN;
		return;
	}
	mean_square = residual.hi / (double)fit->residual_df;
	fit->residual_sd = ldexp(sqrt(mean_square), exponent);
	fit->f = fit->regression_df ? regression.hi / (double)fit->regression_df / mean_square
				    : NAN;
}

/* Loads the response, its largest value scaled to between 1/2 and 1; answers the exponent. */
static int load_response(const struct linalg_qr *qr, const double *response)
{
	int exponent;

	frexp(largest_of(response, qr->rows), &exponent);
	for (size_t i = 0; i < qr->rows; i++)
		qr->response[i] = wide_of(ldexp(response[i], -exponent));
	return exponent;
}

static void fill_coefficients(const struct linalg_qr *qr, int exponent, double *ret_coefficients)
{
	struct wide *b = qr->work;

	memcpy(b, qr->response, qr->columns * sizeof(*b));
	back_substitute(qr, qr->columns, b);
	for (size_t k = 0; k < qr->columns; k++) {
		const size_t column = qr->order[k];

		ret_coefficients[column] =
			wide_round(wide_shift(b[k], exponent - qr->exponents[column]));
	}
}

/* What lies in the span is taken away from the turned response, and the rest turned back. */
static void fill_residuals(const struct linalg_qr *qr, int exponent, double *ret_residuals)
{
	memset(qr->response, 0, qr->columns * sizeof(*qr->response));
	for (size_t k = qr->columns; k-- > 0;)
		reflect(qr, k, qr->response);
	for (size_t i = 0; i < qr->rows; i++)
		ret_residuals[i] = wide_round(wide_shift(qr->response[i], exponent));
}

static void fill_standard_errors(const struct linalg_qr *qr, double residual_sd, double *ret_errors)
{
	inverse_diagonal(qr, qr->response);
	for (size_t k = 0; k < qr->columns; k++) {
		const size_t column = qr->order[k];

		ret_errors[column] =
			ldexp(residual_sd * sqrt(qr->response[k].hi), -qr->exponents[column]);
	}
}

void linalg_fit(struct linalg_qr *qr, const double *response, bool intercept,
		struct linalg_fit *fit)
{
	const size_t rows = qr->rows, columns = qr->columns;
	const int exponent = load_response(qr, response);
	const struct wide total = total_squares(qr->response, rows, intercept);
	const double noise = square_sum(qr->response, rows).hi *
			     ldexp((double)rows * (double)rows, -2 * ROUNDING_BITS);
	struct wide residual;

	for (size_t k = 0; k < columns; k++)
		reflect(qr, k, qr->response);
	residual = square_sum(qr->response + columns, rows - columns);
	if (residual.hi <= noise)
		residual = wide_of(0);
	fill_variances(qr, total, residual, exponent, intercept, fit);
	if (fit->coefficients)
		fill_coefficients(qr, exponent, fit->coefficients);
	if (fit->residuals)
		fill_residuals(qr, exponent, fit->residuals);
	if (fit->standard_errors)
		fill_standard_errors(qr, fit->residual_sd, fit->standard_errors);
}

const size_t *linalg_dependence(const struct linalg_qr *qr, size_t which, size_t *ret_count)
{
	size_t *members = qr->members, count = 0;

	memcpy(qr->work, column_of(qr, qr->rank + which), qr->rank * sizeof(*qr->work));
	back_substitute(qr, qr->rank, qr->work);
	members[count++] = qr->order[qr->rank + which];
	for (size_t k = 0; k < qr->rank; k++) {
		size_t place = count;

		/* Columns have about the same length, so what is below this is rounding. */
		if (fabs(qr->work[k].hi) < 1e-7)
			continue;
		for (; place > 0 && members[place - 1] > qr->order[k]; place--)
			members[place] = members[place - 1];
		members[place] = qr->order[k];
		count++;
	}
	*ret_count = count;
	return members;
}

/* Text that is put together in pieces, and cut where it is full. */
struct sentence {
	char *text;
	size_t size, length;
};

static void append(struct sentence *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void append(struct sentence *s, const char *format, ...)
{
	va_list arguments;
	int written;

	va_start(arguments, format);
	written = vsnprintf(s->text + s->length, s->size - s->length, format, arguments);
	va_end(arguments);
	if (written > 0)
		s->length += (size_t)written < s->size - s->length ? (size_t)written
								   : s->size - s->length - 1;
}

void linalg_tell_dependence(const struct linalg_qr *qr, char *text, size_t size)
{
	struct sentence s = { text, size, 0 };

	append(&s, "rank %zu of %zu", qr->rank, qr->columns);
	for (size_t which = 0; which < qr->columns - qr->rank; which++) {
		size_t count;
		const size_t *members = linalg_dependence(qr, which, &count);

		append(&s, which ? "; " : ": ");
		if (count == 1) {
			append(&s, "column %zu holds only zeros", members[0] + 1);
			continue;
		}
		append(&s, "columns");
		for (size_t i = 0; i < count; i++)
			append(&s, "%s %zu",
			       i == 0		? ""
			       : i + 1 == count ? " and"
						: ",",
			       members[i] + 1);
		append(&s, " depend on each other");
	}
}

/* One Jacobi rotation that makes two columns orthogonal; false where they already are. */
static bool rotate(double *a, double *b, size_t count)
{
	double aa = 0, bb = 0, ab = 0, zeta, tangent, cosine, sine;

	for (size_t i = 0; i < count; i++) {
		aa += a[i] * a[i];
		bb += b[i] * b[i];
		ab += a[i] * b[i];
	}
	if (fabs(ab) <= (double)count * DBL_EPSILON * sqrt(aa) * sqrt(bb))
		return false;
	zeta = (bb - aa) / (2 * ab);
	tangent = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
	cosine = 1 / hypot(1, tangent);
	sine = cosine * tangent;
	for (size_t i = 0; i < count; i++) {
		double left = a[i];

		a[i] = cosine * left - sine * b[i];
		b[i] = sine * left + cosine * b[i];
	}
	return true;
}

/* R with columns of length 1, transposed: on columns of falling size Jacobi needs few sweeps. */
static void copy_factor(const struct linalg_qr *qr, double *ret_columns)
{
	const size_t n = qr->columns;

	memset(ret_columns, 0, n * n * sizeof(*ret_columns));
	for (size_t j = 0; j < n; j++) {
		const struct wide *cells = column_of(qr, j);
		double length = hypot(sqrt(square_sum(cells, j).hi), qr->diagonal[j].hi);

		for (size_t i = 0; i < j; i++)
			ret_columns[i * n + j] = cells[i].hi / length;
		ret_columns[j * n + j] = qr->diagonal[j].hi / length;
	}
}

double linalg_condition(const struct linalg_qr *qr, double *work)
{
	const size_t n = qr->columns;
	double largest = 0, smallest = INFINITY;
	bool turned = true;

	if (qr->rank < n)
		return INFINITY;
	copy_factor(qr, work);
	/* It converges quadratically, in under 10 sweeps; the bound is for safety. */
	for (int sweep = 0; sweep < 60 && turned; sweep++) {
		turned = false;
		for (size_t i = 0; i + 1 < n; i++)
			for (size_t j = i + 1; j < n; j++)
				turned |= rotate(work + i * n, work + j * n, n);
	}
	for (size_t j = 0; j < n; j++) {
		double squares = 0;

		for (size_t i = 0; i < n; i++)
			squares += work[j * n + i] * work[j * n + i];
		largest = fmax(largest, sqrt(squares));
		smallest = fmin(smallest, sqrt(squares));
	}
	return largest / smallest;
}
