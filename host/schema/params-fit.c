/* SPDX-License-Identifier: MIT
 *
 * Which arm of a TH_EITHER a value fits, by its shape.
 */
#include "schema/params-read.h"

/* The kind of a list's elements; 0 for what is no list of one kind. */
static uint32_t item_kind(uint32_t kind)
{
	switch (kind) {
	case TH_KIND_NUMBERS:
		return TH_KIND_NUMBER;
	case TH_KIND_INTEGERS:
		return TH_KIND_INTEGER;
	case TH_KIND_BOOLEANS:
		return TH_KIND_BOOLEAN;
	case TH_KIND_TEXTS:
		return TH_KIND_TEXT;
	case TH_KIND_CHOICES:
		return TH_KIND_CHOICE;
	case TH_KIND_MATRIX:
		return TH_KIND_NUMBERS;
	case TH_KIND_RECORDS:
		return TH_KIND_OBJECT;
	default:
		return TH_KIND_END;
	}
}

static bool items_fit(struct fill *f, const th_param *p, const json *list)
{
	th_param part = *p;

	part.kind = item_kind(p->kind);
	if (json_kind(list) != JSON_LIST)
		return false;
	if (json_packed(list, NULL) && part.kind == TH_KIND_NUMBER)
		return true;
	for (size_t i = 0; i < json_count(list); i++) {
		json *value = json_item(list, i);
		bool gap = !value && part.kind == TH_KIND_NUMBER && (p->flags & TH_GAPS);
		bool good = gap || fill_fits(f, &part, value);

		json_drop(value);
		if (!good)
			return false;
	}
	return true;
}

static bool fields_fit(struct fill *f, const th_param *table, const json *object)
{
	size_t known = 0;
	th_param p;

	if (json_kind(object) != JSON_OBJECT)
		return false;
	for (size_t i = 0; param_read(table, f->stride, i, &p); i++) {
		const json *value = json_get(object, p.name.data);

		known += json_has(object, p.name.data);
		if (value ? !fill_fits(f, &p, value) : !(p.flags & TH_OPTIONAL))
			return false;
	}
	return known == json_count(object);
}

static bool values_fit(struct fill *f, const th_param *map, const json *object)
{
	struct json_member m;
	th_param value;

	if (json_kind(object) != JSON_OBJECT)
		return false;
	param_read(map->fields, f->stride, 0, &value);
	for (bool more = json_first(object, &m); more; more = json_next(&m))
		if (!fill_fits(f, &value, m.value))
			return false;
	return true;
}

static bool an_arm_fits(struct fill *f, const th_param *either, const json *value)
{
	th_param arm;

	for (size_t i = 0; param_read(either->fields, f->stride, i, &arm); i++)
		if (fill_fits(f, &arm, value))
			return true;
	return false;
}

bool fill_fits(struct fill *f, const th_param *p, const json *value)
{
	int64_t whole;

	switch (p->kind) {
	case TH_KIND_NUMBER:
		return json_is_number(value);
	case TH_KIND_INTEGER:
		return fill_is_whole(value, &whole);
	case TH_KIND_BOOLEAN:
		return json_kind(value) == JSON_BOOLEAN;
	case TH_KIND_TEXT:
		return json_kind(value) == JSON_TEXT;
	case TH_KIND_CHOICE:
		return fill_find_word(f, p, value) >= 0;
	case TH_KIND_OBJECT:
		return fields_fit(f, p->fields, value);
	case TH_KIND_TABLE:
		return json_kind(value) == JSON_LIST && !json_packed(value, NULL);
	case TH_KIND_MAP:
		return values_fit(f, p, value);
	case TH_KIND_EITHER:
		return an_arm_fits(f, p, value);
	case TH_KIND_JSON:
		return true;
	default:
		return items_fit(f, p, value);
	}
}
