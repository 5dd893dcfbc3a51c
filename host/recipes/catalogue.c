/* SPDX-License-Identifier: MIT
 *
 * The catalogue itself: what was added, what was found, and the order.
 */
#include <config.h>

#include "recipes/catalogue-private.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMORY_MOST ((size_t)64 * 1024 * 1024)
#define FILE_MOST ((size_t)1024 * 1024)
/* Findings of each kind: an author mends them one after the other, and their texts take memory. */
#define FINDINGS_MOST 1000
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

int catalogue_no_memory(struct error *error)
{
	return error_set(error, STATUS_INTERNAL, "no memory for the recipe catalogue");
}

int catalogue_new(struct catalogue **ret_catalogue, struct error *error)
{
	struct catalogue *catalogue = calloc(1, sizeof(*catalogue));

	*ret_catalogue = NULL;
	if (!catalogue)
		return catalogue_no_memory(error);
	arena_init(&catalogue->arena, MEMORY_MOST);
	if (canonical_new(&catalogue->canonical, error) != STATUS_OK) {
		catalogue_free(catalogue);
		return STATUS_INTERNAL;
	}
	*ret_catalogue = catalogue;
	return STATUS_OK;
}

void catalogue_free(struct catalogue *catalogue)
{
	if (!catalogue)
		return;
	for (size_t i = 0; i < catalogue->entry_count; i++)
		json_drop(catalogue->entries[i].owned);
	free(catalogue->entries);
	free(catalogue->findings);
	canonical_free(catalogue->canonical);
	arena_free(&catalogue->arena);
	free(catalogue);
}

/* Room for one more element: arrays grow by doubling, at powers of two. */
static void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	return reallocarray(items, count ? count * 2 : 1, size);
}

/* ---- Filling -----------------------------------------------------------------------------------
 */

int catalogue_report(struct catalogue *catalogue, enum finding_kind kind, const char *recipe,
		     const char *source, const char *format, ...)
{
	struct finding *findings =
		grow(catalogue->findings, catalogue->finding_count, sizeof(*findings));
	char text[FINDING_MOST];
	va_list arguments;
	size_t length;

	if (!findings)
		return STATUS_INTERNAL;
	catalogue->findings = findings;
	if (catalogue->of_kind[kind] > FINDINGS_MOST)
		return STATUS_OK;
	if (catalogue->of_kind[kind]++ == FINDINGS_MOST) {
		recipe = "";
		format = "there are more of this kind, which are not listed";
	}
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	length = text_head(text, strlen(text), sizeof(text) - 1);
	findings[catalogue->finding_count] = (struct finding){
		.kind = kind,
		.recipe = arena_copy(&catalogue->arena, recipe, strlen(recipe)),
		.source = source,
		.text = arena_copy(&catalogue->arena, text, length),
	};
	if (!findings[catalogue->finding_count].recipe || !findings[catalogue->finding_count].text)
		return STATUS_INTERNAL;
	catalogue->finding_count++;
	return STATUS_OK;
}

int catalogue_add(struct catalogue *catalogue, const json *value, const char *source,
		  struct error *error)
{
	struct entry *entries = grow(catalogue->entries, catalogue->entry_count, sizeof(*entries));
	struct entry *entry;

	if (!entries)
		return catalogue_no_memory(error);
	catalogue->entries = entries;
	entry = &entries[catalogue->entry_count];
	*entry = (struct entry){ .owned = json_hold((json *)value) };
	catalogue->entry_count++;
	entry->recipe.value = value;
	entry->recipe.source = arena_copy(&catalogue->arena, source, strlen(source));
	return entry->recipe.source ? STATUS_OK : catalogue_no_memory(error);
}

int catalogue_add_of_pack(struct catalogue *catalogue, const json *value, const char *pack,
			  struct error *error)
{
	char source[128];
	int r;

	snprintf(source, sizeof(source), "pack %s", pack);
	r = catalogue_add(catalogue, value, source, error);
	if (r == STATUS_OK)
		catalogue->entries[catalogue->entry_count - 1].of_pack = true;
	return r;
}

/* Only a regular file: a pipe or a device may give nothing yet, or never end. */
static int read_file(const char *path, struct buffer *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	ssize_t got = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
		close(fd);
		return -ENOTSUP;
	}
	do {
		char *room = buffer_reserve(text, 65536);

		got = room ? read(fd, room, 65536) : -1;
		if (!room)
			errno = EFBIG;
		else if (got > 0)
			buffer_commit(text, (size_t)got);
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		got = -errno;
	close(fd);
	return (int)got;
}

static const char *why_unread(int error)
{
	if (error == EFBIG)
		return "it is larger than 1 MiB";
	return error == ENOTSUP ? "it is not a regular file" : strerror(error);
}

int catalogue_add_file(struct catalogue *catalogue, const char *path, struct error *error)
{
	struct buffer text = BUFFER_INIT(FILE_MOST + 65536);
	const char *source = arena_copy(&catalogue->arena, path, strlen(path));
	struct json_fault fault;
	json *value = NULL;
	size_t mark;
	int r = STATUS_INTERNAL, failed;

	if (!source)
		return catalogue_no_memory(error);
	failed = read_file(path, &text);
	if (failed) {
		r = catalogue_report(catalogue, FINDING_FAULT, "", source, "cannot be read: %s",
				     why_unread(-failed));
		goto out;
	}
	mark = text.length >= 3 && !memcmp(text.data, BYTE_ORDER_MARK, 3) ? 3 : 0;
	if (json_read(text.length ? text.data + mark : "", text.length - mark, NULL, &value,
		      &fault))
		r = catalogue_report(catalogue, FINDING_FAULT, "", source,
				     "is no JSON: line %u, column %u: %s", fault.line, fault.column,
				     fault.reason);
	else
		r = catalogue_add(catalogue, value, path, error);
out:
	json_drop(value);
	buffer_free(&text);
	return r == STATUS_OK ? r : catalogue_no_memory(error);
}

static int is_recipe_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 5 &&
	       !strcmp(entry->d_name + length - 5, ".json");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int catalogue_add_folder(struct catalogue *catalogue, const char *folder, struct error *error)
{
	struct dirent **files = NULL;
	int count = scandir(folder, &files, is_recipe_file, by_name);
	int r = STATUS_OK;

	if (count < 0 && errno == ENOENT)
		return STATUS_OK;
	if (count < 0)
		return error_set(error, STATUS_CONFIG_INVALID,
				 "the recipe folder %s cannot be read: %s", folder,
				 strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path = NULL;

		if (r == STATUS_OK && asprintf(&path, "%s/%s", folder, files[i]->d_name) < 0)
			r = catalogue_no_memory(error);
		else if (r == STATUS_OK)
			r = catalogue_add_file(catalogue, path, error);
		free(path);
		free(files[i]);
	}
	free(files);
	return r;
}

/* ---- Closing -----------------------------------------------------------------------------------
 */

static int by_rank(const void *a, const void *b)
{
	const struct recipe *x = &((const struct entry *)a)->recipe;
	const struct recipe *y = &((const struct entry *)b)->recipe;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (strcmp(x->key, y->key) != 0)
		return strcmp(x->key, y->key);
	return strcmp(x->source, y->source);
}

static void drop_faulty(struct catalogue *catalogue)
{
	size_t kept = 0;

	for (size_t i = 0; i < catalogue->entry_count; i++) {
		if (catalogue->entries[i].faulty)
			json_drop(catalogue->entries[i].owned);
		else
			catalogue->entries[kept++] = catalogue->entries[i];
	}
	catalogue->entry_count = kept;
}

int catalogue_close(struct catalogue *catalogue, const struct recipe_tools *tools,
		    struct error *error)
{
	int r = lint_forms(catalogue, error);

	if (r != STATUS_OK)
		return r;
	/* The order is settled first, so that of two with one key always the same is left. */
	drop_faulty(catalogue);
	if (catalogue->entry_count)
		qsort(catalogue->entries, catalogue->entry_count, sizeof(*catalogue->entries),
		      by_rank);
	r = lint_recipes(catalogue, tools, error);
	drop_faulty(catalogue);
	return r;
}

/* ---- Looking -----------------------------------------------------------------------------------
 */

size_t catalogue_count(const struct catalogue *catalogue)
{
	return catalogue->entry_count;
}

const struct recipe *catalogue_recipe(const struct catalogue *catalogue, size_t index)
{
	return &catalogue->entries[index].recipe;
}

const struct recipe *catalogue_find(const struct catalogue *catalogue, const char *key)
{
	for (size_t i = 0; i < catalogue->entry_count; i++) {
		if (!strcmp(catalogue->entries[i].recipe.key, key))
			return &catalogue->entries[i].recipe;
	}
	return NULL;
}

size_t catalogue_finding_count(const struct catalogue *catalogue)
{
	return catalogue->finding_count;
}

const struct finding *catalogue_finding(const struct catalogue *catalogue, size_t index)
{
	return &catalogue->findings[index];
}

int catalogue_unknown(const struct catalogue *catalogue, const char *key, struct error *error)
{
	const char **names = calloc(catalogue->entry_count + 1, sizeof(*names));
	const char *near = NULL;
	json *close = json_new_list();

	for (size_t i = 0; names && i < catalogue->entry_count; i++)
		names[i] = catalogue->entries[i].recipe.key;
	if (names)
		near = text_nearest(key, names, catalogue->entry_count);
	free(names);
	if (near)
		error_set(error, STATUS_UNKNOWN_RECIPE,
			  "there is no recipe \"%.64s\"; did you mean \"%s\"?", key, near);
	else
		error_set(error, STATUS_UNKNOWN_RECIPE,
			  "there is no recipe \"%.64s\"; `toolhost recipe list` has them", key);
	if (near)
		json_append(close, json_new_text(near));
	error_detail(error, "close", close);
	return STATUS_UNKNOWN_RECIPE;
}
