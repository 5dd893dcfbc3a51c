/* SPDX-License-Identifier: MIT
 *
 * The formats that calls among prose are written in. Private to parse.
 */
#ifndef TOOLHOST_PARSE_FORMATS_H
#define TOOLHOST_PARSE_FORMATS_H

#include "parse/parser.h"

/* What a format has made of a place. */
enum reading {
	READ_NONE,    /* it is none of its own */
	READ_CALL,    /* calls, or malformed ones */
	READ_NEUTRAL, /* what says nothing: tags around calls, comments, thoughts */
	READ_QUOTED,  /* what is shown and not said */
	READ_UNSAID,  /* all before it was a thought */
};

/* The searches of one source. */
struct finders {
	struct finder tool_start, tool_end, call_start, call_end, function_start, function_end,
		invoke_end, parameter_end, name_end, key_end, value_end, deepseek_end, eom, eot;
};

/* Each reads at *at, where its tag or token stands, and moves *at behind what it has read. */
enum reading tool_tag(struct parser *parser, const struct source *source, struct finders *finders,
		      const struct tag *tag, size_t *at);
enum reading invoke_element(struct parser *parser, const struct source *source,
			    struct finders *finders, const struct tag *tag, size_t *at);
enum reading tool_call_element(struct parser *parser, const struct source *source,
			       struct finders *finders, const struct tag *tag, size_t *at);
enum reading function_tag(struct parser *parser, const struct source *source,
			  struct finders *finders, size_t *at);
enum reading python_tag(struct parser *parser, const struct source *source, struct finders *finders,
			size_t *at);
enum reading mistral_token(struct parser *parser, const struct source *source, size_t *at);

#endif
