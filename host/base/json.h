/* SPDX-License-Identifier: MIT
 *
 * JSON: the strict reader, the shortest-form printer, and the only accessors to values.
 *
 * Values are json-c objects, counted by json_hold() and json_drop(). Nobody outside this room calls
 * json-c, since a long list of numbers is kept packed as doubles, and only the accessors here know
 * which form a list has. A value that has been read is never changed, so several threads may read
 * it; the count of references is atomic only where json-c was built so, so one thread at a time
 * holds and drops.
 */
#ifndef TOOLHOST_JSON_H
#define TOOLHOST_JSON_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
typedef struct json_object json; /* NULL is the JSON null */

enum json_kind {
	JSON_NULL,
	JSON_BOOLEAN,
	JSON_INTEGER, /* a whole number in 64 bits, written without fraction and exponent */
	JSON_NUMBER,  /* any other number, as a double: also 3.0, 1e2 and -0 */
	JSON_TEXT,
	JSON_LIST,
	JSON_OBJECT,
};

/* ---- Reading ------------------------------------------------------------------------------------
 */

struct json_limits {
	size_t max_bytes; /* of the text; 0: what json-c can count, 2 GiB */
	unsigned
		max_depth; /* lists and objects that lie in one another; 0, or more than 512: 512 */
};

/* Where and why a text is no JSON. */
struct json_fault {
	size_t offset;	  /* in bytes */
	unsigned line;	  /* from 1 */
	unsigned column;  /* from 1, in bytes */
	bool too_deep;	  /* the depth limit, and not the grammar */
	bool too_long;	  /* the byte limit */
	bool ended;	  /* nothing is wrong but that the text ends within a value */
	char reason[160]; /* a short phrase that says what to write: "a comma before ]: leave the
			     comma out" */
};

/* Reads one JSON text, all of it: RFC 8259 to the letter. Refused beside what the grammar refuses:
 * bytes that are not UTF-8, lone surrogates, a key twice in one object, a NUL in a key, numbers
 * beyond a double (1e999), anything behind the value. A byte order mark is an error here; who may
 * skip one skips it before. Whole numbers beyond 64 bits become doubles.
 *
 * A list is packed where it has at least 8 elements, all of them numbers, and no whole number
 * between 2^53 and 64 bits, whose digits a double would lose. A packed list remembers values and
 * not how they were written, so an element of it that is whole and at most 2^53 is a JSON_INTEGER,
 * be it 3 or 3.0, and any other a JSON_NUMBER.
 *
 * *ret_value is the caller's. Answers STATUS_OK, STATUS_INPUT_INVALID or STATUS_INTERNAL (no
 * memory). `fault` may be NULL. */
int json_read(const char *text, size_t length, const struct json_limits *limits, json **ret_value,
	      struct json_fault *fault);

/* The same for the one value that `text` begins with, white space before it aside: whatever follows
 * is left alone, and *ret_used are the bytes up to the value's end. */
int json_read_first(const char *text, size_t length, const struct json_limits *limits,
		    json **ret_value, size_t *ret_used, struct json_fault *fault);

/* One member of an object that is read apart. */
enum json_part_form {
	JSON_PART_VALUE,  /* any value, which is the caller's */
	JSON_PART_TEXT,	  /* a string without escapes: `text` are its bytes in what was read */
	JSON_PART_SCALAR, /* such a string, or an integer: `text` is all of it, quotes included */
	JSON_PART_PARTS,  /* an object, which is read into parts again */
};

struct json_part {
	const char *key;
	size_t key_length;
	enum json_part_form form;
	bool there;
	json *value;
	const char *text;
	size_t length;
	struct json_part *inside;
	size_t inside_count;
};

#define JSON_PART(key_, form_)                                                                     \
	{                                                                                          \
		.key = (key_), .key_length = sizeof(key_) - 1, .form = (form_)                     \
	}

/* Reads an object whose members are all among `parts`, each at most once and of its form, without
 * making a value of the object itself. False, with no value in any part, where the text is anything
 * else: then json_read() says what. For messages of a known form, of which there are many. What is
 * found need not be cleared before. */
bool json_read_parts(const char *text, size_t length, const struct json_limits *limits,
		     struct json_part *parts, size_t count);

/* The id of a JSON-RPC message that is no JSON: looks for exactly one key "id" at the top level of
 * a broken object, before or after the fault, with a text or an integer as its value. True with
 * *ret_id owned by the caller, or false. A number with nothing behind it may have been cut, and is
 * no id. */
bool json_salvage_id(const char *text, size_t length, json **ret_id);

/* A double out of decimal text, correctly rounded, whatever the locale. `text` must hold one JSON
 * number and nothing else; false where it does not, or where it is beyond a double. */
bool json_parse_number(const char *text, size_t length, double *ret_value);

/* ---- Looking ------------------------------------------------------------------------------------
 */

enum json_kind json_kind(const json *value);
const char *json_kind_name(enum json_kind kind); /* "null", "boolean", "integer", "number",
						    "string", "array", "object" */
bool json_is_number(const json *value);		 /* JSON_INTEGER or JSON_NUMBER */

bool json_boolean(const json *value);
int64_t json_integer(const json *value); /* of a JSON_INTEGER */
double json_number(const json *value);	 /* of either kind of number */
const char *json_text(const json *value,
		      size_t *ret_length); /* borrowed; may hold NULs; ret_length may be NULL */
bool json_text_is(const json *value, const char *text); /* a JSON_TEXT that equals `text` */

/* Lists. json_packed() gives the doubles of a packed list, or NULL for one that is not packed
 * (which may hold numbers all the same). json_item() works for both forms: an element of a packed
 * list is made on the spot, so it is the caller's to drop in both cases. json_item_kind() and
 * json_item_number() make nothing. */
size_t json_count(const json *list); /* also of an object: its members */
const double *json_packed(const json *list, size_t *ret_count);
enum json_kind json_item_kind(const json *list, size_t index);
double json_item_number(const json *list, size_t index);
json *json_item(const json *list, size_t index);
/* An element of a list that is not packed, borrowed. NULL for null, or for a packed list. */
json *json_peek(const json *list, size_t index);

/* Objects. Members keep the order in which they were written. json_get() borrows; NULL if there is
 * no such key or its value is null; json_has() tells these apart. */
json *json_get(const json *object, const char *key);
bool json_has(const json *object, const char *key);

struct json_member {
	const char *key;  /* borrowed */
	json *value;	  /* borrowed */
	const void *next; /* private */
};
/* for (bool more = json_first(o, &m); more; more = json_next(&m)) */
bool json_first(const json *object, struct json_member *m);
bool json_next(struct json_member *m);

/* Equality of JSON Schema: 1 equals 1.0, objects regardless of order. */
bool json_equal(const json *a, const json *b);

/* ---- Making -------------------------------------------------------------------------------------
 */

json *json_hold(json *value); /* one more reference; answers its argument */
void json_drop_held(json *value);

/* One reference less; NULL is fine, and frequent. */
static inline void json_drop(json *value)
{
	if (value)
		json_drop_held(value);
}

/* New values, the caller's. NULL means no memory. */
json *json_new_boolean(bool value);
json *json_new_integer(int64_t value);
json *json_new_number(double value);
json *json_new_text(const char *text);
json *json_new_text_n(const char *text, size_t length);
json *json_new_list(void);
json *json_new_object(void);
json *json_new_packed(const double *values, size_t count);

/* Take over `value`. A key that is there is replaced. `object` NULL or no memory: value is dropped.
 */
void json_set(json *object, const char *key, json *value);
void json_set_text(json *object, const char *key, const char *text);
void json_set_integer(json *object, const char *key, int64_t value);
void json_set_number(json *object, const char *key, double value);
void json_set_boolean(json *object, const char *key, bool value);
void json_append(json *list,
		 json *value); /* only to lists of json_new_list(): packed ones drop it */
void json_remove(json *object, const char *key);
json *json_copy(const json *value); /* deep */

/* ---- Printing -----------------------------------------------------------------------------------
 */

/* Compact JSON, valid always: NaN and infinities as null, doubles as the shortest text that reads
 * back the same (whole ones up to 2^53 as plain digits, larger ones as 1e+16, minus zero as -0.0),
 * U+2028 and U+2029 escaped, bytes that are no UTF-8 as U+FFFD. */
void json_print(struct buffer *out, const json *value);
void json_print_pretty(
	struct buffer *out,
	const json *value); /* two blanks a level, short lists of numbers on one line */

void json_print_number(struct buffer *out, double value);
void json_print_integer(struct buffer *out, int64_t value);
void json_print_numbers(struct buffer *out, const double *values, size_t count); /* [1,2.5,null] */
void json_print_text(struct buffer *out, const char *text, size_t length); /* with its quotes */
/* The same without quotes, for text that is put together in pieces. */
void json_print_text_part(struct buffer *out, const char *text, size_t length);

/* Reads `text` strictly and appends it in compact form; false, appending nothing, where it is no
 * JSON. */
bool json_print_checked(struct buffer *out, const char *text, size_t length, unsigned max_depth);

#endif
