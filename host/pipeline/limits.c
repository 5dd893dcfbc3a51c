/* SPDX-License-Identifier: MIT */
#include "pipeline/limits.h"

#include "base/settings.h"
#include "base/stricter.h"
#include "schema/place.h"
#include "schema/problem.h"

#include <stdio.h>
#include <string.h>

struct walk {
	const struct gate_limits *limits;
	const char *tool_name;
	struct error *error;
	int64_t cells;
	int64_t keys;
};

struct gate_limits limits_effective(const struct gate_limits *wanted)
{
	struct gate_limits limits = {
		.max_cells = setting_whole(SETTING_MAX_CELLS),
		.max_string = setting_whole(SETTING_MAX_STRING),
		.max_depth = setting_whole(SETTING_MAX_DEPTH),
		.max_keys = setting_whole(SETTING_MAX_KEYS),
		.max_key_length = setting_whole(SETTING_MAX_KEY_LENGTH),
	};

	if (wanted) {
		limits.max_cells = stricter_whole(limits.max_cells, wanted->max_cells);
		limits.max_string = stricter_whole(limits.max_string, wanted->max_string);
		limits.max_depth = stricter_whole(limits.max_depth, wanted->max_depth);
		limits.max_keys = stricter_whole(limits.max_keys, wanted->max_keys);
		limits.max_key_length =
			stricter_whole(limits.max_key_length, wanted->max_key_length);
	}
	return limits;
}

/* ---- Refusals -------------------------------------------------------------------------- */

static int refuse(struct walk *w, int64_t limit, int64_t observed, const char *what)
{
	int r = error_set(w->error, STATUS_INPUT_TOO_LARGE, "the arguments of %s are too large: %s",
			  w->tool_name, what);

	error_detail_text(w->error, "tool_name", w->tool_name);
	error_detail_integer(w->error, "limit", limit);
	if (observed >= 0)
		error_detail_integer(w->error, "observed", observed);
	return r;
}

static int refuse_text(struct walk *w, const struct place *place, int64_t observed)
{
	char path[200], what[400];

	place_print(place, path, sizeof(path));
	snprintf(what, sizeof(what), "the string at %s has %lld characters; max_string allows %lld",
		 path, (long long)observed, (long long)w->limits->max_string);
	return refuse(w, w->limits->max_string, observed, what);
}

static int refuse_depth(struct walk *w, const struct place *place)
{
	char path[200], what[400];

	place_print(place, path, sizeof(path));
	snprintf(what, sizeof(what), "%s lies deeper than max_depth allows, which is %lld", path,
		 (long long)w->limits->max_depth);
	/* How deep it goes on is not looked at. */
	return refuse(w, w->limits->max_depth, -1, what);
}

static int refuse_key(struct walk *w, int64_t observed)
{
	char what[200];

	snprintf(what, sizeof(what), "a key has %lld characters; max_key_length allows %lld",
		 (long long)observed, (long long)w->limits->max_key_length);
	return refuse(w, w->limits->max_key_length, observed, what);
}

/* ---- The walk -------------------------------------------------------------------------- */

/* Code points, counted only where there may be more than `limit`. */
static int64_t points_over(const char *text, size_t length, int64_t limit)
{
	return (int64_t)length <= limit ? 0 : (int64_t)text_points(text, length);
}

static int walk_value(struct walk *w, const json *value, const struct place *place, int64_t depth);

static int walk_list(struct walk *w, const json *list, const struct place *place, int64_t depth)
{
	size_t count = json_count(list);
	int r = STATUS_OK;

	if (json_packed(list, NULL)) {
		struct place first = place_item(place, 0);

		w->cells += (int64_t)count;
		return depth + 1 > w->limits->max_depth ? refuse_depth(w, &first) : STATUS_OK;
	}
	for (size_t i = 0; i < count && r == STATUS_OK; i++) {
		struct place here = place_item(place, i);

		r = walk_value(w, json_peek(list, i), &here, depth + 1);
	}
	return r;
}

static int walk_object(struct walk *w, const json *object, const struct place *place, int64_t depth)
{
	struct json_member m;
	int r = STATUS_OK;

	for (bool more = json_first(object, &m); more && r == STATUS_OK; more = json_next(&m)) {
		struct place here = place_member(place, m.key);
		int64_t points = points_over(m.key, strlen(m.key), w->limits->max_key_length);

		w->keys++;
		if (points > w->limits->max_key_length)
			return refuse_key(w, points);
		r = walk_value(w, m.value, &here, depth + 1);
	}
	return r;
}

static int walk_value(struct walk *w, const json *value, const struct place *place, int64_t depth)
{
	const char *text;
	size_t length;
	int64_t points;

	if (depth > w->limits->max_depth)
		return refuse_depth(w, place);
	switch (json_kind(value)) {
	case JSON_BOOLEAN:
	case JSON_INTEGER:
	case JSON_NUMBER:
		w->cells++;
		return STATUS_OK;
	case JSON_TEXT:
		text = json_text(value, &length);
		points = points_over(text, length, w->limits->max_string);
		return points > w->limits->max_string ? refuse_text(w, place, points) : STATUS_OK;
	case JSON_LIST:
		return walk_list(w, value, place, depth);
	case JSON_OBJECT:
		return walk_object(w, value, place, depth);
	default:
		return STATUS_OK;
	}
}

/* ---- Caps ------------------------------------------------------------------------------ */

static int check_cap(struct walk *w, const char *key, const json *cap, const json *value)
{
	char what[400], limit[64], observed[64];
	struct buffer printed = BUFFER_INIT(sizeof(limit) - 1);

	if (!json_is_number(value) || !json_is_number(cap) ||
	    json_number(value) <= json_number(cap))
		return STATUS_OK;
	json_print(&printed, cap);
	snprintf(limit, sizeof(limit), "%s", printed.data ? printed.data : "");
	buffer_reset(&printed);
	json_print(&printed, value);
	snprintf(observed, sizeof(observed), "%s", printed.data ? printed.data : "");
	buffer_free(&printed);
	snprintf(what, sizeof(what), "%.*s is %s; at most %s is allowed", PROBLEM_HEAD(key, 200),
		 observed, limit);
	refuse(w, 0, -1, what);
	error_detail_text(w->error, "key", key);
	error_detail(w->error, "limit", json_copy(cap));
	error_detail(w->error, "observed", json_copy(value));
	return STATUS_INPUT_TOO_LARGE;
}

int limits_check(const struct gate_limits *limits, const json *caps, const json *arguments,
		 const char *tool_name, struct error *error)
{
	struct walk w = { .limits = limits, .tool_name = tool_name, .error = error };
	struct place root = PLACE_ROOT;
	struct json_member m;
	char what[200];
	int r = STATUS_OK;

	if (caps)
		for (bool more = json_first(caps, &m); more && r == STATUS_OK; more = json_next(&m))
			r = check_cap(&w, m.key, m.value, json_get(arguments, m.key));
	if (r == STATUS_OK)
		r = walk_value(&w, arguments, &root, 0);
	if (r != STATUS_OK)
		return r;
	if (w.keys > limits->max_keys) {
		snprintf(what, sizeof(what), "they have %lld keys; max_keys allows %lld",
			 (long long)w.keys, (long long)limits->max_keys);
		return refuse(&w, limits->max_keys, w.keys, what);
	}
	if (w.cells > limits->max_cells) {
		snprintf(what, sizeof(what), "they hold %lld numbers; max_cells allows %lld",
			 (long long)w.cells, (long long)limits->max_cells);
		return refuse(&w, limits->max_cells, w.cells, what);
	}
	return STATUS_OK;
}
