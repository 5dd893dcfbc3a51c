/* SPDX-License-Identifier: MIT
 *
 * words: a tool pack in C++. No exception may leave a tool, since C cannot catch it: guarded() is between.
 */
#include <toolhost/plugin.h>

#include <exception>
#include <new>
#include <set>
#include <string>

namespace
{

struct count_in {
	th_texts texts;
};

const th_param count_params[] = {
	TH_STRINGS(count_in, texts, "The texts.", {}),
	TH_END
};

const th_param count_results[] = {
	TH_GIVES_INTEGER(different, "How many different texts there are.", {}),
	TH_END
};

/* Runs a tool that may throw. */
template <typename Input, int32_t (*tool)(th_call *, const Input &)>
int32_t guarded(th_call *call, const void *input)
{
	try {
		return tool(call, *static_cast<const Input *>(input));
	} catch (const std::bad_alloc &) {
		return TH_NO_MEMORY;
	} catch (const std::exception &e) {
		return th_fail(call, "%s", e.what());
	} catch (...) {
		return th_fail(call, "The tool failed for an unknown reason.");
	}
}

int32_t count_texts(th_call *call, const count_in &in)
{
	std::set<std::string> seen;

	for (uint64_t i = 0; i < in.texts.count; i++)
		seen.emplace(in.texts.values[i].data, in.texts.values[i].length);
	return th_put_integer(call, "different", static_cast<int64_t>(seen.size()));
}

constexpr th_run count_different = guarded<count_in, count_texts>;

const th_tool tools[] = {
	TH_TOOL(count_different, count_in, count_params, count_results,
		"Count texts", "Counts the different texts in a list.",
		{"threads": "parallel", "annotations": {"readOnlyHint": true},
		 "examples": [{"arguments": {"texts": ["a", "b", "a"]}, "result": {"different": 2}}]}),
};

} // namespace

TH_PACK(tools, {"version": "0.1.0", "summary": "Counts texts.", "license": "MIT"})
