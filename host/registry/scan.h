/* SPDX-License-Identifier: MIT
 *
 * Scanning: what a pack is, found out by toolhost-worker in a process of its own.
 */
#ifndef TOOLHOST_SCAN_H
#define TOOLHOST_SCAN_H

#include "registry/record.h"

/* One file to scan, and what came of it. */
struct scan_job {
	const char *path;	   /* absolute; borrowed, as is the name */
	const char *name;	   /* of the pack */
	struct file_identity file; /* set by the scan: the file that the answer is about */
	json *manifest;		   /* checked; owned; NULL: refused, for this reason */
	char reason[1024];
	bool passing; /* the reason lies in the moment and not in the file, so that another try may
			 succeed */
};

/* Scans all of them, several at a time, each in a worker that is killed after `timeout` seconds.
 * Blocks; any thread. STATUS_INTERNAL where not even the loop can be had. */
int scan_files(const char *worker, struct scan_job *jobs, size_t count, double timeout,
	       struct error *error);

#endif
