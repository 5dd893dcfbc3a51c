/* SPDX-License-Identifier: MIT
 *
 * A good pack in C++: its exceptions stop at the border.
 */
#include "zoo.h"

#include <stdexcept>
#include <string>
#include <vector>

static int32_t answer(th_call *call)
{
	std::vector<double> values{ 3, 1, 2 };
	double sum = 0;

	for (double value : values)
		sum += value;
	if (sum > 5)
		throw std::runtime_error("a sum of " + std::to_string((int)sum));
	return th_put_number(call, "sum", sum);
}

static int32_t ok_cxx(th_call *call, const void *)
{
	try {
		return answer(call);
	} catch (const std::exception &error) {
		return th_put_string(call, "caught", error.what());
	} catch (...) {
		return th_fail(call, "an exception of unknown type");
	}
}

ZOO_PACK(ok_cxx)
