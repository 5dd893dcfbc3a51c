/* SPDX-License-Identifier: MIT
 *
 * Where a call runs, by who asks for what: the strictest wins, and is named.
 */
#include <config.h>

#include "unit.h"

#include "base/settings.h"
#include "execute/execute.h"

#include <string.h>

/* A call that nobody wants walls for, and what one party changes. */
struct asking {
	struct registry_pack pack;
	struct registry_tool tool;
	struct tool_spec spec;
	enum trust trust;
	enum isolation at_least;
	bool abandoned;
};

static struct asking plain(void)
{
	return (struct asking){ .pack = { .trust = PACK_TRUSTED_BUILD, .bind_now = true } };
}

static enum isolation decide(struct asking *asking, const char **ret_reason)
{
	enum isolation strategy;

	asking->tool.pack = &asking->pack;
	asking->spec.tool = &asking->tool;
	policy_decide(&asking->spec, asking->trust, asking->at_least, asking->abandoned, &strategy,
		      ret_reason);
	return strategy;
}

static void check(struct asking asking, enum isolation strategy, const char *word)
{
	const char *reason;

	CU_ASSERT_EQUAL(decide(&asking, &reason), strategy);
	CU_ASSERT_PTR_NOT_NULL(strstr(reason, word));
}

static void test_each_party(void)
{
	struct asking asking = plain();

	check(asking, ISOLATION_IN_PROCESS, "trusted");
	asking.trust = TRUST_UNTRUSTED;
	check(asking, ISOLATION_SANDBOXED, "transport");
	asking = plain();
	asking.pack.trust = PACK_UNTRUSTED;
	check(asking, ISOLATION_ISOLATED, "the pack is not trusted");
	asking = plain();
	asking.pack.starts_threads = true;
	check(asking, ISOLATION_ISOLATED, "threads");
	asking = plain();
	asking.pack.bind_now = false;
	check(asking, ISOLATION_ISOLATED, "-z now");
	asking = plain();
	asking.abandoned = true;
	check(asking, ISOLATION_ISOLATED, "deadline");
	asking = plain();
	asking.spec.isolation = ISOLATION_SANDBOXED;
	check(asking, ISOLATION_SANDBOXED, "tool");
	asking = plain();
	asking.at_least = ISOLATION_ISOLATED;
	check(asking, ISOLATION_ISOLATED, "--isolation");
}

static void test_settings(void)
{
	struct asking asking = plain();

	CU_ASSERT_EQUAL(settings_set_flag(SETTING_ISOLATION, "isolated", NULL), STATUS_OK);
	check(asking, ISOLATION_ISOLATED, "setting isolation");
	CU_ASSERT_EQUAL(settings_set_flag(SETTING_MCP_SAFE_MODE, "true", NULL), STATUS_OK);
	check(asking, ISOLATION_SANDBOXED, "safe mode");
	settings_clear();
	settings_check(NULL);
}

/* Nobody can loosen what another asks for. */
static void test_the_strictest(void)
{
	for (int pack = 0; pack < 2; pack++)
		for (int transport = 0; transport < 2; transport++)
			for (int tool = 0; tool < 3; tool++)
				for (int caller = 0; caller < 3; caller++) {
					struct asking asking = plain();
					enum isolation wanted = ISOLATION_IN_PROCESS;
					const char *reason;

					asking.pack.trust = pack ? PACK_UNTRUSTED
								 : PACK_TRUSTED_CONFIG;
					asking.trust = transport ? TRUST_UNTRUSTED : TRUST_TRUSTED;
					asking.spec.isolation = (enum isolation)tool;
					asking.at_least = (enum isolation)caller;
					if (pack)
						wanted = ISOLATION_ISOLATED;
					if (tool > (int)wanted)
						wanted = (enum isolation)tool;
					if (caller > (int)wanted)
						wanted = (enum isolation)caller;
					if (transport)
						wanted = ISOLATION_SANDBOXED;
					CU_ASSERT_EQUAL(decide(&asking, &reason), wanted);
				}
}

/* The host's own tools stand on its side of the walls. */
static void test_linked(void)
{
	struct asking asking = plain();

	asking.pack.linked = &asking;
	asking.trust = TRUST_UNTRUSTED;
	asking.at_least = ISOLATION_SANDBOXED;
	check(asking, ISOLATION_IN_PROCESS, "part of the program");
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_each_party),
	UNIT_TEST(test_settings),
	UNIT_TEST(test_the_strictest),
	UNIT_TEST(test_linked),
};

int main(void)
{
	int status;

	settings_check(NULL);
	status = unit_run("policy", tests, sizeof(tests) / sizeof(tests[0]));
	settings_clear();
	return status;
}
