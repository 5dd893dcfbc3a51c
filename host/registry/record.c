/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/record.h"

#include "base/array.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MOST ((size_t)256 * 1024 * 1024)

/* The parts are written as they are, so none may have bytes that nobody set. */
_Static_assert(sizeof(struct file_identity) == 5 * 8, "padding in struct file_identity");
_Static_assert(sizeof(struct record_tool) == 6 * 4, "padding in struct record_tool");
_Static_assert(sizeof(struct record) == 8 + sizeof(struct file_identity) + 8 + 10 * 8,
	       "padding in struct record");

void file_identity_set(struct file_identity *identity, const struct stat *st)
{
	*identity = (struct file_identity){
		.device = st->st_dev,
		.inode = st->st_ino,
		.size = (uint64_t)st->st_size,
		.modified_ns = clock_ns(st->st_mtim),
		.changed_ns = clock_ns(st->st_ctim),
	};
}

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* ---- Making ---------------------------------------------------------------------------------- */

/* A record on its way: the head and the lists, whose places are known, and the texts that follow
 * them. */
struct making {
	struct record head;
	struct record_tool *tools;
	struct record_text *others; /* recipes, then prompts, then warnings */
	struct buffer texts;
	size_t texts_at; /* where they begin in the record */
};

static size_t mark_text(const struct making *m)
{
	return m->texts_at + m->texts.length;
}

/* Ends a text that was appended since mark_text(). */
static struct record_text end_text(struct making *m, size_t start)
{
	struct record_text text = { .offset = (uint32_t)start };

	text.length = (uint32_t)(mark_text(m) - start);
	buffer_byte(&m->texts, '\0');
	return text;
}

static struct record_text add_text(struct making *m, const char *text)
{
	size_t start = mark_text(m);

	buffer_text(&m->texts, text);
	return end_text(m, start);
}

/* A text of an object, or "". */
static struct record_text add_member(struct making *m, const json *object, const char *key)
{
	const json *value = json_get(object, key);

	return add_text(m, json_kind(value) == JSON_TEXT ? json_text(value, NULL) : "");
}

/* The members of an object but one, in their order. */
static void print_without(struct buffer *out, const json *object, const char *left_out)
{
	struct json_member member;
	char mark = '{';

	for (bool more = json_first(object, &member); more; more = json_next(&member)) {
		if (!strcmp(member.key, left_out))
			continue;
		buffer_byte(out, mark);
		json_print_text(out, member.key, strlen(member.key));
		buffer_byte(out, ':');
		json_print(out, member.value);
		mark = ',';
	}
	buffer_text(out, mark == '{' ? "{}" : "}");
}

static void print_listing(struct buffer *out, const json *tool)
{
	static const char *const keys[] = { "name",	   "title",	   "description",
					    "inputSchema", "outputSchema", "annotations" };
	char mark = '{';

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const json *value = json_get(tool, keys[i]);

		if (!value)
			continue;
		buffer_format(out, "%c\"%s\":", mark, keys[i]);
		json_print(out, value);
		mark = ',';
	}
	buffer_byte(out, '}');
}

static void add_tool(struct making *m, const json *tool, struct record_tool *ret_tool)
{
	size_t start;

	ret_tool->name = add_member(m, tool, "name");
	start = mark_text(m);
	print_listing(&m->texts, tool);
	ret_tool->listing = end_text(m, start);
	start = mark_text(m);
	json_print(&m->texts, tool);
	if (json_has(tool, "needs"))
		m->head.flags |= RECORD_NEEDS;
	ret_tool->manifest = end_text(m, start);
}

/* One text for each element of a list: the element, or with a key its member. */
static void add_texts(struct making *m, const json *list, const char *key,
		      struct record_text *ret_texts)
{
	for (size_t i = 0; i < json_count(list); i++) {
		const json *item = json_peek(list, i);

		ret_texts[i] = key ? add_member(m, item, key) : add_text(m, json_text(item, NULL));
	}
}

static void add_manifest(struct making *m, const json *manifest)
{
	const json *about = json_get(manifest, "about"), *tools = json_get(manifest, "tools");
	struct record_text *others = m->others;
	size_t start;

	if (json_boolean(json_get(json_get(manifest, "file"), "bind_now")))
		m->head.flags |= RECORD_BIND_NOW;
	if (json_boolean(json_get(manifest, "starts_threads")))
		m->head.flags |= RECORD_STARTS_THREADS;
	m->head.version = add_member(m, about, "version");
	m->head.summary = add_member(m, about, "summary");
	m->head.license = add_member(m, about, "license");
	start = mark_text(m);
	print_without(&m->texts, manifest, "tools");
	m->head.manifest = end_text(m, start);
	for (uint32_t i = 0; i < m->head.tools.count; i++)
		add_tool(m, json_peek(tools, i), &m->tools[i]);
	add_texts(m, json_get(manifest, "recipes"), "key", others);
	others += m->head.recipes.count;
	add_texts(m, json_get(manifest, "prompts"), "name", others);
	others += m->head.prompts.count;
	add_texts(m, json_get(manifest, "warnings"), NULL, others);
}

static struct record_list list_place(size_t *at, size_t count, size_t size)
{
	struct record_list list = { .offset = (uint32_t)*at, .count = (uint32_t)count };

	*at += count * size;
	return list;
}

/* Joins head, lists and texts. */
static struct record *assemble(struct making *m)
{
	static const char padding[8];
	size_t tools_size = m->head.tools.count * sizeof(*m->tools);
	size_t others_size = m->texts_at - sizeof(m->head) - tools_size;
	char *bytes;

	buffer_append(&m->texts, padding, -mark_text(m) & 7);
	if (m->texts.fault)
		return NULL;
	m->head.size = (uint32_t)mark_text(m);
	bytes = malloc(m->head.size);
	if (!bytes)
		return NULL;
	memcpy(bytes, &m->head, sizeof(m->head));
	if (tools_size)
		memcpy(bytes + m->head.tools.offset, m->tools, tools_size);
	if (others_size)
		memcpy(bytes + m->head.recipes.offset, m->others, others_size);
	memcpy(bytes + m->texts_at, m->texts.data, m->texts.length);
	return (struct record *)(void *)bytes;
}

struct record *record_new(const char *path, const struct file_identity *file, const json *manifest)
{
	struct making m = { .head = { .flags = RECORD_READY, .file = *file },
			    .texts = BUFFER_INIT(BYTES_MOST) };
	size_t tools = json_count(json_get(manifest, "tools"));
	size_t recipes = json_count(json_get(manifest, "recipes"));
	size_t prompts = json_count(json_get(manifest, "prompts"));
	size_t warnings = json_count(json_get(manifest, "warnings"));
	struct record *record = NULL;

	m.texts_at = sizeof(m.head);
	m.head.tools = list_place(&m.texts_at, tools, sizeof(*m.tools));
	m.head.recipes = list_place(&m.texts_at, recipes, sizeof(*m.others));
	m.head.prompts = list_place(&m.texts_at, prompts, sizeof(*m.others));
	m.head.warnings = list_place(&m.texts_at, warnings, sizeof(*m.others));
	m.tools = calloc(tools + 1, sizeof(*m.tools));
	m.others = calloc(recipes + prompts + warnings + 1, sizeof(*m.others));
	if (!m.tools || !m.others)
		goto out;
	m.head.path = add_text(&m, path);
	m.head.reason = add_text(&m, "");
	add_manifest(&m, manifest);
	record = assemble(&m);
out:
	buffer_free(&m.texts);
	free(m.others);
	free(m.tools);
	return record;
}

struct record *record_new_refusal(const char *path, const struct file_identity *file,
				  const char *reason, uint64_t surroundings)
{
	const struct record_list none = { .offset = sizeof(struct record) };
	struct making m = { .head = { .file = *file,
				      .surroundings = surroundings,
				      .tools = none,
				      .recipes = none,
				      .prompts = none,
				      .warnings = none },
			    .texts = BUFFER_INIT(BYTES_MOST),
			    .texts_at = sizeof(m.head) };
	struct record *record;

	m.head.path = add_text(&m, path);
	m.head.reason = add_text(&m, reason);
	m.head.version = m.head.summary = m.head.license = m.head.manifest = add_text(&m, "");
	record = assemble(&m);
	buffer_free(&m.texts);
	return record;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static bool check_text(const struct record *record, struct record_text text)
{
	return text.offset < record->size && text.length < record->size - text.offset &&
	       !record_text(record, text)[text.length];
}

static bool check_list(const struct record *record, struct record_list list, size_t size)
{
	return list.offset % sizeof(uint32_t) == 0 && list.offset <= record->size &&
	       list.count <= (record->size - list.offset) / size;
}

static bool check_texts(const struct record *record, struct record_list list)
{
	const struct record_text *texts = record_texts(record, list);

	if (!check_list(record, list, sizeof(*texts)))
		return false;
	for (uint32_t i = 0; i < list.count; i++)
		if (!check_text(record, texts[i]))
			return false;
	return true;
}

bool record_check(const void *bytes, size_t length)
{
	const struct record *record = bytes;
	const struct record_tool *tools;

	if (length < sizeof(*record) || record->size < sizeof(*record) || record->size > length ||
	    record->size % 8)
		return false;
	if (!check_text(record, record->path) || !check_text(record, record->reason) ||
	    !check_text(record, record->version) || !check_text(record, record->summary) ||
	    !check_text(record, record->license) || !check_text(record, record->manifest) ||
	    !check_list(record, record->tools, sizeof(*tools)))
		return false;
	tools = record_tools(record);
	for (uint32_t i = 0; i < record->tools.count; i++)
		if (!check_text(record, tools[i].name) || !check_text(record, tools[i].listing) ||
		    !check_text(record, tools[i].manifest))
			return false;
	return check_texts(record, record->recipes) && check_texts(record, record->prompts) &&
	       check_texts(record, record->warnings);
}
