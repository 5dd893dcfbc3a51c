/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LENGTH_AT 56 /* where the length stands in the last block */

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t turned(uint32_t word, int bits)
{
	return word >> bits | word << (32 - bits);
}

static void expand(const unsigned char block[64], uint32_t words[64])
{
	for (int i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = (turned(b, 17) ^ turned(b, 19) ^ b >> 10) + words[i - 7] +
			   (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 16];
	}
}

static void add_block(struct sha256 *sum, const unsigned char block[64])
{
	uint32_t words[64], s[8];

	expand(block, words);
	memcpy(s, sum->state, sizeof(s));
	for (int i = 0; i < 64; i++) {
		uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
				 choice + constants[i] + words[i];
		uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
				  majority;

		memmove(&s[1], &s[0], 7 * sizeof(s[0]));
		s[4] += first;
		s[0] = first + second;
	}
	for (int i = 0; i < 8; i++)
		sum->state[i] += s[i];
}

void sha256_init(struct sha256 *sum)
{
	/* The same of the square roots of the first 8 primes. */
	static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memcpy(sum->state, start, sizeof(start));
	sum->length = 0;
}

void sha256_add(struct sha256 *sum, const void *data, size_t length)
{
	const unsigned char *bytes = data;
	size_t used = sum->length % 64;

	sum->length += length;
	if (used && used + length >= 64) {
		memcpy(sum->block + used, bytes, 64 - used);
		add_block(sum, sum->block);
		bytes += 64 - used;
		length -= 64 - used;
		used = 0;
	}
	for (; length >= 64; bytes += 64, length -= 64)
		add_block(sum, bytes);
	if (length)
		memcpy(sum->block + used, bytes, length);
}

void sha256_text(struct sha256 *sum, char ret_text[SHA256_TEXT])
{
	uint64_t bits = sum->length * 8;
	size_t used = sum->length % 64;

	sum->block[used++] = 0x80;
	if (used > LENGTH_AT) {
		memset(sum->block + used, 0, 64 - used);
		add_block(sum, sum->block);
		used = 0;
	}
	memset(sum->block + used, 0, LENGTH_AT - used);
	for (int i = 0; i < 8; i++)
		sum->block[LENGTH_AT + i] = (unsigned char)(bits >> (56 - 8 * i));
	add_block(sum, sum->block);
	for (int i = 0; i < 8; i++)
		snprintf(ret_text + (size_t)i * 8, 9, "%08x", (unsigned)sum->state[i]);
}

int sha256_file(int fd, char ret_text[SHA256_TEXT])
{
	unsigned char bytes[16384];
	struct sha256 sum;
	off_t at = 0;
	ssize_t n;

	sha256_init(&sum);
	while ((n = pread(fd, bytes, sizeof(bytes), at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		sha256_add(&sum, bytes, (size_t)n);
		at += n;
	}
	sha256_text(&sum, ret_text);
	return 0;
}
