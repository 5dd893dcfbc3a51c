/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/rights.h"

#include <string.h>

const struct rights rights_none;

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Whether `path` is `folder` or lies below it. Both are taken as they are written: links are
 * followed by the worker, which opens them. */
static bool lies_in(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	while (length > 1 && folder[length - 1] == '/')
		length--;
	if (length == 1)
		return true;
	return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

bool rights_path_climbs(const char *path)
{
	for (const char *at = strstr(path, "/.."); at; at = strstr(at + 1, "/.."))
		if (!at[3] || at[3] == '/')
			return true;
	return false;
}

bool rights_add_path(const char **paths, const char *path)
{
	size_t count = 0;

	while (paths[count]) {
		if (!strcmp(paths[count], path))
			return true;
		count++;
	}
	if (count == RIGHTS_PATHS)
		return false;
	paths[count] = path;
	return true;
}

static void meet_paths(const char *const *a, const char *const *b, const char **ret_both)
{
	for (size_t i = 0; a[i]; i++)
		for (size_t j = 0; b[j]; j++) {
			if (lies_in(a[i], b[j]))
				rights_add_path(ret_both, a[i]);
			else if (lies_in(b[j], a[i]))
				rights_add_path(ret_both, b[j]);
		}
}

static void lack_paths(const char *const *needed, const char *const *granted,
		       const char **ret_missing)
{
	for (size_t i = 0; needed[i]; i++) {
		bool found = false;

		for (size_t j = 0; granted[j] && !found; j++)
			found = lies_in(needed[i], granted[j]);
		if (!found)
			rights_add_path(ret_missing, needed[i]);
	}
}

/* The paths that none of the others has anything to do with. */
static void strange_paths(const char *const *paths, const char *const *others,
			  const char **ret_strange)
{
	for (size_t i = 0; paths[i]; i++) {
		bool found = false;

		for (size_t j = 0; others[j] && !found; j++)
			found = lies_in(paths[i], others[j]) || lies_in(others[j], paths[i]);
		if (!found)
			rights_add_path(ret_strange, paths[i]);
	}
}

/* ---- Rights ---------------------------------------------------------------------------------- */

static bool is_true(const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return json_kind(value) == JSON_BOOLEAN && json_boolean(value);
}

static void add_list(const char **paths, const json *list)
{
	for (size_t i = 0; json_kind(list) == JSON_LIST && i < json_count(list); i++) {
		const json *item = json_peek(list, i);
		const char *path = json_kind(item) == JSON_TEXT ? json_text(item, NULL) : "";

		if (path[0] == '/' && !rights_path_climbs(path))
			rights_add_path(paths, path);
	}
}

void rights_add_needs(struct rights *rights, const json *needs)
{
	if (json_kind(needs) != JSON_OBJECT)
		return;
	rights->network = rights->network || is_true(needs, "network");
	rights->subprocess = rights->subprocess || is_true(needs, "subprocess");
	add_list(rights->read, json_get(needs, "read"));
	add_list(rights->write, json_get(needs, "write"));
}

bool rights_any(const struct rights *rights)
{
	return rights->network || rights->subprocess || rights->read[0] || rights->write[0];
}

void rights_meet(const struct rights *a, const struct rights *b, struct rights *ret_both)
{
	*ret_both = (struct rights){
		.network = a->network && b->network,
		.subprocess = a->subprocess && b->subprocess,
	};
	meet_paths(a->read, b->read, ret_both->read);
	meet_paths(a->write, b->write, ret_both->write);
}

void rights_lack(const struct rights *needed, const struct rights *granted,
		 struct rights *ret_missing)
{
	*ret_missing = (struct rights){
		.network = needed->network && !granted->network,
		.subprocess = needed->subprocess && !granted->subprocess,
	};
	lack_paths(needed->read, granted->read, ret_missing->read);
	lack_paths(needed->write, granted->write, ret_missing->write);
}

void rights_join(struct rights *rights, const struct rights *more)
{
	rights->network = rights->network || more->network;
	rights->subprocess = rights->subprocess || more->subprocess;
	for (size_t i = 0; more->read[i]; i++)
		rights_add_path(rights->read, more->read[i]);
	for (size_t i = 0; more->write[i]; i++)
		rights_add_path(rights->write, more->write[i]);
}

void rights_useless(const struct rights *granted, const struct rights *needed,
		    struct rights *ret_useless)
{
	*ret_useless = (struct rights){
		.network = granted->network && !needed->network,
		.subprocess = granted->subprocess && !needed->subprocess,
	};
	strange_paths(granted->read, needed->read, ret_useless->read);
	strange_paths(granted->write, needed->write, ret_useless->write);
}

/* ---- Saying ---------------------------------------------------------------------------------- */

static void print_one(struct buffer *out, size_t start, const char *kind, const char *path)
{
	buffer_format(out, "%s%s%s%s", out->length > start ? ", " : "", kind, *path ? " " : "",
		      path);
}

void rights_print(struct buffer *out, const struct rights *rights)
{
	size_t start = out->length;

	if (rights->network)
		print_one(out, start, "network", "");
	if (rights->subprocess)
		print_one(out, start, "subprocess", "");
	for (size_t i = 0; rights->read[i]; i++)
		print_one(out, start, "read", rights->read[i]);
	for (size_t i = 0; rights->write[i]; i++)
		print_one(out, start, "write", rights->write[i]);
	if (!rights_any(rights))
		buffer_text(out, "nothing");
}

static void print_list(struct buffer *out, const char *key, const char *const *paths)
{
	if (!paths[0])
		return;
	buffer_format(out, " %s = {", key);
	for (size_t i = 0; paths[i]; i++) {
		buffer_text(out, i ? ", \"" : " \"");
		for (const char *at = paths[i]; *at; at++)
			buffer_format(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
		buffer_byte(out, '"');
	}
	buffer_text(out, " }");
}

void rights_print_section(struct buffer *out, const char *pack, const struct rights *rights)
{
	buffer_format(out, "pack \"%s\" {", pack);
	if (rights->network)
		buffer_text(out, " network = true");
	if (rights->subprocess)
		buffer_text(out, " subprocess = true");
	print_list(out, "read", rights->read);
	print_list(out, "write", rights->write);
	buffer_text(out, " }");
}

static json *paths_to_json(const char *const *paths)
{
	json *list = json_new_list();

	for (size_t i = 0; paths[i]; i++)
		json_append(list, json_new_text(paths[i]));
	return list;
}

json *rights_to_json(const struct rights *rights)
{
	json *object = json_new_object();

	if (rights->network)
		json_set_boolean(object, "network", true);
	if (rights->subprocess)
		json_set_boolean(object, "subprocess", true);
	if (rights->read[0])
		json_set(object, "read", paths_to_json(rights->read));
	if (rights->write[0])
		json_set(object, "write", paths_to_json(rights->write));
	return object;
}
