/* SPDX-License-Identifier: MIT
 *
 * Parameters in element style: texts, verbatim, under their names. Private to parse.
 */
#ifndef TOOLHOST_PARSE_PARAMETERS_H
#define TOOLHOST_PARSE_PARAMETERS_H

#include "parse/formats.h"

enum parameters_end {
	PARAMETERS_OPEN,    /* they may go on */
	PARAMETERS_DONE,    /* the element has ended */
	PARAMETERS_CUT,	    /* the text, or the element, ends within a value */
	PARAMETERS_LEFT,    /* something else begins, which is read next */
	PARAMETERS_STRANGE, /* something else stands between them */
};

/* The elements that a call and its values are written in. */
struct parameters_form {
	const char *call;  /* the element's name, whose end tag ends the call */
	const char *value; /* that of a value */
	struct finder *call_end, *value_end;
	bool trim; /* a newline at each end of a value is none of it */
};

struct parameters {
	const struct parameters_form *form;
	json *values; /* an object; owned */
	size_t at;    /* where reading goes on */
	enum parameters_end end;
	bool repeated;
	bool not_utf8;
};

void parameters_begin(struct parameters *parameters, const struct parameters_form *form, size_t at);

/* Reads the value that begins at `from`, and goes on behind its end tag. Takes over the key; NULL:
 * there is none. */
void parameters_value(struct parameters *parameters, const struct source *source, json *key,
		      size_t from);

/* Takes over the key, and a value that is already known. */
void parameters_set(struct parameters *parameters, json *key, json *value);

/* Adds the call, or says what is wrong with it, and moves parameters->at behind the call. Frees the
 * values. */
void parameters_finish(struct parameters *parameters, struct parser *parser,
		       const struct source *source, const struct found *found);

#endif
