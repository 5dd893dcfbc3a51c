/* SPDX-License-Identifier: MIT
 *
 * monitoring: is a process in control, and does it fit its limits.
 */
#include "monitoring/monitoring.h"

/* clang-format off */
static const th_tool tools[] = {
	TH_TOOL(control_chart, struct chart_in, chart_params, chart_results,
		"Control chart",
		"Sets target and control limits from a series of measurements in order of time and lists what is out of control. Use it to see whether a process was stable, when it shifted, and which points to look into: shewhart for single bad points, ewma or cusum for small lasting shifts, holt_winters (the default) for series with a trend or outliers. It is about the process's own variation; for specification limits use process_capability.",
		{"category": "monitoring", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "One point far off", "arguments": {"values": [10.1, 10.3, 10.2, 10.0, 15.5, 10.1], "chart_type": "shewhart"}},
			      {"title": "A lasting shift, and when it began", "arguments": {"values": [10.1, 10.3, 10.2, 10.0, 10.1, 10.2, 11.5, 11.4, 11.6, 11.5], "chart_type": "cusum", "style": "robust"}}]}),
	TH_TOOL(process_capability, struct capability_in, capability_params, capability_results,
		"Process capability",
		"How well a process fits between its specification limits: Cpk, with a verdict. Use it when limits are given by a customer or a standard and the question is whether the process can hold them; one limit is enough. Look at a control_chart first, since a process that drifts has no capability. It judges by all variation in the data, so strictly it is a performance index.",
		{"category": "monitoring", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "Two limits", "arguments": {"values": [10.1, 10.2, 9.9, 10.0, 10.05], "lower_spec": 9.5, "upper_spec": 10.5}},
			      {"title": "One limit, classical", "arguments": {"values": [10.1, 10.2, 9.9, 10.0, 10.05], "upper_spec": 10.5, "robust": false}}]}),
};

TH_PACK(tools, {"version": "1.0.0",
		"summary": "Control charts and process capability.",
		"license": "MIT"})
