/* SPDX-License-Identifier: MIT
 *
 * What the files that validate share.
 */
#ifndef TOOLHOST_EVALUATE_H
#define TOOLHOST_EVALUATE_H

#include "schema/place.h"
#include "schema/program.h"

/* A value to validate: a json, or a number of a packed list or a key of an object, of which there
 * is no json. */
struct instance {
	const json *value; /* NULL: null, or there is none */
	enum json_kind kind;
	double number;	  /* of either kind of number */
	const char *text; /* of a text */
	size_t length;
};

/* The value is borrowed. */
struct instance instance_of(const json *value);

static inline struct instance instance_of_number(double number)
{
	return (struct instance){ .kind = JSON_NUMBER, .number = number };
}

/* Members or elements that some keyword has looked at, for the unevaluated keywords. */
struct seen {
	uint64_t *bits; /* `few`, or owned */
	size_t count;	/* of members or elements */
	uint64_t few[4];
};

/* The resources that were entered on the way here, the newest first: what $dynamicRef looks
 * through. */
struct scope {
	const struct scope *outer;
	uint32_t resource;
};

struct run {
	const struct schema *s;
	struct schema_problems
		*problems; /* NULL: only the verdict is wanted, and the first fault ends it */
	struct schema_problem
		*last; /* the one that was added last, or NULL where it was only counted */
	const struct scope *scope;
	struct pattern_work work;
	uint64_t steps; /* left */
	unsigned told;	/* problems so far, each of several that are the same */
	unsigned depth;
	const char *bound; /* that was reached; NULL: none */

	/* Within a branch of anyOf or oneOf: */
	const struct place *branch; /* where it began */
	bool far;		    /* it refused the value itself and not only parts of it */
	uint64_t distance;	    /* how much would have to change */
};

/* evaluate.c. Whether `in` is valid against a node; `seen` NULL: nobody asks what was looked at. */
bool evaluate(struct run *run, uint32_t node, const struct instance *in, const struct place *place,
	      struct seen *seen);
/* Takes steps off the budget; false once it is used up. */
bool run_charge(struct run *run, uint64_t steps);
/* Matches a text against a pattern of the program; anything but a match or none stops the run. */
enum pattern_verdict run_match(struct run *run, uint32_t pattern, const char *text, size_t length);
/* A bound was reached: the value is not valid, whatever comes. Answers false. */
bool run_stop(struct run *run, const char *bound);

/* evaluate-seen.c */
bool seen_init(struct seen *seen, struct run *run, const struct instance *in);
void seen_free(struct seen *seen);
void seen_add(struct seen *seen, size_t index); /* `seen` may be NULL */
void seen_add_all(struct seen *seen);		/* likewise */
bool seen_has(const struct seen *seen, size_t index);
void seen_merge(struct seen *seen, const struct seen *more);

/* evaluate-value.c */
bool check_set(struct run *run, uint32_t set, const struct instance *in, const struct place *place,
	       const char *keyword);
bool check_number(struct run *run, const struct number_rule *rule, const struct instance *in,
		  const struct place *place);
bool check_text(struct run *run, const struct text_rule *rule, const struct instance *in,
		const struct place *place);
/* All of `values` against a node that is plain; without problems. */
bool check_packed(const struct schema *s, const struct node *node, const double *values,
		  size_t count);

/* number.c */
int number_compare(const struct instance *in, const struct bound *bound);
bool number_is_multiple(const struct instance *in, const struct bound *of);

/* evaluate-list.c, evaluate-object.c */
bool check_list(struct run *run, const struct list_rule *rule, const struct instance *in,
		const struct place *place, struct seen *seen);
bool check_unevaluated_items(struct run *run, uint32_t node, const struct instance *in,
			     const struct place *place, const struct seen *seen);
bool check_object(struct run *run, const struct object_rule *rule, const struct instance *in,
		  const struct place *place, struct seen *seen);
bool check_unevaluated_properties(struct run *run, uint32_t node, const struct instance *in,
				  const struct place *place, const struct seen *seen);

/* ---- Telling (explain.c); all do nothing where only the verdict is wanted -------------------- */

#define DISTANCE_PART 1	 /* something to add, remove or change */
#define DISTANCE_OTHER 8 /* another value is meant, perhaps of another branch */

/* Adds a problem. `in` NULL: `found` is set by the caller in run->last. */
void explain(struct run *run, const struct place *place, const char *keyword,
	     const struct instance *in, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void explain_type(struct run *run, unsigned types, const struct instance *in,
		  const struct place *place);
void explain_set(struct run *run, const struct value_set *set, const struct instance *in,
		 const struct place *place, const char *keyword);
void explain_missing(struct run *run, const struct place *place, const struct instance *in,
		     const char *keyword, const char *key);
/* `rule` NULL: its keys are not known. */
void explain_unknown_key(struct run *run, const struct object_rule *rule, const struct place *place,
			 const char *keyword, const char *key);
void explain_text_length(struct run *run, const struct place *place, const struct instance *in,
			 const char *keyword, const char *which, uint64_t bound);

/* Evaluates alternatives, none of which is valid, and tells of the one that came nearest. */
void explain_branches(struct run *run, const struct apply *apply, const char *keyword,
		      const struct instance *in, const struct place *place);

#endif
