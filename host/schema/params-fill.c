/* SPDX-License-Identifier: MIT
 *
 * From arguments to the tool's own struct.
 */
#include "schema/params.h"

#include "schema/number.h"
#include "schema/params-read.h"
#include "schema/problem.h"
#include "schema/schema.h"

/* What a list of no elements points at, since NULL means that there is no list. */
static const double nothing[2];

static int fill_value(struct fill *f, const th_param *p, const json *value,
		      const struct place *place, void *field);

/* ---- Helpers --------------------------------------------------------------------------- */

int fill_refuse(struct fill *f, const struct place *place, const char *keyword,
		const char *expected, const json *value)
{
	struct schema_problems problems = { .count = 1 };
	struct schema_problem *problem = &problems.items[0];

	place_print(place, problem->path, sizeof(problem->path));
	problem_copy(problem->keyword, sizeof(problem->keyword), keyword);
	problem_copy(problem->expected, sizeof(problem->expected), expected);
	problem_view(value, problem->found, sizeof(problem->found));
	return schema_problems_to_error(&problems, f->tool_name, f->error);
}

int fill_refuse_item(struct fill *f, const struct place *place, size_t index, const char *keyword,
		     const char *expected, const json *list)
{
	struct place here = place_item(place, index);
	json *item = json_item(list, index);
	int r = fill_refuse(f, &here, keyword, expected, item);

	json_drop(item);
	return r;
}

int fill_no_memory(struct fill *f)
{
	return error_set(f->error, STATUS_MEMORY_EXCEEDED,
			 "the arguments need more memory than the %zu MiB that this call may have",
			 f->arena->maximum >> 20);
}

void *fill_array(struct fill *f, uint64_t count, size_t size)
{
	void *array = count ? arena_array(f->arena, count, size) : (void *)(uintptr_t)nothing;

	if (!array)
		fill_no_memory(f);
	return array;
}

/* The value of a JSON text of the table, borrowed; NULL where it is none. */
static const json *table_json(struct fill *f, th_text text)
{
	size_t slot = f->text_count % FILL_TEXTS;
	json *value = NULL;

	for (size_t i = 0; i < f->text_count && i < FILL_TEXTS; i++)
		if (f->texts[i].data == text.data)
			return f->texts[i].value;
	if (!text.data || json_read(text.data, text.length, NULL, &value, NULL) != STATUS_OK)
		return NULL;
	if (f->text_count >= FILL_TEXTS)
		json_drop(f->texts[slot].value);
	f->texts[slot].data = text.data;
	f->texts[slot].value = value;
	f->text_count++;
	return value;
}

bool fill_is_whole(const json *value, int64_t *ret_integer)
{
	double number;

	if (json_kind(value) == JSON_INTEGER) {
		*ret_integer = json_integer(value);
		return true;
	}
	if (json_kind(value) != JSON_NUMBER)
		return false;
	number = json_number(value);
	if (!number_is_whole(number) || number_is_beyond_64(number))
		return false;
	*ret_integer = (int64_t)number;
	return true;
}

int fill_find_word(struct fill *f, const th_param *p, const json *value)
{
	const json *words = table_json(f, p->words);

	for (size_t i = 0; json_kind(value) == JSON_TEXT && i < json_count(words); i++)
		if (json_equal(json_peek(words, i), value))
			return (int)i;
	return -1;
}

/* ---- Single values --------------------------------------------------------------------- */

static int fill_number(struct fill *f, const th_param *p, const json *value,
		       const struct place *place, void *field)
{
	if (!json_is_number(value))
		return fill_refuse(f, place, "type", "a number", value);
	*(double *)field = json_number(value);
	if (param_is_maybe(p))
		((th_maybe_number *)field)->present = 1;
	return STATUS_OK;
}

static int fill_integer(struct fill *f, const th_param *p, const json *value,
			const struct place *place, void *field)
{
	if (!fill_is_whole(value, field))
		return fill_refuse(f, place, "type", "an integer that fits 64 bits", value);
	if (param_is_maybe(p))
		((th_maybe_integer *)field)->present = 1;
	return STATUS_OK;
}

static int fill_boolean(struct fill *f, const th_param *p, const json *value,
			const struct place *place, void *field)
{
	if (json_kind(value) != JSON_BOOLEAN)
		return fill_refuse(f, place, "type", "true or false", value);
	*(int32_t *)field = json_boolean(value);
	if (param_is_maybe(p))
		((th_maybe_boolean *)field)->present = 1;
	return STATUS_OK;
}

static int fill_choice(struct fill *f, const th_param *p, const json *value,
		       const struct place *place, void *field)
{
	int word = fill_find_word(f, p, value);

	if (word < 0)
		return fill_refuse(f, place, "enum", "one of the words of its list", value);
	*(int32_t *)field = word;
	if (param_is_maybe(p))
		((th_maybe_choice *)field)->present = 1;
	return STATUS_OK;
}

int fill_text(struct fill *f, const json *value, th_text *ret_text)
{
	size_t length;
	const char *text = json_text(value, &length);

	if (f->copy && !(text = arena_copy(f->arena, text, length)))
		return fill_no_memory(f);
	ret_text->data = text;
	ret_text->length = length;
	return STATUS_OK;
}

static int fill_json(struct fill *f, const json *value, void *field)
{
	struct buffer text = BUFFER_INIT(f->arena->maximum);
	th_json *ret_json = field;
	int r = STATUS_OK;

	json_print(&text, value);
	if (text.fault == BUFFER_GOOD)
		ret_json->data = arena_copy(f->arena, text.data, text.length);
	if (ret_json->data)
		ret_json->length = text.length;
	else
		r = fill_no_memory(f);
	buffer_free(&text);
	return r;
}

/* ---- Objects --------------------------------------------------------------------------- */

static int fill_object(struct fill *f, const th_param *p, const json *value,
		       const struct place *place, void *field)
{
	char *base = field;

	if (json_kind(value) != JSON_OBJECT)
		return fill_refuse(f, place, "type", "an object", value);
	if (param_is_maybe(p)) {
		if (!(base = fill_array(f, 1, p->item_size)))
			return STATUS_MEMORY_EXCEEDED;
		*(void **)field = base;
	}
	return fill_struct(f, p->fields, value, place, base);
}

static int fill_map(struct fill *f, const th_param *p, const json *object,
		    const struct place *place, th_map *ret_map)
{
	size_t count, i = 0;
	struct json_member m;
	th_param kind;
	th_text *keys;
	char *values;
	int r = STATUS_OK;

	if (json_kind(object) != JSON_OBJECT)
		return fill_refuse(f, place, "type", "an object", object);
	param_read(p->fields, f->stride, 0, &kind);
	count = json_count(object);
	if (!(keys = fill_array(f, count, sizeof(*keys))) ||
	    !(values = fill_array(f, count, kind.size)))
		return STATUS_MEMORY_EXCEEDED;
	for (bool more = json_first(object, &m); more && r == STATUS_OK;
	     more = json_next(&m), i++) {
		struct place here = place_member(place, m.key);

		keys[i].length = strlen(m.key);
		keys[i].data = f->copy ? arena_copy(f->arena, m.key, keys[i].length) : m.key;
		r = keys[i].data ? fill_value(f, &kind, m.value, &here, values + i * kind.size)
				 : fill_no_memory(f);
	}
	ret_map->keys = keys;
	ret_map->values = values;
	ret_map->count = count;
	ret_map->stride = kind.size;
	return r;
}

/* ---- Any kind -------------------------------------------------------------------------- */

static int fill_value(struct fill *f, const th_param *p, const json *value,
		      const struct place *place, void *field)
{
	switch (p->kind) {
	case TH_KIND_NUMBER:
		return fill_number(f, p, value, place, field);
	case TH_KIND_INTEGER:
		return fill_integer(f, p, value, place, field);
	case TH_KIND_BOOLEAN:
		return fill_boolean(f, p, value, place, field);
	case TH_KIND_TEXT:
		if (json_kind(value) != JSON_TEXT)
			return fill_refuse(f, place, "type", "a string", value);
		return fill_text(f, value, field);
	case TH_KIND_CHOICE:
		return fill_choice(f, p, value, place, field);
	case TH_KIND_OBJECT:
		return fill_object(f, p, value, place, field);
	case TH_KIND_MAP:
		return fill_map(f, p, value, place, field);
	case TH_KIND_JSON:
		return fill_json(f, value, field);
	default:
		if (json_kind(value) != JSON_LIST)
			return fill_refuse(f, place, "type", "an array", value);
		return fill_list(f, p, value, place, field);
	}
}

/* The first arm that the value fits; the other's field stays absent. */
static int fill_either(struct fill *f, const th_param *p, const json *value,
		       const struct place *place, char *base)
{
	th_param arm;

	for (size_t i = 0; param_read(p->fields, f->stride, i, &arm); i++)
		if (fill_fits(f, &arm, value))
			return fill_value(f, &arm, value, place, base + arm.offset);
	return fill_refuse(f, place, "anyOf", "one of the two kinds that it takes", value);
}

static int fill_default(struct fill *f, const th_param *p, const struct place *place, char *base)
{
	void *field = base + p->offset;
	bool outer = f->copy;
	int r = STATUS_OK;

	switch (p->kind) {
	case TH_KIND_NUMBER:
		*(double *)field = p->number;
		break;
	case TH_KIND_INTEGER:
		*(int64_t *)field = p->integer;
		break;
	case TH_KIND_BOOLEAN:
		*(int32_t *)field = p->integer != 0;
		break;
	default:
		f->copy = true;
		r = fill_value(f, p, table_json(f, p->otherwise), place, field);
		f->copy = outer;
	}
	return r;
}

int fill_struct(struct fill *f, const th_param *table, const json *object,
		const struct place *place, char *base)
{
	th_param p;
	int r = STATUS_OK;

	for (size_t i = 0; r == STATUS_OK && param_read(table, f->stride, i, &p); i++) {
		const json *value = json_get(object, p.name.data);
		struct place here = place_member(place, p.name.data);

		if (!value && (p.flags & TH_DEFAULT))
			r = fill_default(f, &p, &here, base);
		else if (!value && (p.flags & TH_OPTIONAL))
			continue;
		else if (!value && !json_has(object, p.name.data))
			r = fill_refuse(f, &here, "required", "a value", NULL);
		else if (p.kind == TH_KIND_EITHER)
			r = fill_either(f, &p, value, &here, base);
		else
			r = fill_value(f, &p, value, &here, base + p.offset);
	}
	return r;
}

int params_fill(const th_param *table, uint64_t stride, const json *arguments, struct arena *arena,
		void *ret_struct, uint64_t struct_size, const char *tool_name, struct error *error)
{
	struct fill f = {
		.stride = stride, .arena = arena, .tool_name = tool_name, .error = error
	};
	struct place root = PLACE_ROOT;
	int r;

	memset(ret_struct, 0, struct_size);
	if (arguments && json_kind(arguments) != JSON_OBJECT)
		r = fill_refuse(&f, &root, "type", "an object", arguments);
	else
		r = fill_struct(&f, table, arguments, &root, ret_struct);
	for (size_t i = 0; i < f.text_count && i < FILL_TEXTS; i++)
		json_drop(f.texts[i].value);
	return r;
}
