/* SPDX-License-Identifier: MIT
 *
 * toolhost/plugin.h - all that a tool pack includes.
 *
 * A pack is a shared object that exports one const data symbol, toolhost_pack_v1. Everything that a
 * pack offers hangs off that symbol as const data: listing a pack runs none of its functions, and a
 * pack needs no symbol from the host. The smallest whole pack:
 *
 *	#include <toolhost/plugin.h>
 *
 *	struct add_in { double a, b; };
 *
 *	static const th_param add_params[] = {
 *		TH_NUMBER(struct add_in, a, "The first term.", {}),
 *		TH_NUMBER(struct add_in, b, "The second term.", {}),
 *		TH_END
 *	};
 *
 *	static const th_param add_results[] = {
 *		TH_GIVES_NUMBER(sum, "The sum of both terms.", {}),
 *		TH_END
 *	};
 *
 *	static int32_t add(th_call *call, const void *input)
 *	{
 *		const struct add_in *in = (const struct add_in *)input;
 *
 *		return th_put_number(call, "sum", in->a + in->b);
 *	}
 *
 *	static const th_tool tools[] = {
 *		TH_TOOL(add, struct add_in, add_params, add_results,
 *			"Add two numbers", "Adds a to b.",
 *			{"examples": [{"arguments": {"a": 1, "b": 2}}]})
 *	};
 *
 *	TH_PACK(tools, {"version": "1.0.0", "summary": "Adds numbers.", "license": "MIT"})
 *
 *	cc -shared -fPIC -fvisibility=hidden -Wl,-z,now -o adder.so adder.c
 *
 * Rules of the border, which hold for every struct below:
 *
 * - A struct that crosses alone begins with its size; a th_list carries the size of its elements.
 *   Structs grow only at their end, have no padding, and the host copies the smaller of both sizes,
 *   so that an older or a newer pack keeps loading. The major version is part of the symbol's name;
 *   the minor version is information.
 * - Text is UTF-8 with a length, and a NUL that the length does not count.
 * - Const data belongs to the pack and lives as long as its mapping. What a tool receives belongs to
 *   the host and lives until the tool returns. Nobody frees what the other side allocated.
 * - Every th_ function takes the call and may be used from any thread of that call, but the result
 *   functions only from one thread at a time. None may be used after the tool has returned.
 * - Functions that return int32_t answer TH_OK or a negative TH_ code. A tool may ignore those of the
 *   result functions: the first fault is kept, and the call fails with it.
 *
 * The header compiles as C99, C11, C++11 and later. toolhost-plugin(3) is its manual page.
 */
#ifndef TOOLHOST_PLUGIN_H
#define TOOLHOST_PLUGIN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TH_ABI_MAJOR 1
#define TH_ABI_MINOR 0

#if defined(__GNUC__)
#define TH_EXPORT __attribute__((visibility("default")))
#define TH_FORMAT_(string, first) __attribute__((format(printf, string, first)))
#define TH_MAYBE_UNUSED_ __attribute__((unused))
#else
#define TH_EXPORT
#define TH_FORMAT_(string, first)
#define TH_MAYBE_UNUSED_
#endif
#define TH_INLINE_ static inline TH_MAYBE_UNUSED_

/* What functions answer. */
#define TH_OK 0           /* done */
#define TH_FAILED (-1)    /* the tool has failed; what th_fail() returns */
#define TH_CANCELLED (-2) /* the caller gave up, or the deadline passed */
#define TH_MISUSE (-3)    /* the call made no sense here: a key in a list, an end too many */
#define TH_NO_MEMORY (-4)
#define TH_TOO_LARGE (-5)   /* the result passed its cap */
#define TH_UNSUPPORTED (-6) /* this host, or the client behind it, cannot do that */
#define TH_PENDING (-7)     /* th_ask(): return this from the tool; it is entered again with the answer */
#define TH_DECLINED (-8)    /* th_ask(): the user said no */

/* ---- Text and lists ----------------------------------------------------------------------------- */

typedef struct th_text {
	const char *data; /* NULL: absent */
	uint64_t length;  /* bytes, without the closing NUL */
} th_text;

/* A th_text out of a string literal; TH_NO_TEXT is the absent text. */
#define TH_TEXT(literal) { literal, sizeof(literal) - 1 }
#define TH_NO_TEXT { NULL, 0 }

/* An array of structs by value. item_size is the pack's sizeof, the stride of the array. */
typedef struct th_list {
	const void *items;
	uint32_t item_size;
	uint32_t count;
} th_list;

#define TH_LIST(array) \
	{ (array), (uint32_t)sizeof((array)[0]), (uint32_t)(sizeof(array) / sizeof((array)[0])) }
#define TH_NONE { NULL, 0, 0 }

/* ---- What a tool receives -----------------------------------------------------------------------
 *
 * The types of the fields of a tool's input struct. Optional ones with a default always hold a value;
 * optional ones without are absent when data, values, items or keys is NULL, or `present` is 0.
 * A null argument for an optional key is an absent key.
 */

typedef struct th_maybe_number {
	double value;
	int64_t present;
} th_maybe_number;

typedef struct th_maybe_integer {
	int64_t value;
	int64_t present;
} th_maybe_integer;

/* Also an optional choice: `value` is the index into its list of words. */
typedef struct th_maybe_boolean {
	int32_t value;
	int32_t present;
} th_maybe_boolean;

typedef th_maybe_boolean th_maybe_choice;

/* A list of numbers. Where gaps are allowed, a null stands as NaN and `missing` counts those. */
typedef struct th_numbers {
	const double *values;
	uint64_t count;
	uint64_t missing;
} th_numbers;

typedef struct th_integers {
	const int64_t *values;
	uint64_t count;
} th_integers;

/* A list of booleans (0 or 1), or of choices (indices into the list of words). */
typedef struct th_flags {
	const int32_t *values;
	uint64_t count;
} th_flags;

typedef struct th_texts {
	const th_text *values;
	uint64_t count;
} th_texts;

/* Rows of numbers, row by row: cell (i, j) is values[row_starts[i] + j], which is
 * values[i * columns + j] where all rows are equally long. row_starts has rows + 1 entries.
 * `columns` is the length of the longest row. Ragged rows are refused unless the parameter is
 * declared ragged. */
typedef struct th_matrix {
	const double *values;
	const uint64_t *row_starts;
	uint64_t rows;
	uint64_t columns;
	uint64_t missing;
} th_matrix;

/* A list of objects with declared fields: `count` structs of `stride` bytes. */
typedef struct th_records {
	const void *items;
	uint64_t count;
	uint64_t stride;
} th_records;

/* A list of objects whose keys are the data's own columns, handed on by columns in the order in which
 * keys first appear. Every array of a column has `rows` entries. */
#define TH_COLUMN_NUMBERS 1u  /* numbers; missing ones are NaN. texts is NULL */
#define TH_COLUMN_TEXTS 2u    /* texts; missing ones have data NULL. numbers is NULL */
#define TH_COLUMN_BOOLEANS 3u /* numbers 0 and 1; missing ones are NaN. texts is NULL */
#define TH_COLUMN_MIXED 4u    /* both arrays: a cell is in the one where it is not missing */
#define TH_COLUMN_EMPTY 5u    /* all cells missing; both arrays are NULL */

typedef struct th_column {
	th_text name;
	const double *numbers;
	const th_text *texts;
	uint64_t missing; /* cells that are null or whose key the row leaves out */
	uint32_t kind;    /* TH_COLUMN_ */
	uint32_t reserved;
} th_column;

typedef struct th_table {
	const th_column *columns;
	uint64_t column_count;
	uint64_t column_size; /* the host's sizeof(th_column): use th_table_column() to step */
	uint64_t rows;
} th_table;

/* Free keys to values of one declared kind: values is an array of that kind's C type
 * (double for numbers, th_numbers for lists of numbers, a struct for objects, and so on). */
typedef struct th_map {
	const th_text *keys;
	const void *values;
	uint64_t count;
	uint64_t stride; /* bytes from one value to the next */
} th_map;

/* Any JSON value, as compact JSON text. Absent: data NULL. */
typedef struct th_json {
	const char *data;
	uint64_t length;
} th_json;

/* ---- Parameter tables ---------------------------------------------------------------------------
 *
 * The one source of truth of a tool's input: the host derives the JSON Schema from it, validates
 * every call against it, and fills the tool's own struct. Tables end in TH_END.
 */

#define TH_KIND_END 0u
#define TH_KIND_NUMBER 1u
#define TH_KIND_INTEGER 2u
#define TH_KIND_BOOLEAN 3u
#define TH_KIND_TEXT 4u
#define TH_KIND_CHOICE 5u
#define TH_KIND_NUMBERS 6u
#define TH_KIND_INTEGERS 7u
#define TH_KIND_BOOLEANS 8u
#define TH_KIND_TEXTS 9u
#define TH_KIND_CHOICES 10u
#define TH_KIND_MATRIX 11u
#define TH_KIND_OBJECT 12u  /* `fields` describe the nested struct, which lies in this one */
#define TH_KIND_RECORDS 13u /* `fields` describe one record of `item_size` bytes */
#define TH_KIND_TABLE 14u
#define TH_KIND_MAP 15u    /* `fields` has one entry, at offset 0, that describes a value */
#define TH_KIND_EITHER 16u /* `fields` has two entries without names, for two fields of this struct */
#define TH_KIND_JSON 17u   /* `schema` says all */
#define TH_KIND_LAST 17u

#define TH_OPTIONAL 0x1u /* the key may be left out, or be null */
#define TH_DEFAULT 0x2u  /* with TH_OPTIONAL: the table holds the value to use then */
#define TH_GAPS 0x4u     /* numbers and matrix: null elements are allowed, and arrive as NaN */
#define TH_RAGGED 0x8u   /* matrix: rows may differ in length */
#define TH_NULLABLE 0x10u /* results: the value may be null */

typedef struct th_param {
	th_text name;
	th_text description;
	th_text schema;    /* a JSON object whose keywords are merged into the derived schema; "" for none */
	th_text words;     /* choices: a JSON list of their words, in the order of the indices */
	th_text otherwise; /* default of a text, a choice or a list, as JSON */
	double number;     /* default of a number */
	int64_t integer;   /* default of an integer or a boolean */
	const struct th_param *fields;
	uint64_t item_size; /* bytes of a record, a nested struct or a map's value */
	uint64_t offset;    /* of the field in the input struct */
	uint64_t size;      /* of the field: the host refuses a table that disagrees with the kind */
	uint32_t kind;
	uint32_t flags;
} th_param;

#define TH_NO_PARAM_ \
	TH_NO_TEXT, TH_NO_TEXT, TH_NO_TEXT, TH_NO_TEXT, TH_NO_TEXT, 0, 0, NULL, 0, 0, 0
#define TH_END { TH_NO_PARAM_, TH_KIND_END, 0 }

/* The size of a field; a compile error where its type is not T, also with warnings off: pointers to
 * different types meet in a pointer to void, which C++ refuses, and whose target has another size in C. */
#define TH_SIZE_(S, field, T)                                                                     \
	(sizeof(T) * sizeof(char[sizeof(*(1 ? (T *)0 : &((S *)0)->field)) == sizeof(T) ? 1 : -1]))
#define TH_PARAM_(S, field, T, kind, flags, description, schema, words, otherwise, number, integer, \
		  fields, item_size)                                                                 \
	{ TH_TEXT(#field), TH_TEXT(description), TH_TEXT(schema), words, otherwise, number, integer, \
	  fields, item_size, offsetof(S, field), TH_SIZE_(S, field, T), kind, flags }
#define TH_PLAIN_(S, field, T, kind, flags, description, schema) \
	TH_PARAM_(S, field, T, kind, flags, description, schema, TH_NO_TEXT, TH_NO_TEXT, 0, 0, NULL, 0)

/* In the macros below S is the input struct, `field` both its member and the argument's name,
 * `description` a string literal, and what follows a JSON object of further schema keywords, written
 * as it is: {"minimum": 0}, or {} for none. Without a suffix the argument is required; _OR gives the
 * value that stands in for an absent one; _MAYBE makes it optional without one. */

/* double; double; th_maybe_number */
#define TH_NUMBER(S, field, description, ...) \
	TH_PLAIN_(S, field, double, TH_KIND_NUMBER, 0, description, #__VA_ARGS__)
#define TH_NUMBER_OR(S, field, fallback, description, ...)                                       \
	TH_PARAM_(S, field, double, TH_KIND_NUMBER, TH_OPTIONAL | TH_DEFAULT, description,        \
		  #__VA_ARGS__, TH_NO_TEXT, TH_NO_TEXT, fallback, 0, NULL, 0)
#define TH_NUMBER_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_maybe_number, TH_KIND_NUMBER, TH_OPTIONAL, description, #__VA_ARGS__)

/* int64_t; int64_t; th_maybe_integer */
#define TH_INTEGER(S, field, description, ...) \
	TH_PLAIN_(S, field, int64_t, TH_KIND_INTEGER, 0, description, #__VA_ARGS__)
#define TH_INTEGER_OR(S, field, fallback, description, ...)                                      \
	TH_PARAM_(S, field, int64_t, TH_KIND_INTEGER, TH_OPTIONAL | TH_DEFAULT, description,      \
		  #__VA_ARGS__, TH_NO_TEXT, TH_NO_TEXT, 0, fallback, NULL, 0)
#define TH_INTEGER_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_maybe_integer, TH_KIND_INTEGER, TH_OPTIONAL, description, #__VA_ARGS__)

/* int32_t, 0 or 1; int32_t; th_maybe_boolean */
#define TH_BOOLEAN(S, field, description, ...) \
	TH_PLAIN_(S, field, int32_t, TH_KIND_BOOLEAN, 0, description, #__VA_ARGS__)
#define TH_BOOLEAN_OR(S, field, fallback, description, ...)                                      \
	TH_PARAM_(S, field, int32_t, TH_KIND_BOOLEAN, TH_OPTIONAL | TH_DEFAULT, description,      \
		  #__VA_ARGS__, TH_NO_TEXT, TH_NO_TEXT, 0, fallback, NULL, 0)
#define TH_BOOLEAN_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_maybe_boolean, TH_KIND_BOOLEAN, TH_OPTIONAL, description, #__VA_ARGS__)

/* th_text in all three; the fallback is a string literal */
#define TH_STRING(S, field, description, ...) \
	TH_PLAIN_(S, field, th_text, TH_KIND_TEXT, 0, description, #__VA_ARGS__)
#define TH_STRING_OR(S, field, fallback, description, ...)                                       \
	TH_PARAM_(S, field, th_text, TH_KIND_TEXT, TH_OPTIONAL | TH_DEFAULT, description,         \
		  #__VA_ARGS__, TH_NO_TEXT, TH_TEXT(#fallback), 0, 0, NULL, 0)
#define TH_STRING_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_text, TH_KIND_TEXT, TH_OPTIONAL, description, #__VA_ARGS__)

/* One word of a list, which stands last: TH_CHOICE_OR(S, method, "robust", "...", ["robust", "classical"]).
 * int32_t, the index of the word; int32_t; th_maybe_choice */
#define TH_CHOICE(S, field, description, ...)                                          \
	TH_PARAM_(S, field, int32_t, TH_KIND_CHOICE, 0, description, "",                \
		  TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, 0, 0, NULL, 0)
#define TH_CHOICE_OR(S, field, fallback, description, ...)                             \
	TH_PARAM_(S, field, int32_t, TH_KIND_CHOICE, TH_OPTIONAL | TH_DEFAULT, description, "", \
		  TH_TEXT(#__VA_ARGS__), TH_TEXT(#fallback), 0, 0, NULL, 0)
#define TH_CHOICE_MAYBE(S, field, description, ...)                                    \
	TH_PARAM_(S, field, th_maybe_choice, TH_KIND_CHOICE, TH_OPTIONAL, description, "", \
		  TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, 0, 0, NULL, 0)

/* Lists of one kind: th_numbers, th_integers, th_flags, th_texts. A keyword for the elements goes under
 * "items": {"minItems": 2, "items": {"minimum": 0}}. */
#define TH_NUMBERS(S, field, description, ...) \
	TH_PLAIN_(S, field, th_numbers, TH_KIND_NUMBERS, 0, description, #__VA_ARGS__)
#define TH_NUMBERS_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_numbers, TH_KIND_NUMBERS, TH_OPTIONAL, description, #__VA_ARGS__)
#define TH_NUMBERS_GAPS(S, field, description, ...) \
	TH_PLAIN_(S, field, th_numbers, TH_KIND_NUMBERS, TH_GAPS, description, #__VA_ARGS__)
#define TH_INTEGERS(S, field, description, ...) \
	TH_PLAIN_(S, field, th_integers, TH_KIND_INTEGERS, 0, description, #__VA_ARGS__)
#define TH_INTEGERS_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_integers, TH_KIND_INTEGERS, TH_OPTIONAL, description, #__VA_ARGS__)
#define TH_BOOLEANS(S, field, description, ...) \
	TH_PLAIN_(S, field, th_flags, TH_KIND_BOOLEANS, 0, description, #__VA_ARGS__)
#define TH_STRINGS(S, field, description, ...) \
	TH_PLAIN_(S, field, th_texts, TH_KIND_TEXTS, 0, description, #__VA_ARGS__)
#define TH_STRINGS_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_texts, TH_KIND_TEXTS, TH_OPTIONAL, description, #__VA_ARGS__)
#define TH_CHOICES_MAYBE(S, field, description, ...)                                   \
	TH_PARAM_(S, field, th_flags, TH_KIND_CHOICES, TH_OPTIONAL, description, "",    \
		  TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, 0, 0, NULL, 0)

/* A list with a default, which is a string literal of JSON:
 * TH_LIST_OR(S, runs, th_integers, TH_KIND_INTEGERS, "[4, 8, 16]", "Run counts.", {}). */
#define TH_LIST_OR(S, field, T, kind, fallback, description, ...)                      \
	TH_PARAM_(S, field, T, kind, TH_OPTIONAL | TH_DEFAULT, description, #__VA_ARGS__, \
		  TH_NO_TEXT, TH_TEXT(fallback), 0, 0, NULL, 0)

/* Rows of numbers: th_matrix. _GAPS allows null cells; flags may add TH_RAGGED. */
#define TH_MATRIX(S, field, description, ...) \
	TH_PLAIN_(S, field, th_matrix, TH_KIND_MATRIX, 0, description, #__VA_ARGS__)
#define TH_MATRIX_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_matrix, TH_KIND_MATRIX, TH_OPTIONAL, description, #__VA_ARGS__)
#define TH_MATRIX_GAPS(S, field, description, ...) \
	TH_PLAIN_(S, field, th_matrix, TH_KIND_MATRIX, TH_GAPS, description, #__VA_ARGS__)
#define TH_MATRIX_RAGGED(S, field, description, ...) \
	TH_PLAIN_(S, field, th_matrix, TH_KIND_MATRIX, TH_GAPS | TH_RAGGED, description, #__VA_ARGS__)

/* A nested object: the field is the struct N itself. _MAYBE: the field is `const N *`, NULL if absent. */
#define TH_OBJECT(S, field, N, table, description, ...)                                \
	TH_PARAM_(S, field, N, TH_KIND_OBJECT, 0, description, #__VA_ARGS__, TH_NO_TEXT, TH_NO_TEXT, \
		  0, 0, table, sizeof(N))
#define TH_OBJECT_MAYBE(S, field, N, table, description, ...)                          \
	TH_PARAM_(S, field, const N *, TH_KIND_OBJECT, TH_OPTIONAL, description, #__VA_ARGS__, \
		  TH_NO_TEXT, TH_NO_TEXT, 0, 0, table, sizeof(N))

/* A list of objects with declared fields: th_records of N. */
#define TH_RECORDS(S, field, N, table, description, ...)                               \
	TH_PARAM_(S, field, th_records, TH_KIND_RECORDS, 0, description, #__VA_ARGS__, TH_NO_TEXT, \
		  TH_NO_TEXT, 0, 0, table, sizeof(N))
#define TH_RECORDS_MAYBE(S, field, N, table, description, ...)                         \
	TH_PARAM_(S, field, th_records, TH_KIND_RECORDS, TH_OPTIONAL, description, #__VA_ARGS__, \
		  TH_NO_TEXT, TH_NO_TEXT, 0, 0, table, sizeof(N))

/* A list of objects with the data's own keys: th_table. Cells are numbers, texts, booleans or null. */
#define TH_TABLE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_table, TH_KIND_TABLE, 0, description, #__VA_ARGS__)
#define TH_TABLE_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_table, TH_KIND_TABLE, TH_OPTIONAL, description, #__VA_ARGS__)

/* Free keys to one kind: th_map. `value` is a table of one TH_VALUE_ entry. */
#define TH_MAP(S, field, value, description, ...)                                      \
	TH_PARAM_(S, field, th_map, TH_KIND_MAP, 0, description, #__VA_ARGS__, TH_NO_TEXT, TH_NO_TEXT, \
		  0, 0, value, 0)
#define TH_MAP_MAYBE(S, field, value, description, ...)                                \
	TH_PARAM_(S, field, th_map, TH_KIND_MAP, TH_OPTIONAL, description, #__VA_ARGS__, TH_NO_TEXT, \
		  TH_NO_TEXT, 0, 0, value, 0)

/* The value of a map, or an arm of TH_EITHER: no name of its own. T is the C type, kind its TH_KIND_. */
#define TH_VALUE(T, kind, ...)                                                         \
	{ TH_NO_TEXT, TH_NO_TEXT, TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, TH_NO_TEXT, 0, 0, NULL, 0, 0, \
	  sizeof(T), kind, 0 }
#define TH_VALUE_OF(T, kind, table, item_size, ...)                                    \
	{ TH_NO_TEXT, TH_NO_TEXT, TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, TH_NO_TEXT, 0, 0, table, \
	  item_size, 0, sizeof(T), kind, 0 }

/* One of two kinds. `name` is the argument's name; `arms` is a table of two of the _MAYBE macros above
 * for two fields of S, of which the one that fits is filled and the other stays absent. The first that
 * fits is taken. */
#define TH_EITHER(name, arms, description, ...)                                        \
	{ TH_TEXT(#name), TH_TEXT(description), TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, TH_NO_TEXT, 0, 0, arms, \
	  0, 0, 0, TH_KIND_EITHER, 0 }
#define TH_EITHER_MAYBE(name, arms, description, ...)                                  \
	{ TH_TEXT(#name), TH_TEXT(description), TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, TH_NO_TEXT, 0, 0, arms, \
	  0, 0, 0, TH_KIND_EITHER, TH_OPTIONAL }

/* Any shape: th_json, the value as JSON text. The schema keywords say all. */
#define TH_JSON(S, field, description, ...) \
	TH_PLAIN_(S, field, th_json, TH_KIND_JSON, 0, description, #__VA_ARGS__)
#define TH_JSON_MAYBE(S, field, description, ...) \
	TH_PLAIN_(S, field, th_json, TH_KIND_JSON, TH_OPTIONAL, description, #__VA_ARGS__)

/* Result fields, the output schema: TH_GIVES_NUMBER(mean, "The mean.", {}). _OR_NULL where the value may
 * be null. Fields of kinds not named here: TH_GIVES(name, TH_KIND_, flags, ...). Shapes that a
 * kind cannot say: TH_GIVES_JSON with the schema of the field. Every field is always in the result but
 * those with TH_OPTIONAL among the flags. */
#define TH_GIVES_(field, kind, flags, table, description, schema)                                 \
	{ TH_TEXT(field), TH_TEXT(description), TH_TEXT(schema), TH_NO_TEXT, TH_NO_TEXT, 0, 0, table, 0, \
	  0, 0, kind, flags }
#define TH_GIVES(field, kind, flags, description, ...) \
	TH_GIVES_(#field, kind, flags, NULL, description, #__VA_ARGS__)
#define TH_GIVES_FIELDS(field, kind, flags, table, description, ...) \
	TH_GIVES_(#field, kind, flags, table, description, #__VA_ARGS__)
#define TH_GIVES_NUMBER(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_NUMBER, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_NUMBER_OR_NULL(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_NUMBER, TH_NULLABLE, NULL, description, #__VA_ARGS__)
#define TH_GIVES_INTEGER(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_INTEGER, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_INTEGER_OR_NULL(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_INTEGER, TH_NULLABLE, NULL, description, #__VA_ARGS__)
#define TH_GIVES_BOOLEAN(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_BOOLEAN, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_STRING(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_TEXT, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_NUMBERS(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_NUMBERS, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_INTEGERS(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_INTEGERS, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_STRINGS(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_TEXTS, 0, NULL, description, #__VA_ARGS__)
#define TH_GIVES_JSON(field, description, ...) \
	TH_GIVES_(#field, TH_KIND_JSON, 0, NULL, description, #__VA_ARGS__)

/* ---- Tools -------------------------------------------------------------------------------------- */

typedef struct th_call th_call;

/* Runs the tool. `input` points at the filled input struct (with whole-schema tools: at a th_json).
 * Return TH_OK, th_fail(), or the TH_CANCELLED or TH_PENDING that a function answered. */
typedef int32_t (*th_run)(th_call *call, const void *input);

typedef struct th_tool {
	th_text name; /* 1 to 64 of [A-Za-z0-9_-], by which the tool is called */
	th_text title;
	th_text description;
	th_text about;         /* a JSON object, see below */
	th_text input_schema;  /* a whole JSON Schema instead of params; absent where params is set */
	th_text output_schema; /* likewise instead of results */
	const th_param *params;
	const th_param *results; /* NULL: no output schema is announced */
	th_run run;
	uint64_t input_size; /* sizeof the input struct */
	uint64_t param_size; /* sizeof(th_param) of the pack: the stride of both tables and of nested ones */
} th_tool;

/* A tool declared by tables. `tool` is the function, whose name is the tool's name; S the input struct
 * (th_no_input, with a table of TH_END alone, where the tool takes no arguments). The last argument is a JSON object, in which all
 * keys may be left out:
 *
 *	category     text
 *	annotations  {readOnlyHint, destructiveHint, idempotentHint, openWorldHint}: booleans, hints to clients
 *	examples     [{title, arguments, result}]: worked examples, validated against the schemas
 *	rng          {uses_rng, seed_param, default_seed, note}: says where random numbers come from
 *	caps         {argument: number}: refuses larger values before any work is done
 *	cacheable    boolean: equal arguments give equal results
 *	threads      "parallel" (calls may overlap), "serial" (one call of this pack at a time; the default)
 *	isolation    "in-process" (the default), "isolated" or "sandboxed": the least that the tool accepts
 *	needs        {network, subprocess: booleans; read, write: lists of paths}: granted only by the operator
 *	timeout      seconds; memory_mb: MiB: wishes, bounded by the operator's settings
 */
#define TH_TOOL(tool, S, params, results, title, description, ...)                     \
	{ TH_TEXT(#tool), TH_TEXT(title), TH_TEXT(description), TH_TEXT(#__VA_ARGS__), TH_NO_TEXT, \
	  TH_NO_TEXT, params, results, tool, sizeof(S), sizeof(th_param) }

/* A tool declared by whole JSON Schemas, given as string literals; "" as output schema for none. Its
 * input is a th_json. The name is a string literal, and need not be an identifier. */
#define TH_TOOL_SCHEMA(name, run, input_schema, output_schema, title, description, ...) \
	{ TH_TEXT(name), TH_TEXT(title), TH_TEXT(description), TH_TEXT(#__VA_ARGS__), \
	  TH_TEXT(input_schema), TH_TEXT(output_schema), NULL, NULL, run, sizeof(th_json), \
	  sizeof(th_param) }

/* The input struct of a tool without arguments, and its table. */
typedef struct th_no_input {
	int64_t reserved;
} th_no_input;

/* ---- Recipes, prompts, resources ---------------------------------------------------------------- */

/* A recipe is JSON of the same form as the files in a recipe folder; toolhost-recipe(5) has the keys. */
typedef struct th_recipe {
	th_text json;
} th_recipe;

#define TH_RECIPE(...) { TH_TEXT(#__VA_ARGS__) }

/* A prompt: `params` is a table of texts, `run` answers with th_put_content(), whose blocks carry a role. */
typedef struct th_prompt {
	th_text name;
	th_text title;
	th_text description;
	const th_param *params;
	th_run run;
	uint64_t input_size;
	uint64_t param_size;
} th_prompt;

/* A resource: `data` is its content, or `run` gives it (input: a th_text, the URI that was asked for).
 * With is_template the uri is a URI template (RFC 6570), and run is needed. */
typedef struct th_resource {
	th_text uri;
	th_text name;
	th_text title;
	th_text description;
	th_text mime_type;
	th_text data;
	th_run run;
	uint64_t is_template;
} th_resource;

/* ---- The pack ----------------------------------------------------------------------------------- */

typedef struct th_pack {
	uint32_t struct_size; /* the host reads these three from the file before it loads anything */
	uint16_t abi_major;
	uint16_t abi_minor;
	th_text about; /* JSON object: version, summary, license, homepage, author; all but version optional */
	th_list tools; /* of th_tool, th_recipe, th_prompt, th_resource */
	th_list recipes;
	th_list prompts;
	th_list resources;
} th_pack;

#ifdef __cplusplus
#define TH_EXTERN_ extern "C"
#else
#define TH_EXTERN_ extern
#endif

/* The pack's one exported symbol. A pack of tools only: TH_PACK(tools, {...}). A pack with more:
 * TH_PACK_WITH(TH_LIST(tools), TH_LIST(recipes), TH_NONE, TH_NONE, {...}). */
#define TH_PACK_WITH(tools, recipes, prompts, resources, ...)                           \
	TH_EXTERN_ TH_EXPORT const th_pack toolhost_pack_v1;                             \
	const th_pack toolhost_pack_v1 = { (uint32_t)sizeof(th_pack), TH_ABI_MAJOR, TH_ABI_MINOR, \
					   TH_TEXT(#__VA_ARGS__), tools, recipes, prompts, resources };
#define TH_PACK(tools, ...)                                                            \
	TH_EXTERN_ TH_EXPORT const th_pack toolhost_pack_v1;                             \
	const th_pack toolhost_pack_v1 = { (uint32_t)sizeof(th_pack), TH_ABI_MAJOR, TH_ABI_MINOR, \
					   TH_TEXT(#__VA_ARGS__), TH_LIST(tools), TH_NONE, TH_NONE, \
					   TH_NONE };

/* ---- What the host does for a tool ----------------------------------------------------------------
 *
 * The service table. Packs use the th_ functions below it, which check that the host has the slot.
 */

#define TH_LOG_ERROR 0
#define TH_LOG_WARNING 1
#define TH_LOG_INFO 2
#define TH_LOG_DEBUG 3

#define TH_CONTENT_TEXT 1u
#define TH_CONTENT_IMAGE 2u
#define TH_CONTENT_AUDIO 3u
#define TH_CONTENT_RESOURCE 4u /* embedded: uri, mime_type, and data as text, or as bytes where binary is set */
#define TH_CONTENT_LINK 5u     /* a link to a resource: uri, name, mime_type */

typedef struct th_content {
	uint32_t struct_size;
	uint32_t kind;
	uint32_t binary;  /* resource: data are bytes, which the host sends as base64 */
	uint32_t role;    /* prompts: 0 user, 1 assistant */
	th_text data;     /* text, or the raw bytes of image and audio */
	th_text mime_type;
	th_text uri;
	th_text name;
} th_content;

typedef struct th_services {
	uint32_t struct_size;
	uint16_t abi_major;
	uint16_t abi_minor;

	/* The result, written in order. `key` is NULL inside a list, and NULL for the value that is the
	 * whole result. At the top, keys are those of the result object. */
	int32_t (*put_null)(th_call *call, const char *key);
	int32_t (*put_boolean)(th_call *call, const char *key, int32_t value);
	int32_t (*put_integer)(th_call *call, const char *key, int64_t value);
	int32_t (*put_number)(th_call *call, const char *key, double value);
	int32_t (*put_text)(th_call *call, const char *key, const char *text, uint64_t length);
	int32_t (*put_json)(th_call *call, const char *key, const char *json, uint64_t length);
	int32_t (*put_numbers)(th_call *call, const char *key, const double *values, uint64_t count);
	int32_t (*put_integers)(th_call *call, const char *key, const int64_t *values, uint64_t count);
	int32_t (*begin_object)(th_call *call, const char *key);
	int32_t (*begin_list)(th_call *call, const char *key);
	int32_t (*end)(th_call *call);
	int32_t (*put_content)(th_call *call, const th_content *content);
	int32_t (*partial)(th_call *call, const th_content *content);

	/* Beside the result. */
	int32_t (*fail)(th_call *call, const char *message, uint64_t length, const char *details_json);
	void (*warn)(th_call *call, const char *category, const char *message, uint64_t length);
	void (*log)(th_call *call, int32_t level, const char *message, uint64_t length);
	int32_t (*progress)(th_call *call, double done, double total, const char *message);

	/* About the call. */
	int32_t (*cancelled)(th_call *call);
	int64_t (*time_left)(th_call *call);
	void *(*allocate)(th_call *call, uint64_t size, uint64_t alignment);
	uint64_t (*random)(th_call *call);
	int32_t (*given)(th_call *call, const char *name);
	int32_t (*ask)(th_call *call, const char *id, const char *message, const char *schema_json,
		       th_text *ret_answer);
	const void *(*extension)(th_call *call, const char *id);
} th_services;

/* A call in progress. The host's own part follows, out of sight. */
struct th_call {
	const th_services *services;
};

#define TH_HAS_(call, slot)                                                                       \
	((call)->services->struct_size >= offsetof(th_services, slot) + sizeof((call)->services->slot) && \
	 (call)->services->slot)

/* One key and value of the result; key NULL inside a list. NaN and infinities become null. */
TH_INLINE_ int32_t th_put_null(th_call *call, const char *key)
{
	return call->services->put_null(call, key);
}

TH_INLINE_ int32_t th_put_boolean(th_call *call, const char *key, int32_t value)
{
	return call->services->put_boolean(call, key, value);
}

TH_INLINE_ int32_t th_put_integer(th_call *call, const char *key, int64_t value)
{
	return call->services->put_integer(call, key, value);
}

TH_INLINE_ int32_t th_put_number(th_call *call, const char *key, double value)
{
	return call->services->put_number(call, key, value);
}

/* Text up to its NUL. Bytes that are not UTF-8 become U+FFFD. */
TH_INLINE_ int32_t th_put_string(th_call *call, const char *key, const char *text)
{
	return call->services->put_text(call, key, text, strlen(text));
}

TH_INLINE_ int32_t th_put_text(th_call *call, const char *key, th_text text)
{
	return text.data ? call->services->put_text(call, key, text.data, text.length)
			 : call->services->put_null(call, key);
}

/* A value that is JSON text already; checked by the host. */
TH_INLINE_ int32_t th_put_json(th_call *call, const char *key, const char *text, uint64_t length)
{
	return call->services->put_json(call, key, text, length);
}

/* A whole list at once, which is faster than element by element. */
TH_INLINE_ int32_t th_put_numbers(th_call *call, const char *key, const double *values, uint64_t count)
{
	return call->services->put_numbers(call, key, values, count);
}

TH_INLINE_ int32_t th_put_integers(th_call *call, const char *key, const int64_t *values, uint64_t count)
{
	return call->services->put_integers(call, key, values, count);
}

/* Opens a nested object or list; what follows goes into it, up to th_end(). */
TH_INLINE_ int32_t th_begin_object(th_call *call, const char *key)
{
	return call->services->begin_object(call, key);
}

TH_INLINE_ int32_t th_begin_list(th_call *call, const char *key)
{
	return call->services->begin_list(call, key);
}

TH_INLINE_ int32_t th_end(th_call *call)
{
	return call->services->end(call);
}

/* A content block beside the result object: text, image, audio, resource or link. */
TH_INLINE_ int32_t th_put_content(th_call *call, const th_content *content)
{
	return TH_HAS_(call, put_content) ? call->services->put_content(call, content) : TH_UNSUPPORTED;
}

/* A part of the answer ahead of its end, at once: shown where the caller listens, and kept, so that a call
 * that fails later, however it ends, still has it. It is no part of the result, which says all by itself, and is
 * dropped with one. TH_OK: it is kept. TH_TOO_LARGE: the parts of this call are too many or too large
 * together; this one and all later ones are left out, and the call goes on. TH_CANCELLED: nobody waits for
 * it any more. TH_MISUSE: it is no block, as the log says; the call goes on. TH_UNSUPPORTED: not here, as in
 * a prompt. Any thread of the call. */
TH_INLINE_ int32_t th_partial(th_call *call, const th_content *content)
{
	return TH_HAS_(call, partial) ? call->services->partial(call, content) : TH_UNSUPPORTED;
}

/* Says that the tool has failed and why: `return th_fail(call, "no rows are left");`. The message reaches
 * the model, so it says what to change. Cut at 1023 bytes. */
TH_INLINE_ int32_t th_fail(th_call *call, const char *format, ...) TH_FORMAT_(2, 3);
TH_INLINE_ int32_t th_fail(th_call *call, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return call->services->fail(call, message, strlen(message), NULL);
}

/* The same with details, a JSON object, for programs. */
TH_INLINE_ int32_t th_fail_details(th_call *call, const char *details_json, const char *message)
{
	return call->services->fail(call, message, strlen(message), details_json);
}

/* A warning that travels beside the result. `category` is a short word of the pack's choice. */
TH_INLINE_ void th_warn(th_call *call, const char *category, const char *format, ...) TH_FORMAT_(3, 4);
TH_INLINE_ void th_warn(th_call *call, const char *category, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	call->services->warn(call, category, message, strlen(message));
}

/* A line for the operator's log; `level` is a TH_LOG_. */
TH_INLINE_ void th_log(th_call *call, int32_t level, const char *format, ...) TH_FORMAT_(3, 4);
TH_INLINE_ void th_log(th_call *call, int32_t level, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	call->services->log(call, level, message, strlen(message));
}

/* How far the call is: done of total (0: not known). Values that do not grow are dropped. `message` may be
 * NULL. Answers TH_CANCELLED once the caller has given up. */
TH_INLINE_ int32_t th_progress(th_call *call, double done, double total, const char *message)
{
	return TH_HAS_(call, progress) ? call->services->progress(call, done, total, message) : TH_OK;
}

/* 1 once the caller has given up or the deadline has passed: return TH_CANCELLED soon. Cheap. */
TH_INLINE_ int32_t th_cancelled(th_call *call)
{
	return TH_HAS_(call, cancelled) ? call->services->cancelled(call) : 0;
}

/* Milliseconds until the deadline; never negative. INT64_MAX without one. */
TH_INLINE_ int64_t th_time_left(th_call *call)
{
	return TH_HAS_(call, time_left) ? call->services->time_left(call) : INT64_MAX;
}

/* Zeroed memory that the host frees after the call. NULL when there is none, or `count` times `size`
 * overflows. */
TH_INLINE_ void *th_allocate(th_call *call, uint64_t count, uint64_t size)
{
	if (size && count > UINT64_MAX / size)
		return NULL;
	return call->services->allocate(call, count * size, 16);
}

/* 64 random bits of the call's own generator, seeded by the call's seed argument, or by the host, which
 * tells the caller the seed: the same seed gives the same numbers. */
TH_INLINE_ uint64_t th_random(th_call *call)
{
	return call->services->random(call);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
TH_INLINE_ double th_uniform(th_call *call)
{
	return (double)(th_random(call) >> 11) * (1.0 / 9007199254740992.0);
}

/* 1 when the caller gave this argument, 0 when its default stands in. */
TH_INLINE_ int32_t th_given(th_call *call, const char *name)
{
	return TH_HAS_(call, given) ? call->services->given(call, name) : 1;
}

/* Asks the user. `id` names the question within the call; `schema_json` is a flat object schema for the
 * answer. TH_OK: the answer is there, as JSON. TH_PENDING: return that from the tool, which is entered again
 * once the user has answered, and then gets TH_OK here. TH_DECLINED, TH_UNSUPPORTED: go on without. A host
 * that cannot ask, as those up to 1.0, always answers TH_UNSUPPORTED. */
TH_INLINE_ int32_t th_ask(th_call *call, const char *id, const char *message, const char *schema_json,
			  th_text *ret_answer)
{
	ret_answer->data = NULL;
	ret_answer->length = 0;
	return TH_HAS_(call, ask) ? call->services->ask(call, id, message, schema_json, ret_answer)
				  : TH_UNSUPPORTED;
}

/* A family of further services by its id, such as "org.example.files/1"; NULL when this host has none. */
TH_INLINE_ const void *th_extension(th_call *call, const char *id)
{
	return TH_HAS_(call, extension) ? call->services->extension(call, id) : NULL;
}

/* Column `index` of a table, whatever the size of the host's th_column. */
TH_INLINE_ const th_column *th_table_column(const th_table *table, uint64_t index)
{
	return (const th_column *)(const void *)((const char *)table->columns + index * table->column_size);
}

/* The column of that name, or NULL. */
TH_INLINE_ const th_column *th_table_find(const th_table *table, const char *name, uint64_t length)
{
	uint64_t i;

	for (i = 0; i < table->column_count; i++) {
		const th_column *column = th_table_column(table, i);

		if (column->name.length == length && !memcmp(column->name.data, name, (size_t)length))
			return column;
	}
	return NULL;
}

#ifdef __cplusplus
}
#endif

#endif
