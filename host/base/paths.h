/* SPDX-License-Identifier: MIT
 *
 * Where things are: found from the program's own place, never from PATH, HOME or the working
 * directory.
 */
#ifndef TOOLHOST_PATHS_H
#define TOOLHOST_PATHS_H

#include "base/error.h"

struct paths {
	char *program; /* this program, absolute */
	char *worker;  /* toolhost-worker: beside the program in the build tree, else in libexecdir
			*/
	char *packs;   /* the folder of the shipped packs */
	char *recipes; /* the folder of the shipped recipe files */
	char *cache;   /* the scan cache folder: XDG_CACHE_HOME, or the passwd home; NULL: none */
	char *state;   /* replay records: XDG_STATE_HOME, or the passwd home; NULL: none */
	char *config_system; /* sysconfdir/toolhost/toolhost.conf */
	char *config_user; /* XDG_CONFIG_HOME or the passwd home: toolhost/toolhost.conf; NULL: none
			    */
	bool in_build_tree;
};

/* Fills all of them; STATUS_INTERNAL where the program's own place cannot be read. */
int paths_find(struct paths *ret_paths, struct error *error);
void paths_free(struct paths *paths);

#endif
