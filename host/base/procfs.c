/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/procfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t read_numbers(const char *text, int64_t *ret_numbers, size_t most)
{
	size_t count = 0;
	char *end;

	while (count < most) {
		int64_t number = strtoll(text, &end, 10);

		if (end == text)
			break;
		ret_numbers[count++] = number;
		text = end;
	}
	return count;
}

size_t procfs_numbers(const char *path, const char *key, int64_t *ret_numbers, size_t most)
{
	const size_t length = strlen(key);
	char line[512];
	size_t count = 0;
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, length) != 0)
			continue;
		count = read_numbers(line + length, ret_numbers, most);
		break;
	}
	if (file)
		fclose(file);
	return count;
}

int64_t procfs_number(const char *path, const char *key)
{
	int64_t number = 0;

	procfs_numbers(path, key, &number, 1);
	return number;
}
