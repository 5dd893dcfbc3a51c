/* SPDX-License-Identifier: MIT
 *
 * The strict reader: one pass, one call a value.
 */
#include "base/array.h"
#include "base/json-number.h"
#include "base/json-reader.h"
#include "base/status.h"

#include <json-c/json_object.h>
#include <json-c/linkhash.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_DEFAULT 512
#define DEPTH_MOST 512 /* values are read, printed and freed by functions that call themselves */

/* ---- Numbers ------------------------------------------------------------------------------- */

static int read_number(struct json_reader *r, struct json_number *ret_number)
{
	const char *behind = json_number_read(r->at, r->end, ret_number);

	if (!behind)
		return reader_explain_number(r);
	if (isinf(ret_number->value))
		return reader_fault(r, r->at, "a number beyond a double: at most about 1.797e308");
	r->at = behind;
	return STATUS_OK;
}

static bool begins_number(const struct json_reader *r)
{
	return r->at < r->end && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'));
}

static json *number_to_json(const struct json_number *number)
{
	return number->is_integer ? json_new_integer(number->integer)
				  : json_new_number(number->value);
}

/* ---- Lists --------------------------------------------------------------------------------- */

static int push_value(struct json_reader *r, json *value)
{
	if (r->value_count == r->value_capacity) {
		size_t capacity = r->value_capacity ? r->value_capacity * 2 : 64;
		json **values = realloc(r->values, capacity * sizeof(*values));

		if (!values) {
			json_drop(value);
			return reader_no_memory(r);
		}
		r->values = values;
		r->value_capacity = capacity;
	}
	r->values[r->value_count++] = value;
	return STATUS_OK;
}

/* A list of the values that were pushed since there were `base` of them. */
static int pop_list(struct json_reader *r, size_t base, json **ret_value)
{
	size_t count = r->value_count - base;
	json *list = json_object_new_array_ext(count ? (int)count : 1);

	if (!list)
		return reader_no_memory(r);
	for (size_t i = base; i < r->value_count; i++)
		json_object_array_add(list, r->values[i]);
	r->value_count = base;
	*ret_value = list;
	return STATUS_OK;
}

bool reader_next_element(struct json_reader *r)
{
	reader_skip_blanks(r);
	if (!reader_sees(r, ','))
		return false;
	r->at++;
	reader_skip_blanks(r);
	return true;
}

static bool grow_numbers(struct json_reader *r)
{
	size_t capacity = r->number_capacity ? r->number_capacity * 2 : 64;
	struct json_packed *numbers = json_packed_resize(r->numbers, capacity);
	bool *are_integers;

	if (!numbers)
		return false;
	r->numbers = numbers;
	are_integers = realloc(r->are_integers, capacity * sizeof(*are_integers));
	if (!are_integers)
		return false;
	r->are_integers = are_integers;
	r->number_capacity = capacity;
	return true;
}

static int add_number(struct json_reader *r, const struct json_number *number)
{
	size_t i = r->numbers ? r->numbers->count : 0;

	if (i == r->number_capacity && !grow_numbers(r))
		return reader_no_memory(r);
	r->are_integers[i] = number->is_integer;
	r->numbers->values[i] = number->value;
	r->numbers->count = i + 1;
	return STATUS_OK;
}

/* The run of numbers as a packed list. A long one is handed over, a short one copied. */
static int pack_numbers(struct json_reader *r, json **ret_value)
{
	size_t count = r->numbers->count;
	struct json_packed *packed;

	if (count < 1024) {
		*ret_value = json_new_packed(r->numbers->values, count);
	} else {
		packed = json_packed_resize(r->numbers, count);
		*ret_value = json_take_packed(packed ? packed : r->numbers);
		r->numbers = NULL;
		r->number_capacity = 0;
	}
	return *ret_value ? STATUS_OK : reader_no_memory(r);
}

/* The run of numbers as elements of a list that is not packed. */
static int push_numbers(struct json_reader *r)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < r->numbers->count && status == STATUS_OK; i++) {
		double value = r->numbers->values[i];

		status = push_value(r, r->are_integers[i] ? json_new_integer((int64_t)value)
							  : json_new_number(value));
	}
	return status;
}

/* The numbers at the head of a list: as a packed list, past its end, where they are all that it has
 * and there are enough; else pushed, and *ret_more says whether another element follows. No value
 * is made before that is known. */
static int read_numbers(struct json_reader *r, json **ret_packed, bool *ret_more)
{
	struct json_number number;
	int status;

	if (r->numbers)
		r->numbers->count = 0;
	*ret_packed = NULL;
	*ret_more = true;
	while (*ret_more && begins_number(r)) {
		const char *first = r->at;

		status = read_number(r, &number);
		if (status != STATUS_OK)
			return status;
		/* Past 2^53 a double may stand for several integers, so these keep the list
		 * unpacked. */
		if (number.is_integer &&
		    (number.integer > JSON_EXACT_MOST || number.integer < -JSON_EXACT_MOST)) {
			r->at = first;
			break;
		}
		status = add_number(r, &number);
		if (status != STATUS_OK)
			return status;
		*ret_more = reader_next_element(r);
	}
	if (!r->numbers)
		return STATUS_OK;
	if (!*ret_more && reader_sees(r, ']') && r->numbers->count >= JSON_PACK_LEAST) {
		r->at++;
		return pack_numbers(r, ret_packed);
	}
	return push_numbers(r);
}

static int read_list(struct json_reader *r, json **ret_value)
{
	size_t base = r->value_count;
	bool more = true;
	json *value;
	int status;

	r->at++;
	reader_skip_blanks(r);
	if (reader_sees(r, ']')) {
		r->at++;
		return pop_list(r, base, ret_value);
	}
	if (begins_number(r)) {
		status = read_numbers(r, ret_value, &more);
		if (status != STATUS_OK || *ret_value)
			return status;
	}
	while (more) {
		status = reader_value(r, JSON_PLACE_LIST, &value);
		if (status == STATUS_OK)
			status = push_value(r, value);
		if (status != STATUS_OK)
			return status;
		more = reader_next_element(r);
	}
	if (!reader_sees(r, ']'))
		return reader_explain_next(r, JSON_PLACE_LIST);
	r->at++;
	return pop_list(r, base, ret_value);
}

/* ---- Objects ------------------------------------------------------------------------------- */

/* The keys of every request and every schema need no copy for each object that has them. */
static const char *common_key(const char *key, size_t length)
{
	static const char *const by_length[][3] = {
		[2] = { "id" },
		[4] = { "name", "type", "text" },
		[5] = { "_meta", "items", "title" },
		[6] = { "method", "params", "values" },
		[7] = { "jsonrpc", "default", "minimum" },
		[9] = { "arguments" },
		[10] = { "properties" },
		[11] = { "description" },
	};

	if (length >= ARRAY_SIZE(by_length))
		return NULL;
	for (int i = 0; i < 3 && by_length[length][i]; i++)
		if (!memcmp(by_length[length][i], key, length))
			return by_length[length][i];
	return NULL;
}

static int read_member(struct json_reader *r, struct lh_table *members)
{
	const char *first = r->at, *string, *common;
	size_t length;
	unsigned long hash;
	char *copy = NULL;
	json *value;
	int status;

	if (!reader_sees(r, '"'))
		return reader_explain_key(r);
	status = reader_string(r, &string, &length);
	if (status != STATUS_OK)
		return status;
	if (memchr(string, '\0', length))
		return reader_fault(r, first, "a NUL in a key: leave \\u0000 out");
	common = common_key(string, length);
	if (!common) {
		copy = malloc(length + 1);
		if (!copy)
			return reader_no_memory(r);
		memcpy(copy, string, length);
		copy[length] = '\0';
		common = copy;
	}
	/* json-c's own hash is keyed with a random seed, so nobody can choose keys that collide. */
	hash = lh_get_hash(members, common);
	if (lh_table_length(members) && lh_table_lookup_entry_w_hash(members, common, hash)) {
		status = reader_repeated_key(r, first, common);
		goto out;
	}
	reader_skip_blanks(r);
	if (!reader_sees(r, ':')) {
		status = reader_explain_colon(r);
		goto out;
	}
	r->at++;
	reader_skip_blanks(r);
	status = reader_value(r, JSON_PLACE_OBJECT, &value);
	if (status != STATUS_OK)
		goto out;
	if (lh_table_insert_w_hash(members, common, value, hash,
				   copy ? 0 : JSON_C_OBJECT_ADD_CONSTANT_KEY)) {
		json_drop(value);
		status = reader_no_memory(r);
		goto out;
	}
	copy = NULL;
out:
	free(copy);
	return status;
}

static int read_object(struct json_reader *r, json **ret_value)
{
	json *object = json_object_new_object();
	struct lh_table *members;
	bool more = true;
	int status;

	if (!object)
		return reader_no_memory(r);
	members = json_object_get_object(object);
	r->at++;
	reader_skip_blanks(r);
	if (reader_sees(r, '}'))
		more = false;
	while (more) {
		status = read_member(r, members);
		if (status != STATUS_OK)
			goto out;
		more = reader_next_element(r);
	}
	if (!reader_sees(r, '}')) {
		status = reader_explain_next(r, JSON_PLACE_OBJECT);
		goto out;
	}
	r->at++;
	*ret_value = object;
	return STATUS_OK;
out:
	json_drop(object);
	return status;
}

/* ---- Values -------------------------------------------------------------------------------- */

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool read_word(struct json_reader *r, const char *word, size_t length)
{
	if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length))
		return false;
	if ((size_t)(r->end - r->at) > length && is_word_byte(r->at[length]))
		return false;
	r->at += length;
	return true;
}

static int read_nested(struct json_reader *r, json **ret_value)
{
	int status;

	if (r->depth == r->max_depth)
		return reader_too_deep(r);
	r->depth++;
	status = *r->at == '[' ? read_list(r, ret_value) : read_object(r, ret_value);
	r->depth--;
	return status;
}

static int read_scalar(struct json_reader *r, enum json_place place, json **ret_value)
{
	struct json_number number;
	const char *string;
	size_t length;
	int status;

	if (begins_number(r)) {
		status = read_number(r, &number);
		if (status == STATUS_OK)
			*ret_value = number_to_json(&number);
	} else if (reader_sees(r, '"')) {
		status = reader_string(r, &string, &length);
		if (status == STATUS_OK)
			*ret_value = json_new_text_n(string, length);
	} else if (read_word(r, "true", 4) || read_word(r, "false", 5)) {
		status = STATUS_OK;
		*ret_value = json_new_boolean(r->at[-2] == 'u');
	} else {
		return reader_explain_value(r, place);
	}
	if (status == STATUS_OK && !*ret_value)
		return reader_no_memory(r);
	return status;
}

int reader_value(struct json_reader *r, enum json_place place, json **ret_value)
{
	*ret_value = NULL;
	if (reader_sees(r, '{') || reader_sees(r, '['))
		return read_nested(r, ret_value);
	if (read_word(r, "null", 4))
		return STATUS_OK;
	return read_scalar(r, place, ret_value);
}

static int read_leading(struct json_reader *r, json **ret_value)
{
	reader_skip_blanks(r);
	return reader_value(r, JSON_PLACE_TOP, ret_value);
}

static int read_whole(struct json_reader *r, json **ret_value)
{
	int status = read_leading(r, ret_value);

	if (status != STATUS_OK)
		return status;
	reader_skip_blanks(r);
	return reader_ended(r) ? STATUS_OK : reader_explain_next(r, JSON_PLACE_TOP);
}

int reader_init(struct json_reader *r, const char *text, size_t length,
		const struct json_limits *limits, struct json_fault *fault)
{
	/* json-c counts the bytes of a string in an int. */
	size_t most = limits && limits->max_bytes && limits->max_bytes < INT_MAX ? limits->max_bytes
										 : INT_MAX;

	*r = (struct json_reader){
		.at = text,
		.start = text,
		.end = text + length,
		.fault = fault,
		.max_depth = limits && limits->max_depth ? limits->max_depth : DEPTH_DEFAULT,
		.string = BUFFER_INIT(SIZE_MAX),
	};
	if (r->max_depth > DEPTH_MOST)
		r->max_depth = DEPTH_MOST;
	return length > most ? reader_too_long(r, length, most) : STATUS_OK;
}

void reader_free(struct json_reader *r)
{
	while (r->value_count > 0)
		json_drop(r->values[--r->value_count]);
	free(r->values);
	free(r->numbers);
	free(r->are_integers);
	buffer_free(&r->string);
}

static int read_text(const char *text, size_t length, const struct json_limits *limits,
		     json **ret_value, size_t *ret_used, struct json_fault *fault)
{
	struct json_reader r;
	json *value = NULL;
	int status;

	*ret_value = NULL;
	if (fault)
		memset(fault, 0, sizeof(*fault));
	status = reader_init(&r, text, length, limits, fault);
	if (status == STATUS_OK)
		status = ret_used ? read_leading(&r, &value) : read_whole(&r, &value);
	if (status == STATUS_OK)
		*ret_value = value;
	else
		json_drop(value);
	if (ret_used)
		*ret_used = (size_t)(r.at - text);
	reader_free(&r);
	return status;
}

int json_read(const char *text, size_t length, const struct json_limits *limits, json **ret_value,
	      struct json_fault *fault)
{
	return read_text(text, length, limits, ret_value, NULL, fault);
}

int json_read_first(const char *text, size_t length, const struct json_limits *limits,
		    json **ret_value, size_t *ret_used, struct json_fault *fault)
{
	return read_text(text, length, limits, ret_value, ret_used, fault);
}

bool json_parse_number(const char *text, size_t length, double *ret_value)
{
	struct json_number number;

	if (json_number_read(text, text + length, &number) != text + length || isinf(number.value))
		return false;
	*ret_value = number.value;
	return true;
}
