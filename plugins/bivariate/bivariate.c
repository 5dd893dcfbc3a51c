/* SPDX-License-Identifier: MIT
 *
 * bivariate: how one variable goes with another.
 */
#include "bivariate/bivariate.h"

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(find_elbow, struct elbow_in, elbow_params, elbow_results,
		"Find the elbow of a curve",
		"Finds the point at which a curve that is roughly two straight lines turns: where a scree plot flattens, where more components, clusters or catalyst no longer pay, where a trend begins. Fits robust lines to its beginning and its end and takes the point nearest to where they cross. Needs 11 points; their order does not matter.",
		{"category": "bivariate", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "A scree plot", "arguments": {"x": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "y": [60, 48, 37, 25, 14, 4, 3.6, 3.3, 3.0, 2.6, 2.3, 2.0]},
			       "result": {"elbow_index": 5, "elbow_x": 6, "elbow_y": 4, "n": 12}}]}),
};

TH_PACK(tools, {"version": "1.0.0",
		"summary": "How one variable goes with another: the elbow of a curve.",
		"license": "MIT"})
