/* SPDX-License-Identifier: MIT
 *
 * A pack in this process: checked as a file, loaded, described, called. Linked into host and
 * worker; the host loads only trusted packs, and only when the first call needs one.
 */
#ifndef TOOLHOST_PACK_H
#define TOOLHOST_PACK_H

#include "base/error.h"
#include "pack/call.h"

#include <toolhost/plugin.h>

#include <sys/stat.h>

/* ---- The file, before anything is loaded (elf.c) ------------------------------------------ */

struct pack_file {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
	uint16_t abi_major; /* what the descriptor in the file says */
	uint16_t abi_minor;
	uint32_t pack_size;   /* its struct_size */
	uint64_t symbol_size; /* what the symbol table says */
	bool bind_now;	      /* linked with -z now */
};

/* Opens the file and checks that it is an ELF shared object for this machine whose own symbol table
 * defines toolhost_pack_v1 as data, with a major version and a size that this host reads. Runs
 * nothing of it. STATUS_INPUT_INVALID with a message that says what to do. *ret_fd is the caller's.
 */
int pack_file_open(const char *path, struct pack_file *ret_file, int *ret_fd, struct error *error);

/* ---- Loading (load.c, the only file that calls libltdl) ----------------------------------- */

struct pack; /* the library is never unloaded: its memory is the process's until the end */

/* Loads the file that `fd` has open, with local and resident advice, by its path, which is
 * absolute, so that $ORIGIN and debuggers work; or through the descriptor where the path cannot be
 * reached, as in a worker that has changed its user. Then checks that what was loaded is that file.
 * With LD_BIND_NOW=1, or a pack linked with -z now, missing symbols are found here.
 * STATUS_INPUT_INVALID with a message that says what to do. Any thread. */
int pack_load(const char *path, int fd, const struct pack_file *file, struct pack **ret_pack,
	      struct error *error);

/* A pack that is linked into the program: the host's own tools. The descriptor is borrowed. */
int pack_linked_in(const th_pack *descriptor, struct pack **ret_pack, struct error *error);

void pack_free(struct pack *pack); /* what the host knows of it; the library stays */

/* ---- Describing (describe.c) -------------------------------------------------------------- */

/* The manifest: all that the pack says of itself, checked and completed, as JSON; starts_threads is
 * left to the worker, who can see that. Fails as a whole, naming the tool and the rule, when one
 * part is wrong. Its form is in ARCHITECTURE.md. */
int pack_describe(const struct pack *pack, json **ret_manifest, struct error *error);

/* ---- Calling (run.c) ---------------------------------------------------------------------- */

/* The index of a tool, or -1. The pack has been described, here or in the scan of the same file. */
int pack_find_tool(const struct pack *pack, const char *name);

/* Has the pages mapped, of the pack and of what runs it, that a call goes through first, so that it
 * need not wait for them. */
void pack_touch(const struct pack *pack);

/* Fills the tool's struct from call->arguments, which have passed the gate (NULL: none), and runs
 * the tool. Answers as call_run(), or STATUS_INPUT_INVALID where an argument cannot be held. */
int pack_run_tool(const struct pack *pack, int tool, struct call *call);

#endif
