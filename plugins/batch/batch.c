/* SPDX-License-Identifier: MIT
 *
 * batch: batch processes, from readings to one row a batch.
 */
#include "batch/batch.h"

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(extract_batch_features, struct extract_in, extract_params, extract_results,
		"Features of batches",
		"Turns a table of readings from batches, one row a reading, into one row a batch: mean, spread, extremes, end point, area under the curve, slope. Use it as the first step of comparing batches, before fit_pca or control_chart are given the features. Missing readings are skipped.",
		{"category": "batch", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "Two batches, mean and standard deviation", "arguments": {"data": [{"batch": "B1", "temp": 50}, {"batch": "B1", "temp": 54}, {"batch": "B2", "temp": 53}, {"batch": "B2", "temp": 51}], "value_columns": ["temp"]}},
			      {"title": "End point, area and slope over time", "arguments": {"data": [{"lot": 7, "hour": 0, "titre": 0}, {"lot": 7, "hour": 1, "titre": 2}, {"lot": 7, "hour": 2, "titre": 4}, {"lot": 7, "hour": 3, "titre": 7}], "value_columns": ["titre"], "features": ["last", "area", "slope"], "batch_column": "lot", "time_column": "hour"}}]}),
};

TH_PACK(tools, {"version": "1.0.0",
		"summary": "Batch processes, from readings to one row a batch.",
		"license": "MIT"})
