/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "registry/search.h"

#include "base/log.h"
#include "base/settings.h"
#include "registry/config.h"
#include "registry/trust.h"
#include "registry/words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".so"
/* Changes whenever libraries are installed. */
#define LOADER_CACHE "/etc/ld.so.cache"

/* Who names a folder. */
enum source { SOURCE_SHIPPED, SOURCE_CONFIG, SOURCE_FLAG };

struct folder {
	const char *path; /* without links where it can be trusted */
	const char *distrust;
	struct file_identity file; /* of the folder itself */
	enum pack_trust trust;
	bool left_out;
};

struct search {
	const struct registry_options *options;
	struct arena *arena;
	struct folder *folders;
	size_t folder_count;
	struct candidate *items;
	size_t count, room;
	struct file_identity loader;
};

static int no_memory(struct error *error)
{
	return error_set(error, STATUS_INTERNAL, "there is no memory left");
}

/* ---- Folders --------------------------------------------------------------------------------- */

static int folder_missing(const struct search *s, const char *path, enum source source,
			  struct error *error)
{
	const char *reason = strerror(errno);

	if (source == SOURCE_SHIPPED) {
		log_debug("no packs are shipped in %s: %s", path, reason);
		return STATUS_OK;
	}
	if (source == SOURCE_FLAG)
		return error_set(error, STATUS_USAGE, "--pack-dir %s: %s", path, reason);
	return config_folder_fault(config_pack_folders(s->options->config), "pack_dirs", path,
				   reason, error);
}

/* The shipped packs are trusted in a build tree of the user's own, and where root has installed
 * them. */
static void judge_shipped(struct search *s, struct folder *folder, const struct stat *st)
{
	const struct paths *paths = s->options->paths;

	if (paths->in_build_tree) {
		folder->trust = PACK_TRUSTED_BUILD;
	} else if (st->st_uid == 0) {
		folder->trust = PACK_TRUSTED_SYSTEM;
	} else {
		folder->distrust =
			words_format(s->arena,
				     "%s is no system folder of root, and the configuration does "
				     "not name it; to trust it, write pack_dirs = { \"%s\" } into "
				     "%s, or start with --pack-dir %s",
				     folder->path, folder->path,
				     paths->config_user ? paths->config_user : paths->config_system,
				     folder->path);
	}
}

/* Somebody else's checkout, which is a common thing and deserves its own words. */
static const char *foreign_checkout(struct search *s, const struct stat *st)
{
	return words_format(
		s->arena,
		"this checkout belongs to user %u, and not to user %u, who runs it: its packs may "
		"run isolated only; build a checkout of your own to run them here",
		(unsigned)st->st_uid, (unsigned)geteuid());
}

static void judge_folder(struct search *s, struct folder *folder, enum source source,
			 const struct stat *st)
{
	bool build = source == SOURCE_SHIPPED && s->options->paths->in_build_tree;
	struct error error = ERROR_INIT;
	char *resolved = NULL;

	folder->distrust = "";
	folder->trust = PACK_UNTRUSTED;
	if (!trust_check(folder->path, S_IFDIR, &resolved, &error)) {
		folder->path = words_format(s->arena, "%s", resolved);
		if (source == SOURCE_SHIPPED)
			judge_shipped(s, folder, st);
		else
			folder->trust = PACK_TRUSTED_CONFIG;
	} else if (build && st->st_uid != 0 && st->st_uid != geteuid()) {
		folder->distrust = foreign_checkout(s, st);
	} else {
		folder->distrust = words_format(s->arena, "%s", error.message);
	}
	free(resolved);
	error_clear(&error);
}

/* A folder that is named twice keeps its first place, and the better of both words. */
static bool merge_folder(struct search *s, const struct folder *folder)
{
	for (size_t i = 0; i < s->folder_count; i++) {
		struct folder *earlier = &s->folders[i];

		if (earlier->file.device != folder->file.device ||
		    earlier->file.inode != folder->file.inode)
			continue;
		if (earlier->trust == PACK_UNTRUSTED) {
			earlier->trust = folder->trust;
			earlier->distrust = folder->distrust;
			earlier->path = folder->path;
		}
		earlier->left_out = earlier->left_out && folder->left_out;
		return true;
	}
	return false;
}

static int add_folder(struct search *s, const char *path, enum source source, struct error *error)
{
	char *absolute = trust_absolute(path);
	struct folder folder = { .left_out = source == SOURCE_SHIPPED &&
					     s->options->no_default_packs };
	struct stat st;
	int r;

	if (!absolute) /* there is no working directory any more, or no memory */
		return folder_missing(s, path, source, error);
	folder.path = words_format(s->arena, "%s", absolute);
	free(absolute);
	r = stat(folder.path, &st);
	if (!r && !S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		r = -1;
	}
	if (r)
		return folder_missing(s, folder.path, source, error);
	file_identity_set(&folder.file, &st);
	judge_folder(s, &folder, source, &st);
	if (!merge_folder(s, &folder))
		s->folders[s->folder_count++] = folder;
	return STATUS_OK;
}

static int add_folders(struct search *s, struct error *error)
{
	static const char *const none[] = { NULL };
	const struct registry_options *options = s->options;
	const char *const *named = options->config ? config_pack_dirs(options->config) : none;
	const char *const *flags = options->pack_dirs ? options->pack_dirs : none;
	size_t count = 1;
	int r = STATUS_OK;

	for (size_t i = 0; named[i]; i++)
		count++;
	for (size_t i = 0; flags[i]; i++)
		count++;
	s->folders = calloc(count, sizeof(*s->folders));
	if (!s->folders)
		return no_memory(error);
	if (options->paths->packs)
		r = add_folder(s, options->paths->packs, SOURCE_SHIPPED, error);
	for (size_t i = 0; !r && named[i]; i++)
		r = add_folder(s, named[i], SOURCE_CONFIG, error);
	for (size_t i = 0; !r && flags[i]; i++)
		r = add_folder(s, flags[i], SOURCE_FLAG, error);
	return r;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Names that end exactly so: a package manager's half-written hello.so.dpkg-new is none, and an
 * editor's .hello.so neither. */
static bool is_pack_name(const char *name)
{
	size_t length = strlen(name);

	return name[0] != '.' && length > strlen(SUFFIX) &&
	       !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return sum ^ sum >> 32;
}

/* A pack that lacked a library may load once that is installed, beside it or in the system; one
 * that was too slow may be in time under another limit. */
static uint64_t surroundings(const struct search *s, const struct folder *folder)
{
	uint64_t sum = mix((uint64_t)(setting_real(SETTING_SCAN_TIMEOUT) * 1000), s->loader.size);

	sum = mix(sum, (uint64_t)s->loader.modified_ns);
	sum = mix(sum, s->loader.inode);
	sum = mix(sum, (uint64_t)folder->file.modified_ns);
	return sum | 1;
}

/* What is no file is not opened: it might be a device, or a queue that nobody writes to. */
static const char *find_fault(struct search *s, const char *path, const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return "";
	if (S_ISLNK(st->st_mode))
		return words_format(s->arena, "The link %s points nowhere: %s.", path,
				    strerror(ENOENT));
	return words_format(s->arena, "%s is no regular file.", path);
}

static void judge_file(struct search *s, const struct folder *folder, struct candidate *candidate,
		       const struct stat *st)
{
	struct error error = ERROR_INIT;
	int r;

	candidate->trust = folder->trust;
	candidate->distrust = folder->distrust;
	if (folder->trust == PACK_UNTRUSTED)
		return;
	if (S_ISLNK(st->st_mode))
		r = trust_check(candidate->path, S_IFREG, NULL, &error);
	else
		r = trust_check_stat(candidate->path, S_IFREG, st, &error);
	if (r) {
		candidate->trust = PACK_UNTRUSTED;
		candidate->distrust = words_format(s->arena, "%s", error.message);
	}
	error_clear(&error);
}

static int make_room(struct search *s, struct error *error)
{
	size_t room = s->room ? s->room * 2 : 64;
	struct candidate *items;

	if (s->count < s->room)
		return STATUS_OK;
	items = reallocarray(s->items, room, sizeof(*items));
	if (!items)
		return no_memory(error);
	s->items = items;
	s->room = room;
	return STATUS_OK;
}

static int add_candidate(struct search *s, const struct folder *folder, int fd, const char *name,
			 struct error *error)
{
	struct candidate *candidate;
	struct stat link, st;

	if (fstatat(fd, name, &link, AT_SYMLINK_NOFOLLOW))
		return STATUS_OK; /* gone since the folder was read */
	st = link;
	if (S_ISLNK(link.st_mode) && fstatat(fd, name, &st, 0))
		st = link; /* it points nowhere */
	if (make_room(s, error))
		return STATUS_INTERNAL;
	candidate = &s->items[s->count++];
	*candidate = (struct candidate){
		.name = words_format(s->arena, "%.*s", (int)(strlen(name) - strlen(SUFFIX)), name),
		.path = words_format(s->arena, "%s/%s", folder->path, name),
		.folder = (uint32_t)(folder - s->folders),
		.surroundings = surroundings(s, folder),
		.left_out = folder->left_out,
	};
	file_identity_set(&candidate->file, &st);
	candidate->fault = find_fault(s, candidate->path, &st);
	judge_file(s, folder, candidate, &link);
	return STATUS_OK;
}

static int read_folder(struct search *s, const struct folder *folder, struct error *error)
{
	int fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	int r = STATUS_OK;

	if (!stream) {
		log_warning("the packs in %s cannot be read: %s", folder->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return STATUS_OK;
	}
	while (!r && (entry = readdir(stream)))
		if (is_pack_name(entry->d_name))
			r = add_candidate(s, folder, dirfd(stream), entry->d_name, error);
	closedir(stream);
	return r;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	return x->folder < y->folder ? -1 : x->folder > y->folder;
}

static int compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* The same file together, and first the place that it is best taken from. */
static int by_file(const void *a, const void *b)
{
	const struct candidate *const *x = a, *const *y = b;
	int order = compare((*x)->file.device, (*y)->file.device);

	if (!order)
		order = compare((*x)->file.inode, (*y)->file.inode);
	if (!order)
		order = (int)(*x)->left_out - (int)(*y)->left_out;
	if (!order)
		order = ((*x)->trust == PACK_UNTRUSTED) - ((*y)->trust == PACK_UNTRUSTED);
	return order ? order : compare((uintptr_t)*x, (uintptr_t)*y);
}

/* Drops all but one of the places at which a file lies, as links, or in a folder's two names. */
static int drop_twins(struct search *s, struct error *error)
{
	struct candidate **order = calloc(s->count + 1, sizeof(*order));
	size_t kept = 0;

	if (!order)
		return no_memory(error);
	for (size_t i = 0; i < s->count; i++)
		order[i] = &s->items[i];
	qsort(order, s->count, sizeof(struct candidate *), by_file);
	for (size_t i = 1, first = 0; i < s->count; i++) {
		if (order[i]->file.device != order[first]->file.device ||
		    order[i]->file.inode != order[first]->file.inode) {
			first = i;
			continue;
		}
		log_debug("%s is the same file as %s, and counts once", order[i]->path,
			  order[first]->path);
		order[i]->name = NULL;
	}
	free(order);
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].name)
			s->items[kept++] = s->items[i];
	s->count = kept;
	return STATUS_OK;
}

/* The packs that are part of the program: each lies where that does. */
static int add_linked(struct search *s, struct error *error)
{
	const struct registry_linked *linked = s->options->linked;

	for (; linked && linked->name; linked++) {
		if (make_room(s, error))
			return STATUS_INTERNAL;
		s->items[s->count++] = (struct candidate){
			.name = words_format(s->arena, "%s", linked->name),
			.path = words_format(s->arena, "%s", s->options->paths->program),
			.distrust = "",
			.fault = "",
			.trust = PACK_TRUSTED_BUILD,
			.surroundings = 1,
			.left_out = s->options->no_default_packs,
			.linked = linked,
		};
	}
	return STATUS_OK;
}

int search_folders(const struct registry_options *options, struct arena *arena,
		   struct candidates *ret_candidates, struct error *error)
{
	struct search s = { .options = options, .arena = arena };
	struct stat st;
	int r;

	*ret_candidates = (struct candidates){ .items = NULL };
	if (!stat(LOADER_CACHE, &st))
		file_identity_set(&s.loader, &st);
	r = add_folders(&s, error);
	for (size_t i = 0; !r && i < s.folder_count; i++)
		r = read_folder(&s, &s.folders[i], error);
	if (!r && s.count) {
		qsort(s.items, s.count, sizeof(*s.items), by_name);
		r = drop_twins(&s, error);
	}
	if (!r)
		r = add_linked(&s, error);
	if (!r && s.count)
		qsort(s.items, s.count, sizeof(*s.items), by_name);
	free(s.folders);
	if (r) {
		free(s.items);
		return r;
	}
	ret_candidates->items = s.items;
	ret_candidates->count = s.count;
	return STATUS_OK;
}
