/* SPDX-License-Identifier: MIT
 *
 * MCP over the standard streams: one JSON message a line.
 */
#ifndef TOOLHOST_SERVE_STDIO_H
#define TOOLHOST_SERVE_STDIO_H

#include "base/paths.h"
#include "registry/registry.h"

struct serve_options {
	const struct paths *paths;
	const struct registry_options
		*registry; /* what the scan starts from; it runs behind initialize */
	enum isolation at_least;
	double timeout; /* seconds; 0: default */
};

/* Serves until the input ends, then answers the exit status. Call serve_claim_stdio() first. */
int serve_stdio(const struct serve_options *options);

/* Moves the protocol's descriptors out of reach, before anything else runs: input and output are
 * duplicated above 2 with close-on-exec; 0 becomes the null device and 1 becomes stderr. Also fills
 * 0, 1 and 2 where they are closed. */
int serve_claim_stdio(struct error *error);

/* The output that was claimed: where results go from then on. */
int serve_output(void);

#endif
