/* SPDX-License-Identifier: MIT
 *
 * One CUnit suite a program: a table of tests and UNIT_MAIN.
 */
#ifndef TOOLHOST_UNIT_H
#define TOOLHOST_UNIT_H

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit_test {
	const char *name;
	void (*run)(void);
};

#define UNIT_TEST(function)                                                                        \
	{                                                                                          \
#function, function                                                                \
	}

/* Compares texts and shows both when they differ. */
#define UNIT_TEXT(actual, expected)                                                                \
	do {                                                                                       \
		const char *unit_a_ = (actual), *unit_e_ = (expected);                             \
		if (!unit_a_ || strcmp(unit_a_, unit_e_))                                          \
			fprintf(stderr, "%s:%d: got      %s\n%s:%d: expected %s\n", __FILE__,      \
				__LINE__, unit_a_ ? unit_a_ : "(null)", __FILE__, __LINE__,        \
				unit_e_);                                                          \
		CU_ASSERT(unit_a_ && !strcmp(unit_a_, unit_e_));                                   \
	} while (0)

/* How many descriptors are open, the one that looks among them. */
static inline size_t unit_descriptors(void)
{
	DIR *stream = opendir("/proc/self/fd");
	size_t count = 0;

	while (readdir(stream))
		count++;
	closedir(stream);
	return count;
}

static inline int unit_run(const char *suite, const struct unit_test *tests, size_t count)
{
	CU_pSuite s;
	unsigned failed;

	if (CU_initialize_registry() != CUE_SUCCESS || !(s = CU_add_suite(suite, NULL, NULL)))
		return EXIT_FAILURE;
	for (size_t i = 0; i < count; i++)
		if (!CU_add_test(s, tests[i].name, tests[i].run))
			return EXIT_FAILURE;
	CU_basic_set_mode(CU_BRM_NORMAL);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(suite, tests)                                                                    \
	int main(void)                                                                             \
	{                                                                                          \
		return unit_run(suite, tests, sizeof(tests) / sizeof((tests)[0]));                 \
	}

#endif
