/* SPDX-License-Identifier: MIT
 *
 * SHA-256, to tell whether two files or texts are the same one (FIPS 180-4, section 6.2).
 */
#ifndef TOOLHOST_SHA256_H
#define TOOLHOST_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT 65 /* bytes of a sum in hexadecimal, with its NUL */

struct sha256 {
	uint32_t state[8];
	uint64_t length; /* of all that was added, in bytes */
	unsigned char block[64];
};

void sha256_init(struct sha256 *sum);
void sha256_add(struct sha256 *sum, const void *data, size_t length);
void sha256_text(struct sha256 *sum, char ret_text[SHA256_TEXT]); /* ends the sum */

/* The sum of an open file from its start, wherever its offset is. 0, or a negative errno. */
int sha256_file(int fd, char ret_text[SHA256_TEXT]);

#endif
