/* SPDX-License-Identifier: MIT
 *
 * The building of a registry: find the files, take or make their records, merge them.
 */
#include <config.h>

#include "registry/registry-private.h"

#include "base/log.h"
#include "base/settings.h"
#include "base/text.h"
#include "registry/config.h"
#include "registry/scan.h"
#include "registry/search.h"
#include "registry/select.h"
#include "registry/trust.h"
#include "registry/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ARENA_MOST ((size_t)256 * 1024 * 1024)

struct build {
	const struct registry_options *options;
	struct registry *registry;
	struct candidates candidates;
	struct selection selection;
	size_t *chosen; /* for each pack of the registry, its candidate */
	bool scanned;	/* something that the cache does not have */
};

static const char *const no_names[] = { NULL };

static int no_memory(struct error *error)
{
	return error_set(error, STATUS_INTERNAL, "there is no memory left");
}

static const struct candidate *candidate_of(const struct build *b, const struct registry_pack *pack)
{
	return &b->candidates.items[b->chosen[pack->index]];
}

/* ---- Packs ----------------------------------------------------------------------------------- */

void registry_refuse(struct registry_pack *pack, const char *reason)
{
	static const char *const none[] = { NULL };

	pack->state = PACK_REFUSED;
	pack->reason = reason;
	pack->version = pack->summary = pack->license = "";
	pack->warnings = none;
	pack->manifest = NULL;
	pack->manifest_length = 0;
	pack->tool_count = 0;
}

/* What can be said of a pack before anybody looks into its file: its state becomes PACK_READY only
 * where a record is wanted. */
static void judge_unseen(struct build *b, struct registry_pack *pack)
{
	struct arena *arena = &b->registry->arena;
	const struct registry_pack *first = pack;
	const char *off;

	if (!text_is_tool_name(pack->name, strlen(pack->name))) {
		registry_refuse(
			pack,
			"Its name has to be 1 to 64 letters, digits, _ and -: rename the file.");
		return;
	}
	while (first->index && !strcmp(first[-1].name, pack->name))
		first--;
	if (first != pack) {
		registry_refuse(pack, words_format(arena,
						   "%s has the same name and lies in an earlier "
						   "folder than %s: rename or remove one of both.",
						   first->path, pack->path));
		return;
	}
	if (*candidate_of(b, pack)->fault) {
		registry_refuse(pack, candidate_of(b, pack)->fault);
		return;
	}
	off = selection_pack_off(&b->selection, pack->name, arena);
	if (off) {
		registry_refuse(pack, off);
		pack->state = PACK_DISABLED;
		return;
	}
	/* Also one that is not trusted: it is looked at and run behind walls. */
	pack->state = PACK_READY;
}

static void set_wishes(struct build *b, struct registry_pack *pack, struct pack_entry *entry)
{
	const struct config *config = b->options->config;
	const struct config_pack *section = config ? config_find_pack(config, pack->name) : NULL;

	if (!section)
		return;
	pack->critical = section->critical == 1;
	if (section->isolation)
		isolation_parse(section->isolation, &entry->isolation);
	entry->timeout = section->timeout;
	entry->memory_mb = section->memory_mb;
}

static void set_identity(struct registry_pack *pack, const struct file_identity *file)
{
	pack->device = (int64_t)file->device;
	pack->inode = (int64_t)file->inode;
	pack->size = (int64_t)file->size;
	pack->modified_ns = file->modified_ns;
}

static bool is_wanted(const struct registry_options *options, const struct candidate *candidate)
{
	return !candidate->left_out &&
	       (!options->only_pack || !strcmp(options->only_pack, candidate->name));
}

static int make_packs(struct build *b, struct error *error)
{
	struct registry *registry = b->registry;
	size_t count = b->candidates.count;

	b->chosen = calloc(count + 1, sizeof(*b->chosen));
	registry->packs = calloc(count + 1, sizeof(*registry->packs));
	registry->entries = calloc(count + 1, sizeof(*registry->entries));
	if (!b->chosen || !registry->packs || !registry->entries)
		return no_memory(error);
	for (size_t i = 0; i < count; i++) {
		const struct candidate *candidate = &b->candidates.items[i];
		struct registry_pack *pack = &registry->packs[registry->pack_count];

		if (!is_wanted(b->options, candidate))
			continue;
		b->chosen[registry->pack_count] = i;
		pack->index = (uint32_t)registry->pack_count++;
		pack->name = candidate->name;
		pack->path = candidate->path;
		pack->trust = candidate->trust;
		pack->distrust = candidate->distrust;
		pack->needs = pack->grants = &rights_none;
		pack->environment = no_names;
		pack->linked = candidate->linked ? candidate->linked->pack : NULL;
		set_identity(pack, &candidate->file);
		judge_unseen(b, pack);
		set_wishes(b, pack, &registry->entries[pack->index]);
	}
	return STATUS_OK;
}

/* ---- Records --------------------------------------------------------------------------------- */

static const char *const *record_warnings(struct arena *arena, const struct record *record)
{
	static const char *const none[] = { NULL };
	const struct record_text *texts = record_texts(record, record->warnings);
	const char **warnings;

	if (!record->warnings.count)
		return none;
	warnings = arena_array(arena, record->warnings.count + 1, sizeof(*warnings));
	for (uint32_t i = 0; warnings && i < record->warnings.count; i++)
		warnings[i] = record_text(record, texts[i]);
	return warnings ? warnings : none;
}

static void take_record(struct build *b, struct registry_pack *pack, const struct record *record)
{
	set_identity(pack, &record->file);
	b->registry->entries[pack->index].record = record;
	if (!(record->flags & RECORD_READY)) {
		registry_refuse(pack, record_text(record, record->reason));
		return;
	}
	pack->reason = "";
	pack->version = record_text(record, record->version);
	pack->summary = record_text(record, record->summary);
	pack->license = record_text(record, record->license);
	pack->warnings = record_warnings(&b->registry->arena, record);
	pack->manifest = record_text(record, record->manifest);
	pack->manifest_length = record->manifest.length;
	pack->tool_count = record->tools.count;
	pack->bind_now = record->flags & RECORD_BIND_NOW;
	pack->starts_threads = record->flags & RECORD_STARTS_THREADS;
}

/* A pack that is part of the program needs no scan, and no place in the cache. */
static int take_linked(struct build *b, struct registry_pack *pack, struct error *error)
{
	const struct candidate *candidate = candidate_of(b, pack);
	struct record *record =
		record_new(pack->path, &candidate->file, candidate->linked->manifest);

	if (!record)
		return no_memory(error);
	b->registry->entries[pack->index].owned = record;
	take_record(b, pack, record);
	return STATUS_OK;
}

/* The cache's record of a pack. A refusal is believed only while all that it may have come from is
 * as it was. */
static const struct record *cached_record(const struct build *b, const struct registry_pack *pack)
{
	const struct candidate *candidate = candidate_of(b, pack);
	const struct record *record = cache_find(b->registry->cache, pack->path, &candidate->file);

	if (record && !(record->flags & RECORD_READY) &&
	    record->surroundings != candidate->surroundings)
		return NULL;
	return record;
}

static int take_answer(struct build *b, struct registry_pack *pack, const struct scan_job *job,
		       struct error *error)
{
	struct record *record;

	if (job->manifest)
		record = record_new(pack->path, &job->file, job->manifest);
	else
		record = record_new_refusal(pack->path, &job->file, job->reason,
					    job->passing ? 0 : candidate_of(b, pack)->surroundings);
	if (!record)
		return no_memory(error);
	b->registry->entries[pack->index].owned = record;
	take_record(b, pack, record);
	return STATUS_OK;
}

/* Scans the packs that are still without a record, critical ones first. */
static int scan_missing(struct build *b, struct error *error)
{
	struct registry *registry = b->registry;
	struct scan_job *jobs = calloc(registry->pack_count + 1, sizeof(*jobs));
	struct registry_pack **packs = calloc(registry->pack_count + 1, sizeof(*packs));
	size_t count = 0;
	int r = STATUS_OK;

	if (!jobs || !packs) {
		r = no_memory(error);
		goto out;
	}
	for (int critical = 1; critical >= 0; critical--)
		for (size_t i = 0; i < registry->pack_count; i++) {
			struct registry_pack *pack = &registry->packs[i];

			if (pack->state != PACK_READY || registry->entries[i].record ||
			    pack->critical != critical)
				continue;
			jobs[count] = (struct scan_job){ .path = pack->path, .name = pack->name };
			packs[count++] = pack;
		}
	b->scanned = count > 0;
	r = scan_files(b->options->paths->worker, jobs, count, setting_real(SETTING_SCAN_TIMEOUT),
		       error);
	for (size_t i = 0; !r && i < count; i++)
		r = take_answer(b, packs[i], &jobs[i], error);
out:
	for (size_t i = 0; i < count; i++)
		json_drop(jobs[i].manifest);
	free(packs);
	free(jobs);
	return r;
}

static int take_records(struct build *b, struct error *error)
{
	struct registry *registry = b->registry;

	if (!b->options->no_cache)
		registry->cache = cache_read(b->options->paths);
	for (size_t i = 0; i < registry->pack_count; i++) {
		struct registry_pack *pack = &registry->packs[i];
		const struct record *record = NULL;

		if (pack->state != PACK_READY)
			continue;
		if (pack->linked && take_linked(b, pack, error))
			return STATUS_INTERNAL;
		if (!pack->linked)
			record = cached_record(b, pack);
		if (record)
			take_record(b, pack, record);
	}
	return scan_missing(b, error);
}

static int grant_packs(struct build *b, struct error *error)
{
	const struct config *config = b->options->config;

	for (size_t i = 0; i < b->registry->pack_count; i++) {
		struct registry_pack *pack = &b->registry->packs[i];

		if (pack->state == PACK_READY &&
		    registry_grant(b->registry, pack,
				   config ? config_find_pack(config, pack->name) : NULL))
			return no_memory(error);
	}
	return STATUS_OK;
}

/* ---- Tools ----------------------------------------------------------------------------------- */

static void select_tools(struct build *b)
{
	struct registry *registry = b->registry;

	for (size_t i = 0; i < registry->tool_count; i++) {
		struct registry_tool *tool = &registry->tools[i];

		registry->off[i] = selection_tool_off(&b->selection, tool->pack->name, tool->name);
		tool->enabled = !registry->off[i];
	}
}

/* Globs that match nothing are told of only where every tool is known. */
static int warn_of_globs(struct build *b, struct error *error)
{
	struct registry *registry = b->registry;
	const char **names;

	for (size_t i = 0; i < registry->pack_count; i++)
		if (registry->packs[i].state != PACK_READY)
			return STATUS_OK;
	if (b->options->only_pack || b->options->no_default_packs)
		return STATUS_OK;
	names = calloc(registry->tool_count + 1, sizeof(*names));
	if (!names)
		return no_memory(error);
	for (size_t i = 0; i < registry->tool_count; i++)
		names[i] = registry->tools[i].name;
	selection_warn(&b->selection, names, registry->tool_count);
	free(names);
	return STATUS_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static int select_packs(struct build *b, struct error *error)
{
	const char **names = calloc(b->candidates.count + 1, sizeof(*names));
	int r;

	if (!names)
		return no_memory(error);
	for (size_t i = 0; i < b->candidates.count; i++)
		names[i] = b->candidates.items[i].name;
	r = selection_init(&b->selection, b->options->config, &b->registry->arena, error);
	if (!r)
		r = selection_check(&b->selection, names, b->candidates.count, error);
	free(names);
	return r;
}

/* Once for each reason, which is mostly that of a folder. The packs of one reason share its text.
 */
static void report_untrusted(const struct registry *registry)
{
	for (size_t i = 0; i < registry->pack_count; i++) {
		const struct registry_pack *pack = &registry->packs[i];
		size_t alike = 0, others = 0;

		if (pack->state != PACK_READY || pack->trust != PACK_UNTRUSTED)
			continue;
		for (size_t j = 0; j < registry->pack_count; j++) {
			const struct registry_pack *other = &registry->packs[j];

			if (other->state == PACK_READY && other->distrust == pack->distrust) {
				alike += j < i;
				others += j > i;
			}
		}
		if (!alike && others)
			log_warning("pack %s and %zu more are not trusted, and run isolated: %s",
				    pack->name, others, pack->distrust);
		else if (!alike)
			log_warning("pack %s (%s) is not trusted, and runs isolated: %s",
				    pack->name, pack->path, pack->distrust);
	}
}

static int report_refused(const struct registry *registry, struct error *error)
{
	for (size_t i = 0; i < registry->pack_count; i++) {
		const struct registry_pack *pack = &registry->packs[i];

		if (pack->state != PACK_REFUSED)
			continue;
		if (pack->critical) {
			error_set(error, STATUS_CONFIG_INVALID,
				  "the critical pack %s (%s) is refused: %s", pack->name,
				  pack->path, pack->reason);
			error_detail_text(error, "key", pack->name);
			return STATUS_CONFIG_INVALID;
		}
		log_warning("pack %s (%s) is refused: %s", pack->name, pack->path, pack->reason);
	}
	return STATUS_OK;
}

static void write_cache(const struct build *b)
{
	const struct registry *registry = b->registry;
	const struct record **records;
	size_t count = 0;

	if (!b->scanned || b->options->no_cache)
		return;
	records = calloc(registry->pack_count + 1, sizeof(*records));
	if (!records)
		return;
	for (size_t i = 0; i < registry->pack_count; i++)
		if (registry->entries[i].record && !registry->packs[i].linked)
			records[count++] = registry->entries[i].record;
	cache_write(b->options->paths, registry->cache, records, count);
	free(records);
}

/* One folder by two names is one. */
static bool is_known_folder(const char *const *folders, size_t count, const struct stat *st)
{
	struct stat other;

	for (size_t i = 0; i < count; i++)
		if (!stat(folders[i], &other) && other.st_dev == st->st_dev &&
		    other.st_ino == st->st_ino)
			return true;
	return false;
}

/* Recipes are no code, but they tell agents which tools to call. */
static void warn_of_writers(const char *folder)
{
	struct error error = ERROR_INIT;

	if (trust_check(folder, S_IFDIR, NULL, &error))
		log_warning("recipes come from a folder that others may change: %s", error.message);
	error_clear(&error);
}

/* A folder that the config names has to be there; the shipped one need not. */
static int find_recipe_folders(struct build *b, struct error *error)
{
	static const char *const no_paths[] = { NULL };
	static const struct config_folders none = { .paths = no_paths, .file = "" };
	const struct registry_options *options = b->options;
	const struct config_folders *named =
		options->config ? config_recipe_folders(options->config) : &none;
	size_t most = 2, count = 0;
	const char **folders;

	for (size_t i = 0; named->paths[i]; i++)
		most++;
	folders = arena_array(&b->registry->arena, most, sizeof(*folders));
	if (!folders)
		return no_memory(error);
	if (!options->no_default_packs && options->paths->recipes)
		folders[count++] = words_format(&b->registry->arena, "%s", options->paths->recipes);
	for (size_t i = 0; named->paths[i]; i++) {
		const char *path = named->paths[i];
		struct stat st;
		int missing = stat(path, &st) ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;

		if (missing)
			return config_folder_fault(named, "recipe_dirs", path, strerror(missing),
						   error);
		if (is_known_folder(folders, count, &st))
			continue;
		warn_of_writers(path);
		folders[count++] = words_format(&b->registry->arena, "%s", path);
	}
	b->registry->recipe_folders = folders;
	return STATUS_OK;
}

int registry_build(const struct registry_options *options, struct registry **ret_registry,
		   struct error *error)
{
	struct build b = { .options = options };
	int r;

	*ret_registry = NULL;
	b.registry = calloc(1, sizeof(*b.registry));
	if (!b.registry)
		return no_memory(error);
	arena_init(&b.registry->arena, ARENA_MOST);
	pthread_mutex_init(&b.registry->lock, NULL);
	pthread_mutex_init(&b.registry->derive_lock, NULL);
	r = find_recipe_folders(&b, error);
	if (!r)
		r = search_folders(options, &b.registry->arena, &b.candidates, error);
	if (!r)
		r = select_packs(&b, error);
	if (!r)
		r = make_packs(&b, error);
	if (!r)
		r = take_records(&b, error);
	if (!r)
		r = grant_packs(&b, error);
	if (!r)
		r = registry_merge(b.registry, error);
	if (!r) {
		select_tools(&b);
		write_cache(&b);
		r = warn_of_globs(&b, error);
	}
	if (!r)
		r = report_refused(b.registry, error);
	if (!r)
		report_untrusted(b.registry);
	free(b.candidates.items);
	free(b.chosen);
	if (r)
		registry_free(b.registry);
	else
		*ret_registry = b.registry;
	return r;
}
