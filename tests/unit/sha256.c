/* SPDX-License-Identifier: MIT
 *
 * The examples of FIPS 180-4, and every length around a block against sums made in another way.
 */
#include "base/sha256.h"

#include "unit.h"

#include <fcntl.h>
#include <unistd.h>

static const char *sum_of(const void *data, size_t length, size_t piece)
{
	static char text[SHA256_TEXT];
	struct sha256 sum;

	sha256_init(&sum);
	for (size_t at = 0; at < length; at += piece)
		sha256_add(&sum, (const char *)data + at,
			   length - at < piece ? length - at : piece);
	sha256_text(&sum, text);
	return text;
}

static void the_examples_of_the_standard(void)
{
	static char million[1000000];

	UNIT_TEXT(sum_of("", 0, 1),
		  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	UNIT_TEXT(sum_of("abc", 3, 3),
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	UNIT_TEXT(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 56),
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(million, 'a', sizeof(million));
	UNIT_TEXT(sum_of(million, sizeof(million), sizeof(million)),
		  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Made by coreutils: for n in 55 56 63 64 65 119 120; do head -c $n /dev/zero | sha256sum; done */
static void lengths_around_a_block(void)
{
	static const struct {
		size_t length;
		const char *sum;
	} cases[] = {
		{ 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7" },
		{ 56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb" },
		{ 63, "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971" },
		{ 64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b" },
		{ 65, "98ce42deef51d40269d542f5314bef2c7468d401ad5d85168bfab4c0108f75f7" },
		{ 119, "f616b0d54e78571a9611f343c9f8e022e859e920381ab0e4d3da01e193a7bd7e" },
		{ 120, "6edd9f6f9cc92cded36e6c4a580933f9c9f1b90562b46903b806f21902a1a54f" },
	};
	static const char zeros[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		UNIT_TEXT(sum_of(zeros, cases[i].length, cases[i].length), cases[i].sum);
}

static void pieces_make_no_difference(void)
{
	char text[300], whole[SHA256_TEXT];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * 7);
	snprintf(whole, sizeof(whole), "%s", sum_of(text, sizeof(text), sizeof(text)));
	for (size_t piece = 1; piece < 130; piece++)
		UNIT_TEXT(sum_of(text, sizeof(text), piece), whole);
}

static void a_file_is_read_from_its_start(void)
{
	char path[] = "/tmp/toolhost-sha256-XXXXXX", text[SHA256_TEXT];
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	unlink(path);
	CU_ASSERT(write(fd, "abc", 3) == 3); /* its offset is now behind them */
	CU_ASSERT(sha256_file(fd, text) == 0);
	UNIT_TEXT(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	close(fd);
	fd = open("/", O_RDONLY);
	CU_ASSERT(sha256_file(fd, text) < 0); /* a folder has no bytes */
	close(fd);
}

static const struct unit_test tests[] = {
	UNIT_TEST(the_examples_of_the_standard),
	UNIT_TEST(lengths_around_a_block),
	UNIT_TEST(pieces_make_no_difference),
	UNIT_TEST(a_file_is_read_from_its_start),
};

UNIT_MAIN("sha256", tests)
