/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share: the list in the making, and the piece of text that is being
 * read. Private to parse.
 */
#ifndef TOOLHOST_PARSE_PARSER_H
#define TOOLHOST_PARSE_PARSER_H

#include "parse/parse.h"

enum {
	PARSE_DEPTH = 4,      /* texts within messages within texts */
	PARSE_NAME_MAX = 512, /* bytes of a name that a token or a line ends */
};

struct parser {
	const struct parse_options *options;
	struct parse_list *list;
	unsigned depth; /* texts that are being read */
	int status;	/* STATUS_OK, or why reading has ended */
};

/* A piece of text. Who is handed one sees nothing behind its end. */
struct source {
	const char *text;
	size_t length;
	size_t origin; /* the offset of its first byte in the input */
	bool fixed;    /* it was decoded: `origin` is that of the value that it is from */
	bool whole;    /* nothing follows it, so what ends with it has been cut */
	bool body;     /* it lies in a fence, and no fence in it */
};

static inline size_t source_offset(const struct source *source, size_t at)
{
	return source->fixed ? source->origin : source->origin + at;
}

/* ---- Text (source.c) -------------------------------------------------------------------------- */

#define NOT_FOUND SIZE_MAX

/* Where something was last found. A later search for it from before that place costs nothing, so
 * that many searches of one text take time in proportion to it. Begins as zeros. */
struct finder {
	size_t from, at;
	bool valid;
};

/* Where `needle`, of which case does not matter, lies at or behind `from`; NOT_FOUND. */
size_t source_find(const struct source *source, struct finder *finder, const char *needle,
		   size_t from);
bool source_has(const struct source *source, size_t at, const char *token); /* to the letter */
bool source_has_folded(const struct source *source, size_t at, const char *token);
size_t source_skip_space(const struct source *source, size_t at); /* the white space of JSON */
size_t source_line_end(const struct source *source, size_t at);	  /* its \n, or the end */
bool source_blank(const struct source *source, size_t from, size_t to);
/* The length of a token that ends a model's turn, or that stands around calls; 0: there is none. */
size_t source_token(const struct source *source, size_t at);
/* The length without the white space, and the tokens that end a model's turn, at its end. */
size_t source_end(const struct source *source);
bool byte_is_space(char byte);
bool byte_is_name(char byte); /* [A-Za-z0-9_.-] */

/* The head of an element's tag: "<name", "</name", "<prefix:name". */
struct tag {
	size_t name; /* behind a prefix */
	size_t name_length;
	size_t after; /* behind the name */
	bool end;     /* of an end tag */
	bool prefixed;
};

bool source_tag(const struct source *source, size_t at, struct tag *ret_tag);
bool tag_is(const struct source *source, const struct tag *tag, const char *name);
bool tag_ends_there(const struct source *source, const struct tag *tag); /* its name does */
#define TAG_NAME_MAX 64
void tag_name(const struct source *source, const struct tag *tag, char ret_name[TAG_NAME_MAX]);

/* Where the next start or end tag of an element begins; NOT_FOUND. */
size_t source_find_tag(const struct source *source, struct finder *finder, const char *name,
		       bool end, size_t from);

/* The text between two places, the caller's. NULL: no memory, or it is no UTF-8. */
json *source_text(const struct source *source, size_t from, size_t to);

/* ---- Entries (entries.c) ---------------------------------------------------------------------- */

static inline bool parser_goes_on(const struct parser *parser)
{
	return parser->status == STATUS_OK;
}

/* Takes over the values of the entry. */
void parser_add(struct parser *parser, struct parse_entry entry);

/* Adds one that is malformed. `tool` is copied, where it is a text that is not empty. `format` says
 * what is wrong. */
void parser_refuse(struct parser *parser, size_t offset, const json *tool, enum parse_reason reason,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A call as a format has found it. All values are borrowed. */
struct found {
	size_t offset;
	const json *name;
	const json *arguments; /* absent, null, an object, or JSON text */
	const json *id;
	const json *namespace;
	unsigned decoded; /* how often the arguments have been decoded */
	bool untyped;	  /* the arguments are texts since the format knows nothing else */
	bool cut;	  /* argument text that ends early was cut by the model's limit */
};

/* Adds the call, or what is wrong with it. */
void parser_call(struct parser *parser, const struct found *found);

/* Adds a call whose arguments are a new object, which is taken over. */
void parser_call_object(struct parser *parser, const struct found *found, json *arguments);

/* Takes back all entries from `count` on. */
void parser_cut(struct parser *parser, size_t count);

/* Takes back the tentative ones among the entries from `from` to before `to`. */
void parser_drop_tentative(struct parser *parser, size_t from, size_t to);

/* The same id twice: the same call again is dropped, another one is malformed. */
void parser_check_ids(struct parser *parser);

/* ---- Whole texts ------------------------------------------------------------------------------- */

/* A text as a model gave it: a stored stream, a JSON value, JSON lines, or prose (text.c). */
void text_read(struct parser *parser, const struct source *source);

/* Calls among prose (scan.c). True where there is nothing but calls. */
bool scan_read(struct parser *parser, const struct source *source);

#endif
