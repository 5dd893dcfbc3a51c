/* SPDX-License-Identifier: MIT
 *
 * The settings: every knob with its default, range, environment variable, config key and flag.
 *
 * Flag over environment over file over default. Read at first access and cached; settings_reload()
 * drops the cache. settings_check() reads all of them, so that a bad value stops the program at its
 * start. The one global state of the program; safe from any thread after settings_check().
 */
#ifndef TOOLHOST_SETTINGS_H
#define TOOLHOST_SETTINGS_H

#include "base/error.h"

#include <stdatomic.h>

enum setting {
	/* the thirteen of the reference, in its order */
	SETTING_TOOL_TIMEOUT,		   /* seconds, 10 */
	SETTING_DATASET_FETCH_TIMEOUT,	   /* seconds, 30 */
	SETTING_MAX_CELLS,		   /* 1,000,000 */
	SETTING_MAX_STRING,		   /* code points, 100,000 */
	SETTING_MAX_DEPTH,		   /* 10 */
	SETTING_MAX_MEMORY_MB,		   /* 1,024 */
	SETTING_MCP_SAFE_MODE,		   /* false */
	SETTING_MAX_FACTORS_COMBINATORIAL, /* 15 */
	SETTING_MAX_REGRESSION_POINTS,	   /* 5,000 */
	SETTING_MAX_MATRIX_ROWS,	   /* 10,000 */
	SETTING_MAX_MATRIX_COLS,	   /* 500 */
	SETTING_MAX_FORMULA_CHARS,	   /* 4,096 */
	SETTING_MAX_FORMULA_TERMS,	   /* 100 */
	/* ours */
	SETTING_MAX_MESSAGE_MB,	      /* 64: one message that comes in */
	SETTING_MAX_RESULT_MB,	      /* 16: one result */
	SETTING_MAX_KEYS,	      /* 100,000: keys of all objects of one call */
	SETTING_MAX_KEY_LENGTH,	      /* code points, 1,000 */
	SETTING_MAX_CALLS,	      /* 64: calls in progress */
	SETTING_SCAN_TIMEOUT,	      /* seconds, 5 */
	SETTING_REPAIR_ARGUMENTS,     /* true; MCP only */
	SETTING_DROP_UNDERSCORE_KEYS, /* false */
	SETTING_PAGE_SIZE,	      /* 1,000: tools on one page of tools/list */
	SETTING_LOG_LEVEL,	      /* error, warning, info or debug; warning */
	SETTING_STRICT_RESULTS,	      /* false; check every result against its output schema */
	SETTING_ISOLATION, /* in-process (by trust), isolated or sandboxed: the least for every call
			    */
	SETTING_ENABLED_TOOLS,	/* globs separated by commas; empty: all */
	SETTING_DISABLED_TOOLS, /* globs separated by commas */
	SETTING_MAX_WORKERS,	/* 8: isolated calls that run at once */
	SETTING_SPARE_WORKERS,	/* 2: processes kept ready for a pack's next isolated calls; 0: fork
				   on demand */
	SETTING_MAX_THREADS,	/* of an isolated call, where it has a group */
	SETTING_DEMAND_CGROUP,	/* no isolated call without a group */
	SETTING_WORKER_CALLS,	/* 1: isolated calls that one process serves */
	SETTING_WORKER_IDLE,	/* seconds, 60: when a pack's launcher retires */
	SETTING_DISABLED_PACKS, /* names separated by commas */
	SETTING_REPLAY_RECORDS, /* 20: records kept of calls that crashed, hung or were blocked;
				     0: none */
	SETTING_REPLAY_ARGUMENTS, /* false; keep the arguments of such calls */
	SETTING_FENCED_CALLS,	  /* true; calls in code fences of model output count */
	SETTING_COUNT,
};

enum setting_type { SETTING_REAL, SETTING_WHOLE, SETTING_SWITCH, SETTING_WORDS, SETTING_LIST };

struct setting_info {
	const char *name;     /* "tool_timeout": the key in the config file; flag --tool-timeout */
	const char *variable; /* without prefix: "TOOL_TIMEOUT"; TOOLHOST_ first, then
				 PROCESS_IMPROVE_ where `seed` */
	const char *summary;  /* one line for people */
	const char *unit;     /* "s", "MiB", "cells" ... or "" */
	const char *words;    /* SETTING_WORDS: the allowed ones, separated by '|' */
	double least, most;   /* of numbers, inclusive */
	const char *fallback; /* the default, as text */
	enum setting_type type;
	bool seed;
};

const struct setting_info *setting_info(enum setting setting);
int setting_find(const char *name); /* by name; -1 */

struct setting_value {
	struct setting_value *before; /* of settings.c */
	double real;
	int64_t whole; /* of words: which one it is */
	bool on;
	char text[]; /* without blanks around it; words in lower case, lists without empty items */
};

/* What has been read of each setting; NULL: nothing yet. A call asks for more than ten of them. */
extern _Atomic(struct setting_value *) setting_cache[SETTING_COUNT];

/* Reads a setting into the cache. Where there is no memory, the answer is nothing: 0, false, "". */
const struct setting_value *setting_read(enum setting setting);

static inline const struct setting_value *setting_get(enum setting setting)
{
	const struct setting_value *value =
		atomic_load_explicit(&setting_cache[setting], memory_order_acquire);

	return value ? value : setting_read(setting);
}

/* The effective value. settings_check() has to have succeeded. */
static inline double setting_real(enum setting setting)
{
	return setting_get(setting)->real;
}

static inline int64_t setting_whole(enum setting setting)
{
	return setting_get(setting)->whole;
}

static inline bool setting_switch(enum setting setting)
{
	return setting_get(setting)->on;
}

/* Words and lists; borrowed until reload. */
static inline const char *setting_text(enum setting setting)
{
	return setting_get(setting)->text;
}

/* Of words: the index of the effective one among those that are allowed. */
static inline int setting_word(enum setting setting)
{
	return (int)setting_get(setting)->whole;
}

/* Where the effective value comes from: "default", "environment TOOLHOST_X", "file /path:12",
 * "flag". Borrowed. */
const char *setting_source(enum setting setting);
void setting_print(struct buffer *out, enum setting setting); /* the value as JSON */

/* Values of flags and of the config file. STATUS_CONFIG_INVALID or STATUS_USAGE with name, value
 * and range. */
int settings_set_flag(enum setting setting, const char *value, struct error *error);
int settings_set_file(enum setting setting, const char *value, const char *file, int line,
		      struct error *error);
int settings_check(struct error *error);
void settings_reload(
	void); /* forgets what was read from the environment; flags and file values stay */
void settings_clear(void); /* forgets everything, for tests */

#endif
