/* SPDX-License-Identifier: MIT
 *
 * Replay: a call that crashed, hung, or was ended by a limit or a wall leaves a record, from which
 * it can be run again.
 *
 * A record is a JSON file in a folder that nobody else may read. The recorder has a thread of its
 * own, so that no call waits for a disk; what it cannot write is told in the log and nowhere else.
 */
#ifndef TOOLHOST_REPLAY_H
#define TOOLHOST_REPLAY_H

#include "base/paths.h"
#include "execute/job.h"

/* ---- Writing (replay.c) ------------------------------------------------------------------- */

struct recorder;

/* NULL where no records are wanted, there is no place for them, or no memory. */
struct recorder *recorder_new(const struct paths *paths);

/* Writes what still waits, for two seconds at most. */
void recorder_free(struct recorder *recorder);
void recorder_flush(struct recorder *recorder);

/* Has a record written of a call that ended so, if its end is one that leaves a record. Any thread,
 * before the answer is given; `recorder` may be NULL. */
void recorder_note(struct recorder *recorder, struct job *job, const struct outcome *outcome);

/* ---- The file (replay-file.c) ------------------------------------------------------------- */

#define REPLAY_FORMAT 1
#define REPLAY_BYTES_MOST ((size_t)4 << 20) /* of one record */

/* Writes a record aside in the folder for them below `state`, gives it its name, and removes the
 * oldest ones beyond `most`. *ret_path is the caller's. */
int replay_write(const char *state, const char *name, const struct buffer *text, size_t most,
		 char **ret_path, struct error *error);

/* A record that was read. The texts are borrowed from `whole`. */
struct replay_record {
	json *whole;
	const char *pack, *path, *sha256, *tool;
	json *arguments; /* borrowed; NULL: not kept */
	uint64_t seed;
	double timeout;	   /* seconds */
	int64_t memory_mb; /* of an isolated call */
	enum isolation isolation;
};

/* Reads and checks a record. STATUS_USAGE with what is wrong with the file. */
int replay_read(const char *path, struct replay_record *ret_record, struct error *error);
void replay_record_free(struct replay_record *record);

/* ---- Under a debugger (replay-debug.c) --------------------------------------------------------
 */

/* Becomes gdb, which runs the call in a worker. Answers only where that cannot be. */
int replay_debug(const struct paths *paths, const struct execute_request *request,
		 enum isolation level, struct error *error);

#endif
