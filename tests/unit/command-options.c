/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "base/settings.h"
#include "command/options.h"

#include <stdarg.h>

enum { WORDS_MOST = 16 };

static int nothing(struct program *program, const struct arguments *arguments)
{
	(void)program;
	(void)arguments;
	return 0;
}

static const struct command_option list_options[] = {
	{ "format", "FORM", "how" },
	{ "long", NULL, "more" },
	{ NULL, NULL, NULL },
};
static const struct command list = { .name = "list",
				     .operands = "",
				     .summary = "List",
				     .help = "",
				     .options = list_options,
				     .run = nothing };
static const struct command call = { .name = "call",
				     .operands = "TOOL [JSON]",
				     .summary = "Call",
				     .help = "",
				     .least = 1,
				     .most = 2,
				     .run = nothing };
static const struct command check = { .name = "check",
				      .operands = "FILE ...",
				      .summary = "Check",
				      .help = "",
				      .least = 1,
				      .most = SIZE_MAX,
				      .run = nothing };
static const struct command *const pack_commands[] = { &check, NULL };
static const struct command pack = { .name = "pack",
				     .operands = "COMMAND ...",
				     .summary = "Packs",
				     .help = "",
				     .commands = pack_commands };
static const struct command *const commands[] = { &list, &call, &pack, NULL };
static const struct command root = { .name = "toolhost",
				     .operands = "COMMAND ...",
				     .summary = "Host",
				     .help = "",
				     .commands = commands };

/* One command line, read. */
struct line {
	char *words[WORDS_MOST];
	int count;
	struct program program;
	struct invocation invocation;
	struct error error;
	int status;
};

static void read_line(struct line *line, ...) __attribute__((sentinel));
static void read_line(struct line *line, ...)
{
	va_list words;
	char *word;

	memset(line, 0, sizeof(*line));
	line->words[line->count++] = "toolhost";
	va_start(words, line);
	while ((word = va_arg(words, char *)))
		line->words[line->count++] = word;
	va_end(words);
	settings_clear();
	line->status = options_read(&root, line->count, line->words, &line->program,
				    &line->invocation, &line->error);
}

static void free_line(struct line *line)
{
	options_free(&line->program, &line->invocation);
	error_clear(&line->error);
}

static void check_refused(struct line *line, const char *message)
{
	CU_ASSERT(line->status == STATUS_USAGE);
	UNIT_TEXT(line->error.message, message);
	free_line(line);
}

static void options_stand_anywhere(void)
{
	struct line line;

	read_line(&line, "--timeout", "2.5", "call", "--no-cache", "add", "--isolation=sandboxed",
		  "{}", "-vv", NULL);
	CU_ASSERT(line.status == STATUS_OK);
	CU_ASSERT(line.invocation.depth == 2 && line.invocation.chain[1] == &call);
	CU_ASSERT(line.invocation.arguments.count == 2);
	UNIT_TEXT(line.invocation.arguments.operands[0], "add");
	UNIT_TEXT(line.invocation.arguments.operands[1], "{}");
	CU_ASSERT(line.invocation.arguments.operands[2] == NULL);
	CU_ASSERT(line.program.timeout == 2.5);
	CU_ASSERT(line.program.no_cache);
	CU_ASSERT(line.program.isolation == ISOLATION_SANDBOXED);
	CU_ASSERT(line.program.verbosity == 2);
	free_line(&line);
}

static void pack_dirs_repeat(void)
{
	struct line line;

	read_line(&line, "--pack-dir", "a", "list", "--pack-dir=b", NULL);
	CU_ASSERT(line.status == STATUS_OK);
	CU_ASSERT(line.program.pack_dir_count == 2);
	UNIT_TEXT(line.program.pack_dirs[0], "a");
	UNIT_TEXT(line.program.pack_dirs[1], "b");
	CU_ASSERT(line.program.pack_dirs[2] == NULL);
	free_line(&line);
}

static void options_of_the_command(void)
{
	struct line line;

	read_line(&line, "list", "--format", "json", "--long", NULL);
	CU_ASSERT(line.status == STATUS_OK);
	UNIT_TEXT(arguments_value(&line.invocation.arguments, "format"), "json");
	UNIT_TEXT(arguments_value(&line.invocation.arguments, "long"), "");
	free_line(&line);

	read_line(&line, "list", NULL);
	CU_ASSERT(arguments_value(&line.invocation.arguments, "format") == NULL);
	free_line(&line);
}

static void dash_is_an_operand_and_two_end_the_options(void)
{
	struct line line;

	read_line(&line, "call", "--", "--help", "-", NULL);
	CU_ASSERT(line.status == STATUS_OK);
	CU_ASSERT(!line.invocation.help);
	UNIT_TEXT(line.invocation.arguments.operands[0], "--help");
	UNIT_TEXT(line.invocation.arguments.operands[1], "-");
	free_line(&line);
}

static void settings_are_flags(void)
{
	struct line line;

	read_line(&line, "--max-cells", "5", "list", "--no-repair-arguments", "--mcp-safe-mode",
		  "--drop-underscore-keys=true", NULL);
	CU_ASSERT(line.status == STATUS_OK);
	CU_ASSERT(setting_whole(SETTING_MAX_CELLS) == 5);
	CU_ASSERT(!setting_switch(SETTING_REPAIR_ARGUMENTS));
	CU_ASSERT(setting_switch(SETTING_MCP_SAFE_MODE));
	CU_ASSERT(setting_switch(SETTING_DROP_UNDERSCORE_KEYS));
	UNIT_TEXT(setting_source(SETTING_MAX_CELLS), "flag");
	free_line(&line);
	settings_clear();
}

static void settings_refuse_what_is_no_value(void)
{
	struct line line;

	read_line(&line, "--max-cells", "many", "list", NULL);
	CU_ASSERT(line.status == STATUS_USAGE);
	CU_ASSERT(strstr(line.error.message, "max") && strstr(line.error.message, "many"));
	free_line(&line);
	/* Only switches have a "no". */
	read_line(&line, "--no-max-cells", "list", NULL);
	CU_ASSERT(line.status == STATUS_USAGE);
	free_line(&line);
	read_line(&line, "--no-repair-arguments=true", "list", NULL);
	check_refused(&line, "--no-repair-arguments takes no value");
}

static void nearest_is_named(void)
{
	struct line line;

	read_line(&line, "lsit", NULL);
	check_refused(&line, "toolhost has no command \"lsit\"; did you mean \"toolhost list\"?");
	read_line(&line, "pack", "chekc", NULL);
	check_refused(
		&line,
		"toolhost pack has no command \"chekc\"; did you mean \"toolhost pack check\"?");
	read_line(&line, "zzzzzz", NULL);
	check_refused(&line, "toolhost has no command \"zzzzzz\"; `toolhost --help` lists them");
	read_line(&line, "list", "--fromat", "x", NULL);
	check_refused(&line, "there is no option --fromat; did you mean --format?");
	read_line(&line, "--max-cell", "3", "list", NULL);
	check_refused(&line, "there is no option --max-cell; did you mean --max-cells?");
	read_line(&line, "list", "--qqqqqqqqqqqq", NULL);
	check_refused(&line, "there is no option --qqqqqqqqqqqq; try --help");
	read_line(&line, "list", "-x", NULL);
	check_refused(&line, "there is no option -x; options are spelled out, as in --timeout 5");
}

static void operands_are_counted(void)
{
	struct line line;

	read_line(&line, NULL);
	check_refused(&line, "toolhost needs a command; `toolhost --help` lists them");
	read_line(&line, "pack", NULL);
	check_refused(&line, "toolhost pack needs a command; `toolhost pack --help` lists them");
	read_line(&line, "call", NULL);
	check_refused(&line,
		      "toolhost call needs TOOL [JSON]; `toolhost call --help` has an example");
	read_line(&line, "call", "a", "{", "}", NULL);
	check_refused(&line, "toolhost call does not know what to do with \"}\"; quote an argument "
			     "that has blanks");
}

static void values_are_checked(void)
{
	static char *const bad[] = { "0", "-1", "5s", "", "nan", "1e999", "0x10" };
	struct line line;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		read_line(&line, "--timeout", bad[i], "list", NULL);
		CU_ASSERT(line.status == STATUS_USAGE);
		CU_ASSERT(strstr(line.error.message, "--timeout") != NULL);
		free_line(&line);
	}
	read_line(&line, "--isolation", "chroot", "list", NULL);
	check_refused(&line, "--isolation chroot: write in-process, isolated or sandboxed");
	read_line(&line, "list", "--pack-dir", NULL);
	check_refused(&line, "--pack-dir needs a value: --pack-dir DIR");
	read_line(&line, "list", "--pack-dir=", NULL);
	check_refused(&line, "--pack-dir needs the path of a folder");
	read_line(&line, "list", "--no-cache=yes", NULL);
	check_refused(&line, "--no-cache takes no value");
}

/* A fault before --json is told as JSON all the same. */
static void json_is_seen_early(void)
{
	struct line line;

	read_line(&line, "--bogus", "list", "--json", NULL);
	CU_ASSERT(line.status == STATUS_USAGE);
	CU_ASSERT(line.program.json);
	free_line(&line);
	read_line(&line, "call", "a", "--", "--json", NULL);
	CU_ASSERT(!line.program.json);
	free_line(&line);
}

static void help_on_every_level(void)
{
	struct buffer out = BUFFER_INIT(SIZE_MAX);
	struct line line;

	read_line(&line, "pack", "check", "--help", NULL);
	CU_ASSERT(line.status == STATUS_OK && line.invocation.help);
	help_print(&out, &line.invocation);
	CU_ASSERT(!strncmp(out.data, "usage: toolhost pack check [options] FILE ...\n", 45));
	free_line(&line);
	buffer_reset(&out);

	read_line(&line, "--help", NULL);
	CU_ASSERT(line.status == STATUS_OK && line.invocation.help);
	help_print(&out, &line.invocation);
	CU_ASSERT(strstr(out.data, "\nCommands:\n") && strstr(out.data, "  list  ") &&
		  strstr(out.data, "  pack  "));
	free_line(&line);
	buffer_free(&out);

	read_line(&line, "list", "--version", NULL);
	CU_ASSERT(line.status == STATUS_OK && line.invocation.version);
	free_line(&line);
}

static const struct unit_test tests[] = {
	UNIT_TEST(options_stand_anywhere), UNIT_TEST(pack_dirs_repeat),
	UNIT_TEST(options_of_the_command), UNIT_TEST(dash_is_an_operand_and_two_end_the_options),
	UNIT_TEST(settings_are_flags),	   UNIT_TEST(settings_refuse_what_is_no_value),
	UNIT_TEST(nearest_is_named),	   UNIT_TEST(operands_are_counted),
	UNIT_TEST(values_are_checked),	   UNIT_TEST(json_is_seen_early),
	UNIT_TEST(help_on_every_level),
};

UNIT_MAIN("command-options", tests)
