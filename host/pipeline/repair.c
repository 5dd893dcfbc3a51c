/* SPDX-License-Identifier: MIT */
#include "pipeline/repair.h"

#include "schema/place.h"
#include "schema/view.h"

#include <string.h>

struct repair {
	const struct repair_options *options; /* NULL: only defaults are filled in */
	json **repaired;
	bool changed; /* by the last step */
	int status;
};

static json *repair_value(struct repair *r, const struct schema_view *view, json *value,
			  const struct place *place);

static void note(struct repair *r, const struct place *place)
{
	char pointer[256];

	if (!*r->repaired && !(*r->repaired = json_new_list()))
		r->status = STATUS_INTERNAL;
	place_print(place, pointer, sizeof(pointer));
	json_append(*r->repaired, json_new_text(pointer));
}

/* ---- Texts ----------------------------------------------------------------------------- */

/* What a text holds, where the schema takes no text here but does take that. True with *ret_value,
 * which may be null. */
static bool read_text(struct repair *r, const struct schema_view *view, const json *value,
		      json **ret_value)
{
	const struct json_limits limits = { .max_depth = r->options->max_depth };
	const char *text;
	size_t length;

	if (json_kind(value) != JSON_TEXT || schema_view_takes(view, value))
		return false;
	text = json_text(value, &length);
	if (json_read(text, length, &limits, ret_value, NULL) != STATUS_OK)
		return false;
	if (json_kind(*ret_value) != JSON_TEXT && schema_view_takes(view, *ret_value))
		return true;
	json_drop(*ret_value);
	return false;
}

/* ---- Objects --------------------------------------------------------------------------- */

static bool is_dropped(struct repair *r, const struct schema_view *member,
		       const struct json_member *m, const struct place *place)
{
	if (!r->options)
		return false;
	if (r->options->nulls && !m->value && member->declared && !member->required &&
	    !schema_view_takes(member, NULL))
		return true;
	return r->options->underscore_keys && !place->parent && *m->key == '_' && !member->declared;
}

struct defaults {
	const struct schema_view *view;
	const json *object;
	json *filled; /* NULL until the first one */
	int status;
};

/* Makes the object to change at the first change. */
static bool need_copy(json **copy, const json *object)
{
	struct json_member m;

	if (*copy)
		return true;
	if (!(*copy = json_new_object()))
		return false;
	for (bool more = json_first(object, &m); more; more = json_next(&m))
		json_set(*copy, m.key, json_hold(m.value));
	return true;
}

static void fill_default(void *context, const char *key)
{
	struct defaults *d = context;
	struct schema_view member;
	const json *fallback;

	if (json_has(d->object, key))
		return;
	schema_view_member(d->view, key, &member);
	if (!(fallback = schema_view_default(&member)))
		return;
	if (need_copy(&d->filled, d->object))
		json_set(d->filled, key, json_copy(fallback));
	else
		d->status = STATUS_INTERNAL;
}

/* `copy` of the object, or NULL, with the defaults of what is absent: takes it over, and answers
 * what takes its place. */
static json *fill_absent(struct repair *r, const struct schema_view *view, const json *object,
			 json *copy)
{
	struct defaults defaults = { .view = view, .object = copy ? copy : object };

	schema_view_keys(view, fill_default, &defaults);
	if (defaults.status != STATUS_OK)
		r->status = defaults.status;
	if (!defaults.filled)
		return copy;
	json_drop(copy);
	return defaults.filled;
}

static json *repair_object(struct repair *r, const struct schema_view *view, json *object,
			   const struct place *place)
{
	struct json_member m;
	json *copy = NULL;

	for (bool more = json_first(object, &m); more && r->status == STATUS_OK;
	     more = json_next(&m)) {
		struct place here = place_member(place, m.key);
		struct schema_view member;
		json *value;

		schema_view_member(view, m.key, &member);
		if (is_dropped(r, &member, &m, place)) {
			if (need_copy(&copy, object))
				json_remove(copy, m.key);
			else
				r->status = STATUS_INTERNAL;
			continue;
		}
		value = repair_value(r, &member, m.value, &here);
		if (r->changed && need_copy(&copy, object)) {
			json_set(copy, m.key, value);
		} else {
			json_drop(value);
			r->status = r->changed ? STATUS_INTERNAL : r->status;
		}
	}
	if (!r->options)
		copy = fill_absent(r, view, object, copy);
	r->changed = copy != NULL;
	return copy ? copy : json_hold(object);
}

/* ---- Lists ----------------------------------------------------------------------------- */

static json *repair_list(struct repair *r, const struct schema_view *view, json *list,
			 const struct place *place)
{
	size_t count = json_count(list);
	json *copy;
	bool any = false;

	r->changed = false;
	if (json_packed(list, NULL)) /* numbers need no repair */
		return json_hold(list);
	if (!(copy = json_new_list())) {
		r->status = STATUS_INTERNAL;
		return NULL;
	}
	for (size_t i = 0; i < count && r->status == STATUS_OK; i++) {
		struct place here = place_item(place, i);
		struct schema_view item;

		schema_view_item(view, i, &item);
		json_append(copy, repair_value(r, &item, json_peek(list, i), &here));
		any |= r->changed;
	}
	r->changed = any;
	if (any)
		return copy;
	json_drop(copy);
	return json_hold(list);
}

/* Another reference to `value`, or what it becomes; r->changed tells which. */
static json *repair_value(struct repair *r, const struct schema_view *view, json *value,
			  const struct place *place)
{
	json *read = NULL, *result;

	r->changed = false;
	if (r->options && r->options->texts && read_text(r, view, value, &read)) {
		note(r, place);
		result = repair_value(r, view, read, place);
		json_drop(read);
		r->changed = true;
		return result;
	}
	if (json_kind(value) == JSON_OBJECT)
		return repair_object(r, view, value, place);
	if (json_kind(value) == JSON_LIST)
		return repair_list(r, view, value, place);
	return json_hold(value);
}

static int repair(struct repair *r, const struct schema *schema, json *arguments,
		  json **ret_arguments)
{
	struct place root = PLACE_ROOT;
	struct pattern_work work;
	struct schema_view view;

	pattern_work_init(&work);
	schema_view(schema, &work, &view);
	*ret_arguments = repair_value(r, &view, arguments, &root);
	pattern_work_free(&work);
	if (r->status != STATUS_OK) {
		json_drop(*ret_arguments);
		*ret_arguments = NULL;
	}
	return r->status;
}

int repair_arguments(const struct schema *schema, const struct repair_options *options,
		     json *arguments, json **ret_arguments, json **ret_repaired)
{
	struct repair r = { .options = options, .repaired = ret_repaired };

	return repair(&r, schema, arguments, ret_arguments);
}

int repair_fill_defaults(const struct schema *schema, json *arguments, json **ret_arguments)
{
	struct repair r = { 0 };

	return repair(&r, schema, arguments, ret_arguments);
}
