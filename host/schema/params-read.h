/* SPDX-License-Identifier: MIT
 *
 * What the files that read parameter tables share.
 */
#ifndef TOOLHOST_PARAMS_READ_H
#define TOOLHOST_PARAMS_READ_H

#include "schema/params.h"
#include "schema/place.h"

#include <string.h>

/* Copies entry `index` by the smaller of both sizes, so that tables of older and newer packs are
 * read; false at the end of the table. */
static inline bool param_read(const th_param *table, uint64_t stride, size_t index,
			      th_param *ret_param)
{
	const char *entry = (const char *)table + index * stride;

	if (stride < sizeof(*ret_param))
		memset(ret_param, 0, sizeof(*ret_param));
	memcpy(ret_param, entry, stride < sizeof(*ret_param) ? stride : sizeof(*ret_param));
	return ret_param->kind != TH_KIND_END;
}

/* Whether the field itself tells that the argument is absent. */
static inline bool param_is_maybe(const th_param *param)
{
	return (param->flags & TH_OPTIONAL) && !(param->flags & TH_DEFAULT);
}

static inline bool param_has_text(th_text text)
{
	return text.data && text.length;
}

/* ---- Schemas (params-schema.c) --------------------------------------------------------- */

/* The schema of one entry, and the same without what the author's own keywords say. NULL: no
 * memory. */
json *params_property(const th_param *param, uint64_t stride, bool results);
json *params_derived(const th_param *param, uint64_t stride, bool results);

/* The default of an entry that has one. NULL: no memory, or text that is no JSON. */
json *params_default(const th_param *param);

/* Merges an author's keywords into a derived schema: what is missing is added, objects are merged,
 * a type may be narrowed. False when a keyword contradicts the derived one; `ret_keyword` (may be
 * NULL) names it. */
bool params_merge(json *schema, const json *fragment, const char **ret_keyword);

/* ---- Filling --------------------------------------------------------------------------- */

#define FILL_TEXTS 16

struct fill {
	uint64_t stride; /* of the tables */
	struct arena *arena;
	const char *tool_name; /* NULL: none is told */
	struct error *error;
	bool copy; /* what is filled in does not outlive the fill, so nothing may point into it */

	/* Texts of the tables that are JSON, read once a call: a list of words may stand in every
	 * record. */
	struct {
		const char *data;
		json *value;
	} texts[FILL_TEXTS];
	size_t text_count;
};

/* params-fill.c */
bool fill_is_whole(const json *value, int64_t *ret_integer); /* one that an int64_t holds */
int fill_find_word(struct fill *f, const th_param *p, const json *value); /* -1: none */
int fill_text(struct fill *f, const json *value, th_text *ret_text);

/* Fail with what was expected at `place`, or at an element of the list there. `value` and `list`
 * are what was found. */
int fill_refuse(struct fill *f, const struct place *place, const char *keyword,
		const char *expected, const json *value);
int fill_refuse_item(struct fill *f, const struct place *place, size_t index, const char *keyword,
		     const char *expected, const json *list);
int fill_no_memory(struct fill *f);

/* Memory of the call, never NULL for a count of 0, since NULL means absent. NULL: no memory, told.
 */
void *fill_array(struct fill *f, uint64_t count, size_t size);

/* The fields of one struct at `base`. */
int fill_struct(struct fill *f, const th_param *table, const json *object,
		const struct place *place, char *base);

/* params-list.c: every kind that is a list. */
int fill_list(struct fill *f, const th_param *p, const json *list, const struct place *place,
	      void *field);

/* params-columns.c */
int fill_columns(struct fill *f, const json *list, const struct place *place, th_table *ret_table);

/* params-fit.c. Whether a value has the shape of an entry: kinds, words and keys, but not the
 * author's further keywords. */
bool fill_fits(struct fill *f, const th_param *p, const json *value);

#endif
