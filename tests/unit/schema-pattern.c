/* SPDX-License-Identifier: MIT
 *
 * Regular expressions: ECMA-262 and not what PCRE2 makes of the same text.
 */
#include "schema-unit.h"

#include "schema/pattern.h"

static enum pattern_verdict match(const char *pattern_source, const char *subject)
{
	struct pattern_work work;
	struct pattern *pattern;
	enum pattern_verdict verdict;
	char reason[160];

	pattern_work_init(&work);
	pattern = pattern_compile(pattern_source, strlen(pattern_source), reason, sizeof(reason));
	if (!pattern)
		fprintf(stderr, "%s: %s\n", pattern_source, reason);
	CU_ASSERT_PTR_NOT_NULL_FATAL(pattern);
	verdict = pattern_match(pattern, &work, subject, strlen(subject));
	pattern_free(pattern);
	pattern_work_free(&work);
	return verdict;
}

static void test_meaning(void)
{
	static const struct {
		const char *pattern, *subject;
		bool matches;
	} cases[] = {
		{ "", "anything", true },
		{ "b", "abc", true },
		{ "^abc$", "abc\n", false },
		{ "^.$", "\n", false },
		{ "^.$", "\xE2\x80\xA8", false },
		{ "^.$", "\xC2\x85", true },
		{ "^\\d+$", "\xD9\xA3", false },
		{ "^\\w$", "\xC3\xA9", false },
		{ "^\\s$", "\xEF\xBB\xBF", true },
		{ "^[\\s]$", "\xE3\x80\x80", true },
		{ "^\\S$", "\xC2\xA0", false },
		{ "^[^\\S]$", "\xC2\xA0", true },
		{ "^[\\S]$", "\xF0\x9F\x90\xB2", true },
		{ "^[\\d.-]+$", "3.-", true },
		{ "^[\\w-.]+$", "a-.", true },
		{ "^[a-\\d]+$", "a-5", true },
		{ "^\\p{L}+$", "\xC3\xA9", true },
		{ "^\\p{Letter}+$", "\xC3\xA9", true },
		{ "^\\p{gc=Uppercase_Letter}$", "A", true },
		{ "^\\p{Script=Greek}$", "\xCE\xB1", true },
		{ "^\\P{L}$", "1", true },
		{ "^[\\p{ASCII}]$", "\xC3\xA9", false },
		{ "^\\p{ASCII}+$", "az", true },
		{ "^\\cJ$", "\n", true },
		{ "^[\\b]$", "\b", true },
		{ "\\bab\\b", "x ab y", true },
		{ "^\\x41\\u0042\\u{43}$", "ABC", true },
		{ "^\\ud83d\\udc32$", "\xF0\x9F\x90\xB2", true },
		{ "^\xF0\x9F\x90\xB2*$", "\xF0\x9F\x90\xB2\xF0\x9F\x90\xB2", true },
		{ "^[\xF0\x9F\x90\xB1-\xF0\x9F\x90\xB3]$", "\xF0\x9F\x90\xB2", true },
		{ "^(a)\\1$", "aa", true },
		{ "^(?<x>a)\\k<x>$", "aa", true },
		{ "^\\k<x>(?<x>a)$", "a", true },
		{ "^(?:(a)|b)\\1$", "b", true },
		{ "^(?:ab)+$", "abab", true },
		{ "^a(?=b)", "ab", true },
		{ "^a(?!b)", "ab", false },
		{ "(?<=a)b", "ab", true },
		{ "(?<!a)b", "ab", false },
		{ "^a{2,3}$", "aaaa", false },
		{ "^a{2,}?$", "aaaa", true },
		{ "^{a}$", "{a}", true },
		{ "^a{,3}$", "a{,3}", true },
		{ "^]}$", "]}", true },
		{ "^[[:alpha:]]$", "a]", true },
		{ "^[[]$", "[", true },
		{ "^[^]$", "\n", true },
		{ "[]", "a", false },
		{ "^\\/\\-\\_\\@$", "/-_@", true },
		{ "^\\0$", "x", false },
		{ "^#a b$", "#a b", true },
		{ "^\\(\\*ACCEPT\\)$", "(*ACCEPT)", true },
		{ "^[+*?.^$(){}|]+$", "+*?.^$(){}|", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum pattern_verdict verdict = match(cases[i].pattern, cases[i].subject);

		if (verdict != (cases[i].matches ? PATTERN_MATCH : PATTERN_NO_MATCH))
			fprintf(stderr, "%s on \"%s\": %d\n", cases[i].pattern, cases[i].subject,
				(int)verdict);
		CU_ASSERT_EQUAL(verdict, cases[i].matches ? PATTERN_MATCH : PATTERN_NO_MATCH);
	}
}

/* What ECMA-262 refuses, though PCRE2 or Python take some of it. */
static void test_refused(void)
{
	static const char *const wrong[] = {
		"(",	    ")",	   "a)",
		"(?",	    "[a",	   "a**",
		"a++",	    "a*+",	   "+",
		"^*",	    "(?=a)*",	   "a{3,2}",
		"{2}",	    "a{2}{3}",	   "[b-a]",
		"\\",	    "\\a",	   "\\Z",
		"\\A",	    "\\h",	   "\\Qa\\E",
		"\\1",	    "\\k<x>",	   "\\k",
		"(a)\\2",   "\\c1",	   "\\x4",
		"\\u12",    "\\u{110000}", "\\ud800",
		"\\u{}",    "\\p",	   "\\p{}",
		"\\p{L",    "\\p{x y}",	   "\\p{No=L}",
		"(?i)a",    "(?>a)",	   "(?#a)",
		"(?P<n>a)", "(?R)",	   "(?1)",
		"(*FAIL)",  "(?|a)",	   "(?<>a)",
		"(?<n a)",  "(?<1 >a)",	   "\\01",
		"a{70000}", "\\p{Nosuch}", "\\ud83d\\u0041",
	};
	char reason[160];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pattern *pattern =
			pattern_compile(wrong[i], strlen(wrong[i]), reason, sizeof(reason));

		if (pattern)
			fprintf(stderr, "%s is taken\n", wrong[i]);
		CU_ASSERT_PTR_NULL(pattern);
		CU_ASSERT(strlen(reason) > 0);
		pattern_free(pattern);
	}
	CU_ASSERT_PTR_NULL(pattern_compile("ab(?i)", 6, reason, sizeof(reason)));
	UNIT_TEXT(reason, "ECMA-262 has no group (?i at byte 3");
}

static char *repeat(const char *head, const char *part, size_t count, const char *tail)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);

	buffer_text(&text, head);
	for (size_t i = 0; i < count; i++)
		buffer_text(&text, part);
	buffer_text(&text, tail);
	return buffer_take(&text, NULL);
}

/* Each of these is stopped or done in well under the bound; 0.3 s leaves room for sanitizers and
 * slow machines. */
static void test_catastrophes(void)
{
	static const struct {
		const char *pattern;
		const char *part, *tail; /* of the subject: 100,000 bytes of part, then tail */
	} cases[] = {
		{ "((a+)+)+$", "a", "!" },
		{ "^(a|aa)+$", "a", "!" },
		{ "(a*)*b", "a", "" },
		{ "[^y]*y", "a", "" },
		{ "(?=[^y]*)y", "a", "" },
		{ "(?=[^y]*z)", "a", "" },
		{ "[ab]{30000}c", "a", "" },
		{ "(a*)\\1b", "a", "" },
		{ "(.*)(.*)(.*)(.*)x", "a", "" },
		{ "(?:a?){50}b", "a", "" },
		{ "(?:[ab]{100}){100}c", "ab", "" },
		{ "(?:a{0,1000}){0,60}b", "a", "" },
	};
	char *optional = repeat("^", "a?", 62, ""), *plain = repeat(optional, "a", 62, "$");
	char *short_one = repeat("", "a", 28, "!");
	double start;

	start = seconds_now();
	CU_ASSERT_EQUAL(match("((a+)+)+$", short_one), PATTERN_LIMIT);
	CU_ASSERT(seconds_now() - start < 0.3 * PATIENCE);
	start = seconds_now();
	match(plain, short_one);
	CU_ASSERT(seconds_now() - start < 0.3 * PATIENCE);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *subject =
			repeat("", cases[i].part, 100000 / strlen(cases[i].part), cases[i].tail);

		start = seconds_now();
		CU_ASSERT_NOT_EQUAL(match(cases[i].pattern, subject), PATTERN_MATCH);
		if (seconds_now() - start >= 0.3 * PATIENCE)
			fprintf(stderr, "%s: %.3f s\n", cases[i].pattern, seconds_now() - start);
		CU_ASSERT(seconds_now() - start < 0.3 * PATIENCE);
		free(subject);
	}
	free(optional);
	free(plain);
	free(short_one);
}

/* Patterns that go over their subject a few times never run out, however long and many the subjects
 * are. */
static void test_honest_work(void)
{
	static const char *const patterns[] = { "^[a-z ]*$", "^(?:[a-z]| )*$", "z",
						"\\S",	     "^\\s*\\S",       "[a-z]{3}" };
	char *subject = repeat("", "the quick brown fox jumps over the lazy dog ", 2200, "");
	struct pattern_work work;
	char reason[160];

	pattern_work_init(&work);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct pattern *pattern =
			pattern_compile(patterns[i], strlen(patterns[i]), reason, sizeof(reason));

		for (int times = 0; times < 30; times++)
			CU_ASSERT_EQUAL(pattern_match(pattern, &work, subject, strlen(subject)),
					PATTERN_MATCH);
		pattern_free(pattern);
	}
	pattern_work_free(&work);
	free(subject);
}

/* A pattern that runs into its limit is a refusal that says so, never a match, also below a `not`.
 */
static void test_limit_is_told(void)
{
	struct schema_problems problems;

	CU_ASSERT_FALSE(validate("{\"pattern\":\"((a+)+)+$\"}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"",
				 &problems));
	CU_ASSERT_TRUE(problems.exhausted);
	UNIT_TEXT(problems.items[0].expected, "a value that can be validated within the limit on "
					      "the work of regular expressions");
	CU_ASSERT_FALSE(validate("{\"not\":{\"pattern\":\"((a+)+)+$\"}}",
				 "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"", &problems));
	CU_ASSERT_FALSE(validate("{\"anyOf\":[{\"pattern\":\"((a+)+)+$\"},true]}",
				 "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"", &problems));
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_meaning),     UNIT_TEST(test_refused),	    UNIT_TEST(test_catastrophes),
	UNIT_TEST(test_honest_work), UNIT_TEST(test_limit_is_told),
};

UNIT_MAIN("schema-pattern", tests)
