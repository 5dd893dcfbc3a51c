/* SPDX-License-Identifier: MIT
 *
 * The check of a pack's file on any bytes: it answers, and what it takes is within its bounds.
 */
#include "pack/pack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory: a disk would be most of the time. */
static char path[] = "/dev/shm/toolhost-fuzz-elf-XXXXXX";

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void remove_file(void)
{
	unlink(path);
}

static void write_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0) {
		fd = mkstemp(path);
		require(fd >= 0);
		atexit(remove_file);
	}
	require(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = ERROR_INIT;
	struct pack_file file;
	int fd = -1, r;

	write_file(data, size);
	r = pack_file_open(path, &file, &fd, &error);
	if (r == STATUS_OK) {
		require(fd >= 0 && file.size == (off_t)size);
		require(file.abi_major == TH_ABI_MAJOR);
		require(file.pack_size >= 88 && file.pack_size <= file.symbol_size);
		close(fd);
	} else {
		require(r == STATUS_INPUT_INVALID && error.status == r &&
			strlen(error.message) > 20);
		require(fd < 0);
	}
	error_clear(&error);
	return 0;
}
