/* SPDX-License-Identifier: MIT
 *
 * What the files share that turn a pack's descriptors into its manifest. Each part is checked
 * first: nothing that stands in a descriptor is believed, since it is whatever bytes the file
 * holds.
 */
#ifndef TOOLHOST_DESCRIBE_H
#define TOOLHOST_DESCRIBE_H

#include "pack/loaded.h"

/* Bounds of texts, in bytes. */
#define NAME_BYTES_MOST 256u
#define TITLE_BYTES_MOST 1024u
#define DESCRIPTION_BYTES_MOST 65536u
#define JSON_BYTES_MOST ((size_t)1 << 20)
#define DATA_BYTES_MOST ((size_t)16 << 20)

#define ALLOWED_NAME "[A-Za-z0-9_-]{1,64}"

struct describer {
	const struct pack *pack;
	struct error *error;
	json *warnings;	 /* a list; owned by the caller of the parts */
	char where[200]; /* what messages are about: "Tool \"add\"" */
};

/* Sets the error "WHERE: reason" and answers STATUS_INPUT_INVALID. */
int describe_refuse(struct describer *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds the warning "WHERE: text", as long as there are not too many. */
void describe_warn(struct describer *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* `where` becomes "WHAT \"NAME\"", with a name that cannot break a message. */
void describe_set_where(struct describer *d, const char *what, const char *name, size_t length);

/* Whether a text is one: data and length agree, a NUL behind it, UTF-8, at most `most` bytes. An
 * absent or empty one is fine unless `needed`. `what` names it in messages: "title". */
int describe_check_text(struct describer *d, th_text text, const char *what, size_t most,
			bool needed);

/* The same, and sets it as a key of `object` where it is not empty. */
int describe_take_text(struct describer *d, json *object, const char *key, th_text text,
		       size_t most, bool needed);

/* Reads a text that is a JSON object. *ret_object is the caller's; NULL where the text is absent or
 * empty. */
int describe_read_object(struct describer *d, th_text text, const char *what, json **ret_object);

/* Refuses keys of `object` that are not among `keys`, naming the nearest; from a pack of a later
 * minor version than ours, warns of them. `what` names the object: "rng". */
int describe_check_keys(struct describer *d, const json *object, const char *what,
			const char *const *keys, size_t count);

/* Whether a key of `object`, where it is there, has that kind. */
int describe_check_kind(struct describer *d, const json *object, const char *what, const char *key,
			enum json_kind kind);

/* ---- describe-tool.c, describe-about.c, describe-schema.c, describe-others.c -------------- */

struct schema;

/* What is known of one tool while it is described. */
struct tool_parts {
	const th_tool *tool;
	json *about;		       /* owned; NULL: none */
	json *input;		       /* the schemas; owned */
	json *output;		       /* NULL: none */
	struct schema *compiled_input; /* owned */
	struct schema *compiled_output;
};

/* Each adds to `object`, the tool in the manifest. */
int describe_tool(struct describer *d, const th_tool *tool, json **ret_object);
int describe_about(struct describer *d, const struct tool_parts *parts, json *object);

/* Warns of shapes that clients are known to refuse or to misread. */
void describe_warn_schema(struct describer *d, const json *schema, bool is_input);

/* Each appends what the pack has of its kind to a list that is there. */
int describe_recipes(struct describer *d, json *ret_list);
int describe_prompts(struct describer *d, json *ret_list);
int describe_resources(struct describer *d, json *ret_list);

#endif
