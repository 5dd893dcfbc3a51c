/* SPDX-License-Identifier: MIT
 *
 * The tools of the pack, and its two parts: rows into batches, readings into features.
 */
#ifndef TOOLHOST_BATCH_H
#define TOOLHOST_BATCH_H

#include "common/prose.h"
#include "common/tool.h"

/* extract.c */
struct extract_in {
	th_table data;
	th_texts value_columns;
	th_flags features;
	th_text batch_column;
	th_text time_column;
};

extern const th_param extract_params[], extract_results[];
int32_t extract_batch_features(th_call *call, const void *input);

/* ---- Rows into batches (groups.c) ------------------------------------------------------- */

/* Batches in order of their id: numbers, then texts, then the rest. The rows of batch b, in the
 * order in which they were given, are rows[start[b]] up to rows[start[b + 1]]. All memory is the
 * call's. */
struct batches {
	size_t count;
	size_t *start;
	uint64_t *rows;
};

/* Sorts the rows of a table by what a column says; NULL for a column makes one batch of all. TH_OK,
 * or what a tool is to return: a row without an id is refused. */
int32_t batches_make(th_call *call, const th_column *ids, uint64_t rows,
		     struct batches *ret_batches);

/* ---- Readings into features (features.c) ------------------------------------------------ */

enum feature {
	FEATURE_MEAN,
	FEATURE_MEDIAN,
	FEATURE_STD,
	FEATURE_IQR,
	FEATURE_SUM,
	FEATURE_MIN,
	FEATURE_MAX,
	FEATURE_LAST,
	FEATURE_COUNT,
	FEATURE_AREA,
	FEATURE_SLOPE,
	FEATURES
};

/* The readings of one column in one batch, without the missing ones. times: NULL, or when each was
 * taken, ascending; in_time then are the readings in that order, those without a time left out. */
struct readings {
	const double *values;
	size_t count;
	const double *times;
	const double *in_time;
	size_t timed;
};

/* What features_of() wants as scratch, in doubles, for this many readings. */
#define FEATURES_SCRATCH(count) (16 * (size_t)(count) + 1)

/* All features; NaN for what cannot be had: the sum of nothing is 0 and its count 0, all else is
 * NaN. Area and slope are NaN without times; slope also with fewer than two different ones. */
void features_of(const struct readings *readings, double ret_features[FEATURES], double *scratch);

/* A text in a sentence, as the two arguments of "%.*s". */
#define SHOWN(name) prose_cut((name).data, (name).length, 40), (name).data

#endif
