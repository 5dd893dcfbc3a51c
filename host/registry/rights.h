/* SPDX-License-Identifier: MIT
 *
 * What lies beyond the walls of a worker: what a tool needs of it, what the operator grants a pack.
 */
#ifndef TOOLHOST_RIGHTS_H
#define TOOLHOST_RIGHTS_H

#include "base/json.h"

#define RIGHTS_PATHS 32 /* of each kind; the worker takes no more */

struct rights {
	bool network;
	bool subprocess;
	const char *read[RIGHTS_PATHS + 1]; /* absolute paths, NULL-ended; borrowed */
	const char *write[RIGHTS_PATHS + 1];
};

extern const struct rights rights_none;

/* Adds what the `needs` of a manifest says. Paths beyond RIGHTS_PATHS, and what has no place in
 * `needs`, are passed over: nothing more is granted than is understood. The paths stay those of the
 * manifest. */
void rights_add_needs(struct rights *rights, const json *needs);

/* Adds a path, unless it is there. False: there are RIGHTS_PATHS already. */
bool rights_add_path(const char **paths, const char *path);

/* Whether a path has a step .. in it, so that it may lead out of what it seems to lie in. */
bool rights_path_climbs(const char *path);

bool rights_any(const struct rights *rights);

/* What is in both. Of two paths one of which lies below the other, that is the lower one. */
void rights_meet(const struct rights *a, const struct rights *b, struct rights *ret_both);

/* What `granted` lacks of `needed`: a path that is granted in parts is missing. */
void rights_lack(const struct rights *needed, const struct rights *granted,
		 struct rights *ret_missing);

/* Adds all of `more`. */
void rights_join(struct rights *rights, const struct rights *more);

/* What of `granted` is not needed at all. */
void rights_useless(const struct rights *granted, const struct rights *needed,
		    struct rights *ret_useless);

/* "network, subprocess, read /data, write /tmp/x" for a person; "nothing" where there is none. */
void rights_print(struct buffer *out, const struct rights *rights);

/* The section of the config that grants them: pack "x" { network = true  read = { "/data" } }. */
void rights_print_section(struct buffer *out, const char *pack, const struct rights *rights);

/* {"network", "subprocess", "read", "write"}, those that there are. */
json *rights_to_json(const struct rights *rights);

#endif
