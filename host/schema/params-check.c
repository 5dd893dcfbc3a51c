/* SPDX-License-Identifier: MIT
 *
 * Checks a parameter table, for its author: every message names the entry and says what to write.
 */
#include "schema/params.h"

#include "schema/params-read.h"
#include "schema/problem.h"
#include "schema/schema.h"

#include <math.h>
#include <stdio.h>

#define ENTRIES_MOST 256 /* of one table */
#define DEPTH_MOST 8	 /* of tables in one another: also what ends a table that contains itself */
#define NAME_MOST 128	 /* bytes */

/* What a kind is like. Sizes are those of the field in the tool's struct; 0: not fixed. */
struct kind {
	const char *name; /* as after TH_KIND_ */
	uint16_t size;	  /* of a field that always holds a value */
	uint16_t maybe;	  /* of one that may be absent; 0: cannot be */
	uint16_t alignment;
	bool may_have_default;
	bool has_words;
};

static const struct kind kinds[TH_KIND_LAST + 1] = {
	[TH_KIND_NUMBER] = { "NUMBER", sizeof(double), sizeof(th_maybe_number), 8, true, false },
	[TH_KIND_INTEGER] = { "INTEGER", sizeof(int64_t), sizeof(th_maybe_integer), 8, true,
			      false },
	[TH_KIND_BOOLEAN] = { "BOOLEAN", sizeof(int32_t), sizeof(th_maybe_boolean), 4, true,
			      false },
	[TH_KIND_TEXT] = { "TEXT", sizeof(th_text), sizeof(th_text), 8, true, false },
	[TH_KIND_CHOICE] = { "CHOICE", sizeof(int32_t), sizeof(th_maybe_choice), 4, true, true },
	[TH_KIND_NUMBERS] = { "NUMBERS", sizeof(th_numbers), sizeof(th_numbers), 8, true, false },
	[TH_KIND_INTEGERS] = { "INTEGERS", sizeof(th_integers), sizeof(th_integers), 8, true,
			       false },
	[TH_KIND_BOOLEANS] = { "BOOLEANS", sizeof(th_flags), sizeof(th_flags), 8, true, false },
	[TH_KIND_TEXTS] = { "TEXTS", sizeof(th_texts), sizeof(th_texts), 8, true, false },
	[TH_KIND_CHOICES] = { "CHOICES", sizeof(th_flags), sizeof(th_flags), 8, true, true },
	[TH_KIND_MATRIX] = { "MATRIX", sizeof(th_matrix), sizeof(th_matrix), 8, true, false },
	[TH_KIND_OBJECT] = { "OBJECT", 0, sizeof(void *), 8, false, false },
	[TH_KIND_RECORDS] = { "RECORDS", sizeof(th_records), sizeof(th_records), 8, false, false },
	[TH_KIND_TABLE] = { "TABLE", sizeof(th_table), sizeof(th_table), 8, false, false },
	[TH_KIND_MAP] = { "MAP", sizeof(th_map), sizeof(th_map), 8, false, false },
	[TH_KIND_EITHER] = { "EITHER", 0, 0, 1, false, false },
	[TH_KIND_JSON] = { "JSON", sizeof(th_json), sizeof(th_json), 8, true, false },
};

struct span {
	uint64_t start, end; /* bytes of the struct */
	const char *name;
};

struct checker {
	uint64_t stride;
	const char *what;
	struct error *error;
	bool results; /* no struct behind the table */
};

/* One table: its place in messages, its struct, the fields seen so far. */
struct table {
	const char *path; /* of the entry that owns it; "" for the outermost */
	uint64_t struct_size;
	unsigned depth;
	size_t span_count;
	struct span spans[2 * ENTRIES_MOST];
};

static int check_table(struct checker *c, const th_param *entries, struct table *table);

static int refuse(struct checker *c, const char *path, const char *reason)
{
	return error_set(c->error, STATUS_INPUT_INVALID, "%s \"%s\": %s", c->what, path, reason);
}

__attribute__((format(printf, 3, 4))) static int refuse_with(struct checker *c, const char *path,
							     const char *format, ...)
{
	char reason[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	problem_trim(reason);
	return refuse(c, path, reason);
}

/* ---- Texts ----------------------------------------------------------------------------- */

static int check_text(struct checker *c, const char *path, th_text text, const char *which)
{
	if (!text.data && text.length)
		return refuse_with(c, path, "its %s has a length and no data", which);
	if (!text.data)
		return STATUS_OK;
	if (memchr(text.data, '\0', text.length) || text.data[text.length])
		return refuse_with(c, path,
				   "the length of its %s is not that of the text before its NUL",
				   which);
	if (!text_is_utf8(text.data, text.length))
		return refuse_with(c, path, "its %s is not UTF-8", which);
	return STATUS_OK;
}

static int check_name(struct checker *c, const th_param *entries, size_t index, const th_param *p,
		      const struct table *table)
{
	char place[160];
	th_param other;
	int r;

	snprintf(place, sizeof(place), "%.*s[%zu]", PROBLEM_HEAD(table->path, 130), index);
	if ((r = check_text(c, place, p->name, "name")) != STATUS_OK)
		return r;
	if (!param_has_text(p->name))
		return refuse(c, place, "it has no name; does the table end with TH_END?");
	if (p->name.length > NAME_MOST)
		return refuse_with(c, place, "its name is longer than %d bytes", NAME_MOST);
	for (size_t i = 0; i < p->name.length; i++)
		if ((unsigned char)p->name.data[i] < ' ' || p->name.data[i] == 0x7F)
			return refuse(c, place, "its name holds a control character");
	for (size_t i = 0; i < index && param_read(entries, c->stride, i, &other); i++)
		if (!strcmp(other.name.data, p->name.data))
			return refuse(c, p->name.data, "the name is there twice");
	return STATUS_OK;
}

static int check_texts(struct checker *c, const char *path, const th_param *p, bool described)
{
	int r;

	if ((r = check_text(c, path, p->description, "description")) != STATUS_OK ||
	    (r = check_text(c, path, p->schema, "schema")) != STATUS_OK ||
	    (r = check_text(c, path, p->words, "list of words")) != STATUS_OK ||
	    (r = check_text(c, path, p->otherwise, "default")) != STATUS_OK)
		return r;
	if (described && !param_has_text(p->description))
		return refuse(c, path, "it has no description; say in a sentence what it means");
	return STATUS_OK;
}

/* ---- Kind, flags, words, default ------------------------------------------------------- */

static int check_flags(struct checker *c, const char *path, const th_param *p)
{
	const struct kind *kind = &kinds[p->kind];
	uint32_t known = TH_OPTIONAL | TH_DEFAULT | TH_GAPS | TH_RAGGED | TH_NULLABLE;
	bool has_rows = p->kind == TH_KIND_MATRIX;

	if (p->flags & ~known)
		return refuse_with(c, path,
				   "this host does not know its flags 0x%x; it reads ABI %d.%d",
				   (unsigned)(p->flags & ~known), TH_ABI_MAJOR, TH_ABI_MINOR);
	if ((p->flags & TH_GAPS) && !has_rows && p->kind != TH_KIND_NUMBERS)
		return refuse(c, path, "TH_GAPS is for numbers and matrices");
	if ((p->flags & TH_RAGGED) && !has_rows)
		return refuse(c, path, "TH_RAGGED is for matrices");
	if ((p->flags & TH_NULLABLE) && !c->results)
		return refuse(
			c, path,
			"TH_NULLABLE is for result fields; TH_OPTIONAL takes a null as absent");
	if (!(p->flags & TH_DEFAULT))
		return STATUS_OK;
	if (c->results)
		return refuse(c, path, "a result field has no default");
	if (!(p->flags & TH_OPTIONAL))
		return refuse(c, path, "TH_DEFAULT needs TH_OPTIONAL beside it");
	if (!kind->may_have_default)
		return refuse_with(c, path, "a TH_KIND_%s cannot have a default", kind->name);
	return STATUS_OK;
}

static int check_words(struct checker *c, const char *path, const th_param *p)
{
	json *words = NULL;
	int r = STATUS_OK;

	if (!kinds[p->kind].has_words)
		return param_has_text(p->words)
			       ? refuse(c, path, "only choices have a list of words")
			       : r;
	if (!param_has_text(p->words))
		return refuse(c, path,
			      "a choice needs its list of words; for a result use TH_KIND_TEXT "
			      "with \"enum\"");
	if (json_read(p->words.data, p->words.length, NULL, &words, NULL) != STATUS_OK ||
	    json_kind(words) != JSON_LIST || !json_count(words)) {
		r = refuse(c, path,
			   "its words are not a JSON list of texts such as [\"a\", \"b\"]");
		goto out;
	}
	for (size_t i = 0; i < json_count(words); i++) {
		if (json_kind(json_peek(words, i)) != JSON_TEXT) {
			r = refuse(c, path, "its words are not all texts");
			goto out;
		}
		for (size_t j = 0; j < i; j++)
			if (json_equal(json_peek(words, i), json_peek(words, j))) {
				r = refuse_with(
					c, path, "the word \"%.*s\" is there twice",
					PROBLEM_HEAD(json_text(json_peek(words, i), NULL), 100));
				goto out;
			}
	}
out:
	json_drop(words);
	return r;
}

/* The schema that the author's keywords make of an entry, and its default against it. */
static int check_default(struct checker *c, const char *path, const th_param *p)
{
	struct error fault = ERROR_INIT;
	struct schema_problems problems;
	struct schema *compiled = NULL;
	json *schema = params_property(p, c->stride, c->results), *value = NULL;
	int r = STATUS_OK;

	if (!schema) {
		r = error_set(c->error, STATUS_INTERNAL, "no memory");
		goto out;
	}
	if (schema_compile(schema, NULL, &compiled, &fault) != STATUS_OK) {
		r = refuse_with(c, path, "its schema is none: %s", fault.message);
		goto out;
	}
	if (!(p->flags & TH_DEFAULT))
		goto out;
	if (p->kind == TH_KIND_NUMBER && !isfinite(p->number)) {
		r = refuse(c, path, "its default is no finite number");
		goto out;
	}
	if (!(value = params_default(p))) {
		r = refuse(c, path,
			   "its default is not JSON: write one string literal, not a macro, with "
			   "no escapes but those of JSON");
		goto out;
	}
	if (!schema_validate(compiled, value, &problems))
		r = refuse_with(c, path,
				"its default does not fit its schema: expected %s, found %s",
				problems.items[0].expected, problems.items[0].found);
out:
	json_drop(value);
	json_drop(schema);
	schema_free(compiled);
	error_clear(&fault);
	return r;
}

/* Keywords that a fragment may not have: schemas are inline, and what a macro says is said once. */
static const char *forbidden_keyword(const json *fragment, bool top)
{
	static const char *const anywhere[] = { "$ref", "$dynamicRef", "$recursiveRef", NULL };
	static const char *const at_top[] = { "$id",   "$schema",     "$anchor", "$dynamicAnchor",
					      "$defs", "definitions", "default", "description",
					      NULL };
	struct json_member m;
	const char *found;

	for (size_t i = 0; anywhere[i]; i++)
		if (json_kind(json_get(fragment, anywhere[i])) == JSON_TEXT)
			return anywhere[i];
	for (size_t i = 0; top && at_top[i]; i++)
		if (json_has(fragment, at_top[i]))
			return at_top[i];
	for (bool more = json_first(fragment, &m); more; more = json_next(&m)) {
		if (json_kind(m.value) == JSON_OBJECT &&
		    (found = forbidden_keyword(m.value, false)))
			return found;
		for (size_t i = 0; json_kind(m.value) == JSON_LIST && i < json_count(m.value); i++)
			if (json_kind(json_peek(m.value, i)) == JSON_OBJECT &&
			    (found = forbidden_keyword(json_peek(m.value, i), false)))
				return found;
	}
	return NULL;
}

static int check_fragment(struct checker *c, const char *path, const th_param *p)
{
	struct json_fault fault;
	json *fragment = NULL, *derived = NULL;
	const char *keyword;
	int r = STATUS_OK;

	if (!param_has_text(p->schema))
		return r;
	if (json_read(p->schema.data, p->schema.length, NULL, &fragment, &fault) != STATUS_OK) {
		r = refuse_with(c, path, "its schema keywords are not JSON: %s", fault.reason);
		goto out;
	}
	if (json_kind(fragment) != JSON_OBJECT) {
		r = refuse(c, path, "its schema keywords are not a JSON object; write {} for none");
		goto out;
	}
	if ((keyword = forbidden_keyword(fragment, true))) {
		r = refuse_with(
			c, path, "\"%s\" cannot stand among its schema keywords: %s", keyword,
			!strcmp(keyword, "default")	  ? "use the macro that ends in _OR"
			: !strcmp(keyword, "description") ? "the description has its own place"
							  : "the schema is inline");
		goto out;
	}
	derived = params_derived(p, c->stride, c->results);
	if (!params_merge(derived, fragment, &keyword))
		r = refuse_with(c, path, "its keyword \"%s\" contradicts TH_KIND_%s", keyword,
				kinds[p->kind].name);
out:
	json_drop(derived);
	json_drop(fragment);
	return r;
}

/* ---- The field in the struct ----------------------------------------------------------- */

static uint64_t wanted_size(const th_param *p)
{
	if (param_is_maybe(p))
		return kinds[p->kind].maybe;
	return p->kind == TH_KIND_OBJECT ? p->item_size : kinds[p->kind].size;
}

static int check_field(struct checker *c, const char *path, const th_param *p, struct table *table)
{
	struct span *span = &table->spans[table->span_count];

	if (c->results || p->kind == TH_KIND_EITHER)
		return STATUS_OK;
	if (p->size != wanted_size(p))
		return refuse_with(c, path, "its field has %llu bytes; %sTH_KIND_%s takes %llu",
				   (unsigned long long)p->size,
				   param_is_maybe(p) ? "an optional " : "", kinds[p->kind].name,
				   (unsigned long long)wanted_size(p));
	if (p->offset > table->struct_size || p->size > table->struct_size - p->offset)
		return refuse_with(c, path, "its field ends at byte %llu of a struct of %llu",
				   (unsigned long long)(p->offset + p->size),
				   (unsigned long long)table->struct_size);
	if (p->offset % kinds[p->kind].alignment)
		return refuse_with(c, path, "its field stands at byte %llu, which is not aligned",
				   (unsigned long long)p->offset);
	for (size_t i = 0; i < table->span_count; i++)
		if (p->offset < table->spans[i].end && table->spans[i].start < p->offset + p->size)
			return refuse_with(c, path, "its field overlaps that of \"%s\"",
					   table->spans[i].name);
	span->start = p->offset;
	span->end = p->offset + p->size;
	span->name = p->name.data ? p->name.data : "its neighbour";
	table->span_count++;
	return STATUS_OK;
}

/* ---- Tables in tables ------------------------------------------------------------------ */

static int check_entry(struct checker *c, const char *path, const th_param *p, bool described,
		       struct table *table);

static int check_value(struct checker *c, const char *path, const th_param *p, unsigned depth)
{
	struct table inner = { .path = path, .depth = depth };
	th_param value, second;

	if (!p->fields || !param_read(p->fields, c->stride, 0, &value))
		return refuse(c, path, "a map needs a table of one TH_VALUE");
	if (param_read(p->fields, c->stride, 1, &second))
		return refuse(c, path, "the table of a map's value has more than one entry");
	if (value.flags & TH_OPTIONAL || value.offset)
		return refuse(c, path, "the value of a map is a TH_VALUE, which is never optional");
	inner.struct_size = value.size;
	return check_entry(c, path, &value, false, &inner);
}

static int check_arms(struct checker *c, const char *path, const th_param *p, struct table *table)
{
	th_param arm;
	size_t count = 0;
	char place[200];
	int r;

	for (; p->fields && count < 3 && param_read(p->fields, c->stride, count, &arm); count++) {
		snprintf(place, sizeof(place), "%.*s (arm %zu)", PROBLEM_HEAD(path, 180),
			 count + 1);
		if (arm.kind == TH_KIND_EITHER)
			return refuse(c, place, "an arm cannot be a TH_EITHER");
		if (!c->results && !param_is_maybe(&arm))
			return refuse(c, place, "an arm is one of the macros that end in _MAYBE");
		if ((r = check_entry(c, place, &arm, false, table)) != STATUS_OK)
			return r;
	}
	return count == 2 ? STATUS_OK : refuse(c, path, "a TH_EITHER needs a table of two arms");
}

static int check_fields(struct checker *c, const char *path, const th_param *p, unsigned depth)
{
	struct table inner = { .path = path, .struct_size = p->item_size, .depth = depth };

	if (!p->fields)
		return refuse_with(c, path, "a TH_KIND_%s needs the table of its fields",
				   kinds[p->kind].name);
	if (!c->results && (!p->item_size || p->item_size > UINT32_MAX))
		return refuse(c, path, "the size of its nested struct is 0 or past all bounds");
	return check_table(c, p->fields, &inner);
}

static int check_nested(struct checker *c, const char *path, const th_param *p, struct table *table)
{
	if (table->depth >= DEPTH_MOST)
		return refuse_with(c, path, "tables lie more than %d deep in one another",
				   DEPTH_MOST);
	switch (p->kind) {
	case TH_KIND_MAP:
		return check_value(c, path, p, table->depth + 1);
	case TH_KIND_EITHER:
		return check_arms(c, path, p, table);
	case TH_KIND_OBJECT:
	case TH_KIND_RECORDS:
		return check_fields(c, path, p, table->depth + 1);
	default:
		return p->fields ? refuse_with(c, path, "a TH_KIND_%s has no fields",
					       kinds[p->kind].name)
				 : STATUS_OK;
	}
}

static int check_entry(struct checker *c, const char *path, const th_param *p, bool described,
		       struct table *table)
{
	int r;

	if (p->kind > TH_KIND_LAST || p->kind == TH_KIND_END)
		return refuse_with(c, path,
				   "this host does not know its kind %u; it reads ABI %d.%d",
				   p->kind, TH_ABI_MAJOR, TH_ABI_MINOR);
	if ((r = check_texts(c, path, p, described)) != STATUS_OK ||
	    (r = check_flags(c, path, p)) != STATUS_OK ||
	    (r = check_words(c, path, p)) != STATUS_OK ||
	    (r = check_nested(c, path, p, table)) != STATUS_OK ||
	    (r = check_field(c, path, p, table)) != STATUS_OK ||
	    (r = check_fragment(c, path, p)) != STATUS_OK)
		return r;
	return check_default(c, path, p);
}

static int check_table(struct checker *c, const th_param *entries, struct table *table)
{
	char path[300];
	th_param p;
	int r;

	for (size_t i = 0; param_read(entries, c->stride, i, &p); i++) {
		if (i >= ENTRIES_MOST)
			return error_set(c->error, STATUS_INPUT_INVALID,
					 "%s table: more than %d entries, or TH_END is missing",
					 c->what, ENTRIES_MOST);
		if ((r = check_name(c, entries, i, &p, table)) != STATUS_OK)
			return r;
		snprintf(path, sizeof(path), "%s%s%s", table->path, *table->path ? "." : "",
			 p.name.data);
		problem_trim(path);
		if ((r = check_entry(c, path, &p, true, table)) != STATUS_OK)
			return r;
	}
	return STATUS_OK;
}

int params_check(const th_param *table, uint64_t stride, uint64_t struct_size, const char *what,
		 struct error *error)
{
	struct checker c = {
		.stride = stride, .what = what, .error = error, .results = !struct_size
	};
	struct table outermost = { .path = "", .struct_size = struct_size };

	if (!table)
		return error_set(error, STATUS_INPUT_INVALID, "%s table: it is missing", what);
	/* The first version of the struct is the smallest there can be; strides keep their pointers
	 * aligned. */
	if (stride < sizeof(th_param) || stride > 16 * sizeof(th_param) || stride % 8)
		return error_set(error, STATUS_INPUT_INVALID,
				 "%s table: %llu bytes cannot be the size of its entries", what,
				 (unsigned long long)stride);
	return check_table(&c, table, &outermost);
}
