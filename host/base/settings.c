/* SPDX-License-Identifier: MIT */
#include "base/settings.h"

#include "base/settings-parse.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUR_PREFIX "TOOLHOST_"
#define SEED_PREFIX "PROCESS_IMPROVE_"

#define REAL(key, upper, unit_, least_, most_, fallback_, seed_, summary_)                         \
	{                                                                                          \
		.name = key, .variable = upper, .unit = unit_, .least = least_, .most = most_,     \
		.fallback = fallback_, .seed = seed_, .summary = summary_, .type = SETTING_REAL    \
	}
#define WHOLE(key, upper, unit_, most_, fallback_, seed_, summary_)                                \
	{                                                                                          \
		.name = key, .variable = upper, .unit = unit_, .least = 1, .most = most_,          \
		.fallback = fallback_, .seed = seed_, .summary = summary_, .type = SETTING_WHOLE   \
	}
#define SWITCH(key, upper, fallback_, seed_, summary_)                                             \
	{                                                                                          \
		.name = key, .variable = upper, .unit = "", .fallback = fallback_, .seed = seed_,  \
		.summary = summary_, .type = SETTING_SWITCH                                        \
	}
#define WORDS(key, upper, words_, fallback_, summary_)                                             \
	{                                                                                          \
		.name = key, .variable = upper, .unit = "", .words = words_,                       \
		.fallback = fallback_, .summary = summary_, .type = SETTING_WORDS                  \
	}
#define LIST(key, upper, summary_)                                                                 \
	{                                                                                          \
		.name = key, .variable = upper, .unit = "", .fallback = "", .summary = summary_,   \
		.type = SETTING_LIST                                                               \
	}

/* clang-format off */
static const struct setting_info infos[SETTING_COUNT] = {
	[SETTING_TOOL_TIMEOUT] = REAL("tool_timeout", "TOOL_TIMEOUT",
		"s", 0.001, 604800, "10", true,
		"how long a tool may run, where it does not say so itself"),
	[SETTING_DATASET_FETCH_TIMEOUT] = REAL("dataset_fetch_timeout", "DATASET_FETCH_TIMEOUT",
		"s", 0.001, 604800, "30", true,
		"how long fetching a remote data set may take"),
	[SETTING_MAX_CELLS] = WHOLE("max_cells", "MAX_CELLS",
		"cells", 1e9, "1000000", true,
		"scalars in the arguments of one call"),
	[SETTING_MAX_STRING] = WHOLE("max_string", "MAX_STRING",
		"code points", 1e9, "100000", true,
		"length of one string in the arguments"),
	[SETTING_MAX_DEPTH] = WHOLE("max_depth", "MAX_DEPTH",
		"levels", 512, "10", true,
		"lists and objects in one another in the arguments"),
	[SETTING_MAX_MEMORY_MB] = WHOLE("max_memory_mb", "MAX_MEMORY_MB",
		"MiB", 1048576, "1024", true,
		"memory of an isolated call, beyond what its pack has when loaded"),
	[SETTING_MCP_SAFE_MODE] = SWITCH("mcp_safe_mode", "MCP_SAFE_MODE",
		"false", true,
		"treat calls on the standard streams as untrusted: isolated, sandboxed, limits on"),
	[SETTING_MAX_FACTORS_COMBINATORIAL] = WHOLE("max_factors_combinatorial", "MAX_FACTORS_COMBINATORIAL",
		"factors", 1000, "15", true,
		"factors of designs whose size grows exponentially with them"),
	[SETTING_MAX_REGRESSION_POINTS] = WHOLE("max_regression_points", "MAX_REGRESSION_POINTS",
		"points", 1e7, "5000", true,
		"points of regressions that compare all pairs"),
	[SETTING_MAX_MATRIX_ROWS] = WHOLE("max_matrix_rows", "MAX_MATRIX_ROWS",
		"rows", 1e9, "10000", true,
		"rows of a matrix in multivariate tools"),
	[SETTING_MAX_MATRIX_COLS] = WHOLE("max_matrix_cols", "MAX_MATRIX_COLS",
		"columns", 1e6, "500", true,
		"columns of a matrix in multivariate tools"),
	[SETTING_MAX_FORMULA_CHARS] = WHOLE("max_formula_chars", "MAX_FORMULA_CHARS",
		"code points", 1e6, "4096", true,
		"length of a model formula"),
	[SETTING_MAX_FORMULA_TERMS] = WHOLE("max_formula_terms", "MAX_FORMULA_TERMS",
		"terms", 1e6, "100", true,
		"terms of a model formula once it is expanded"),
	[SETTING_MAX_MESSAGE_MB] = WHOLE("max_message_mb", "MAX_MESSAGE_MB",
		"MiB", 2047, "64", false,
		"size of one message that comes in"),
	[SETTING_MAX_RESULT_MB] = WHOLE("max_result_mb", "MAX_RESULT_MB",
		"MiB", 2047, "16", false,
		"size of one result"),
	[SETTING_MAX_KEYS] = WHOLE("max_keys", "MAX_KEYS",
		"keys", 1e9, "100000", false,
		"keys of all objects in the arguments of one call"),
	[SETTING_MAX_KEY_LENGTH] = WHOLE("max_key_length", "MAX_KEY_LENGTH",
		"code points", 1e6, "1000", false,
		"length of one key in the arguments"),
	[SETTING_MAX_CALLS] = WHOLE("max_calls", "MAX_CALLS",
		"calls", 10000, "64", false,
		"calls in progress at once"),
	[SETTING_SCAN_TIMEOUT] = REAL("scan_timeout", "SCAN_TIMEOUT",
		"s", 0.1, 3600, "5", false,
		"how long looking at one pack may take"),
	[SETTING_REPAIR_ARGUMENTS] = SWITCH("repair_arguments", "REPAIR_ARGUMENTS",
		"true", false,
		"over MCP, take \"0.1\" for 0.1 and \"[1,2]\" for [1,2] where the schema leaves no doubt"),
	[SETTING_DROP_UNDERSCORE_KEYS] = SWITCH("drop_underscore_keys", "DROP_UNDERSCORE_KEYS",
		"false", false,
		"drop unknown arguments that begin with an underscore, and do not refuse them"),
	[SETTING_PAGE_SIZE] = WHOLE("page_size", "PAGE_SIZE",
		"tools", 100000, "1000", false,
		"tools on one page of tools/list"),
	[SETTING_LOG_LEVEL] = WORDS("log_level", "LOG_LEVEL",
		"error|warning|info|debug", "warning",
		"the least grave lines that are logged"),
	[SETTING_STRICT_RESULTS] = SWITCH("strict_results", "STRICT_RESULTS",
		"false", false,
		"check every result against its tool's output schema"),
	[SETTING_ISOLATION] = WORDS("isolation", "ISOLATION",
		"in-process|isolated|sandboxed", "in-process",
		"the least isolation of every call"),
	[SETTING_ENABLED_TOOLS] = LIST("enabled_tools", "ENABLED_TOOLS",
		"the tools to offer, as globs; none given: all of them"),
	[SETTING_DISABLED_TOOLS] = LIST("disabled_tools", "DISABLED_TOOLS",
		"the tools not to offer, as globs"),
	[SETTING_MAX_WORKERS] = WHOLE("max_workers", "MAX_WORKERS",
		"calls", 1000, "8", false,
		"isolated calls that run at once; others wait"),
	[SETTING_SPARE_WORKERS] = {
		.name = "spare_workers", .variable = "SPARE_WORKERS", .unit = "processes",
		.least = 0, .most = 32, .fallback = "2", .type = SETTING_WHOLE,
		.summary = "processes kept ready for a pack's next isolated calls; 0: fork on demand" },
	[SETTING_WORKER_CALLS] = WHOLE("worker_calls", "WORKER_CALLS",
		"calls", 1000000, "1", false,
		"isolated calls that one process serves: 1 is a fresh process for every call, more is a pool"),
	[SETTING_MAX_THREADS] = WHOLE("max_threads", "MAX_THREADS",
		"threads", 4096, "128", false,
		"threads of an isolated call"),
	[SETTING_DEMAND_CGROUP] = SWITCH("demand_cgroup", "DEMAND_CGROUP",
		"false", false,
		"refuse isolated calls where no group of processes (cgroup v2) holds their memory and threads"),
	[SETTING_WORKER_IDLE] = REAL("worker_idle", "WORKER_IDLE",
		"s", 1, 604800, "60", false,
		"how long a pack's launcher stays when no isolated call needs it"),
	[SETTING_DISABLED_PACKS] = LIST("disabled_packs", "DISABLED_PACKS",
		"the packs to leave alone, by name"),
	[SETTING_REPLAY_RECORDS] = {
		.name = "replay_records", .variable = "REPLAY_RECORDS", .unit = "records",
		.least = 0, .most = 10000, .fallback = "20", .type = SETTING_WHOLE,
		.summary = "records kept of calls that crashed, hung or were blocked; 0: none" },
	[SETTING_REPLAY_ARGUMENTS] = SWITCH("replay_arguments", "REPLAY_ARGUMENTS",
		"false", false,
		"keep the arguments in those records, and not only their size and sum"),
	[SETTING_FENCED_CALLS] = SWITCH("fenced_calls", "FENCED_CALLS",
		"true", false,
		"take the calls in code fences at the end of model output"),
};
/* clang-format on */

#define SOURCE_MOST 160

/* What is known of one setting. */
struct state {
	char *flag; /* what was set, checked by then; owned */
	char *file;
	char *file_place;	  /* "/path:12" */
	char source[SOURCE_MOST]; /* of the cached value */
};

_Atomic(struct setting_value *) setting_cache[SETTING_COUNT];
static struct state states[SETTING_COUNT];
static struct setting_value *forgotten;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const struct setting_info *setting_info(enum setting setting)
{
	return &infos[setting];
}

int setting_find(const char *name)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (!strcmp(infos[i].name, name))
			return i;
	return -1;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static const char *environment_text(const struct setting_info *info, char *ret_name, size_t size)
{
	static const char *const prefixes[] = { OUR_PREFIX, SEED_PREFIX };

	for (int i = 0; i < (info->seed ? 2 : 1); i++) {
		const char *text;

		snprintf(ret_name, size, "%s%s", prefixes[i], info->variable);
		text = getenv(ret_name);
		if (text)
			return text;
	}
	return NULL;
}

/* The text of the strongest origin that has one; `source` gets what setting_source() says. */
static const char *effective_text_locked(enum setting setting, char source[SOURCE_MOST])
{
	const struct state *state = &states[setting];
	char variable[64];
	const char *text;

	if (state->flag) {
		snprintf(source, SOURCE_MOST, "flag");
		return state->flag;
	}
	text = environment_text(&infos[setting], variable, sizeof(variable));
	if (text) {
		snprintf(source, SOURCE_MOST, "environment %s", variable);
		return text;
	}
	if (state->file) {
		snprintf(source, SOURCE_MOST, "file %s", state->file_place);
		return state->file;
	}
	snprintf(source, SOURCE_MOST, "default");
	return infos[setting].fallback;
}

/* "TOOLHOST_MAX_DEPTH is "x": write a whole number from 1 to 512 (levels)" */
static int bad_value(const struct setting_info *info, const char *where, const char *text,
		     int status, struct error *error)
{
	struct buffer message = BUFFER_INIT(SIZE_MAX);

	setting_show_text(&message, text);
	buffer_text(&message, ": write ");
	setting_show_allowed(&message, info);
	error_set(error, status, "%s is %s", where,
		  message.fault == BUFFER_GOOD ? message.data : "bad");
	buffer_free(&message);
	return status;
}

static int no_memory(struct error *error)
{
	return error_set(error, STATUS_INTERNAL, "no memory is left for the settings");
}

/* Reads one setting into its cache. */
static int load_locked(enum setting setting, struct error *error)
{
	struct state *state = &states[setting];
	struct setting_value *value = NULL;
	const char *text, *variable;
	int status;

	if (setting_cache[setting])
		return STATUS_OK;
	text = effective_text_locked(setting, state->source);
	status = setting_parse(&infos[setting], text, &value);
	if (status == STATUS_OK)
		atomic_store_explicit(&setting_cache[setting], value, memory_order_release);
	if (status == STATUS_INTERNAL)
		return no_memory(error);
	if (status != STATUS_OK) {
		/* Only variables: flags and values of the file were checked when they were set. */
		variable = state->source + strlen("environment ");
		bad_value(&infos[setting], variable, text, status, error);
		error_detail_text(error, "key", variable);
	}
	return status;
}

/* For those who ask after settings_check(). Where the environment has gone bad since, after a
 * reload, it is the default. */
const struct setting_value *setting_read(enum setting setting)
{
	static const union {
		struct setting_value value;
		char room[sizeof(struct setting_value) + 1];
	} nothing;
	struct setting_value *value = NULL;

	pthread_mutex_lock(&lock);
	if (load_locked(setting, NULL) == STATUS_CONFIG_INVALID) {
		setting_parse(&infos[setting], infos[setting].fallback, &value);
		atomic_store(&setting_cache[setting], value);
		snprintf(states[setting].source, SOURCE_MOST, "default");
	}
	value = setting_cache[setting];
	pthread_mutex_unlock(&lock);
	return value ? value : &nothing.value;
}

const char *setting_source(enum setting setting)
{
	setting_get(setting);
	return states[setting].source;
}

static void print_list(struct buffer *out, const char *text)
{
	buffer_byte(out, '[');
	while (*text) {
		size_t length = strcspn(text, ",");

		json_print_text(out, text, length);
		text += length;
		if (*text) {
			buffer_byte(out, ',');
			text++;
		}
	}
	buffer_byte(out, ']');
}

void setting_print(struct buffer *out, enum setting setting)
{
	const char *text = setting_text(setting);

	switch (infos[setting].type) {
	case SETTING_REAL:
		json_print_number(out, setting_real(setting));
		break;
	case SETTING_WHOLE:
		json_print_integer(out, setting_whole(setting));
		break;
	case SETTING_SWITCH:
		buffer_text(out, setting_switch(setting) ? "true" : "false");
		break;
	case SETTING_WORDS:
		json_print_text(out, text, strlen(text));
		break;
	case SETTING_LIST:
		print_list(out, text);
		break;
	}
}

/* ---- Setting ------------------------------------------------------------------------------- */

/* A reader may still look at the value, so it is kept to the end; reloads are rare, and values
 * small. */
static void forget_locked(enum setting setting)
{
	struct setting_value *value = setting_cache[setting];

	if (!value)
		return;
	value->before = forgotten;
	forgotten = value;
	setting_cache[setting] = NULL;
}

/* Checks `text`, and answers a copy of it in *ret_copy. */
static int check_text(enum setting setting, const char *text, const char *where, int status,
		      char **ret_copy, struct error *error)
{
	struct setting_value *value;
	int r = setting_parse(&infos[setting], text, &value);

	if (r == STATUS_CONFIG_INVALID)
		return bad_value(&infos[setting], where, text, status, error);
	if (r == STATUS_OK) {
		free(value);
		*ret_copy = strdup(text);
	}
	return r == STATUS_OK && *ret_copy ? STATUS_OK : no_memory(error);
}

/* "--max-depth" */
static void flag_name(const struct setting_info *info, char *ret_name, size_t size)
{
	snprintf(ret_name, size, "--%s", info->name);
	for (char *p = ret_name; *p; p++)
		if (*p == '_')
			*p = '-';
}

int settings_set_flag(enum setting setting, const char *value, struct error *error)
{
	struct state *state = &states[setting];
	char name[64], *copy = NULL;
	int status;

	flag_name(&infos[setting], name, sizeof(name));
	status = check_text(setting, value, name, STATUS_USAGE, &copy, error);
	if (status != STATUS_OK) {
		if (status == STATUS_USAGE)
			error_detail_text(error, "key", name);
		return status;
	}
	pthread_mutex_lock(&lock);
	free(state->flag);
	state->flag = copy;
	forget_locked(setting);
	pthread_mutex_unlock(&lock);
	return STATUS_OK;
}

int settings_set_file(enum setting setting, const char *value, const char *file, int line,
		      struct error *error)
{
	struct buffer place = BUFFER_INIT(SIZE_MAX), where = BUFFER_INIT(SIZE_MAX);
	struct state *state = &states[setting];
	char *copy = NULL;
	int status;

	buffer_format(&place, "%s:%d", file, line);
	buffer_format(&where, "%s:%d: %s", file, line, infos[setting].name);
	if (place.fault != BUFFER_GOOD || where.fault != BUFFER_GOOD) {
		status = no_memory(error);
		goto out;
	}
	status = check_text(setting, value, where.data, STATUS_CONFIG_INVALID, &copy, error);
	if (status == STATUS_CONFIG_INVALID) {
		error_detail_text(error, "file", file);
		error_detail_integer(error, "line", line);
		error_detail_text(error, "key", infos[setting].name);
	}
	if (status != STATUS_OK)
		goto out;
	pthread_mutex_lock(&lock);
	free(state->file);
	free(state->file_place);
	state->file = copy;
	state->file_place = buffer_take(&place, NULL);
	forget_locked(setting);
	pthread_mutex_unlock(&lock);
out:
	buffer_free(&place);
	buffer_free(&where);
	return status;
}

int settings_check(struct error *error)
{
	int status = STATUS_OK;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < SETTING_COUNT && status == STATUS_OK; i++)
		status = load_locked((enum setting)i, error);
	pthread_mutex_unlock(&lock);
	return status;
}

void settings_reload(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SETTING_COUNT; i++)
		forget_locked((enum setting)i);
	pthread_mutex_unlock(&lock);
}

void settings_clear(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SETTING_COUNT; i++) {
		struct state *state = &states[i];

		forget_locked((enum setting)i);
		free(state->flag);
		free(state->file);
		free(state->file_place);
		*state = (struct state){ 0 };
	}
	while (forgotten) {
		struct setting_value *before = forgotten->before;

		free(forgotten);
		forgotten = before;
	}
	pthread_mutex_unlock(&lock);
}
