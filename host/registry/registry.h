/* SPDX-License-Identifier: MIT
 *
 * What there is: the packs found in the folders, their tools, recipes and prompts, and why a pack
 * is refused.
 *
 * A registry is built once and then does not change; a reload builds another. Several may live in
 * one process. Nothing here runs a tool. What it hands out lives as long as the registry.
 */
#ifndef TOOLHOST_REGISTRY_H
#define TOOLHOST_REGISTRY_H

#include "base/error.h"
#include "base/isolation.h"
#include "base/paths.h"
#include "registry/rights.h"
#include "schema/schema.h"

struct registry;
struct registry_pack;

enum pack_trust {
	PACK_UNTRUSTED,	     /* runs isolated only */
	PACK_TRUSTED_SYSTEM, /* a root-owned system folder */
	PACK_TRUSTED_BUILD,  /* shipped, in the build tree */
	PACK_TRUSTED_CONFIG, /* the config or --pack-dir names its folder */
};

enum pack_state { PACK_READY, PACK_REFUSED, PACK_DISABLED };

struct registry_pack {
	const char *name;     /* the file's name without .so */
	const char *path;     /* absolute */
	const char *reason;   /* why refused or disabled, and what to do; "" where ready */
	const char *distrust; /* why it is not trusted, and what to do; "" where it is */
	const char *version;
	const char *summary;
	const char *license;
	const char *const *warnings; /* NULL-ended */
	const char *manifest;	     /* JSON text without its tools; NULL where refused */
	size_t manifest_length;
	size_t tool_count;
	int64_t device, inode, size, modified_ns; /* of the file that was scanned */
	enum pack_state state;
	enum pack_trust trust;
	bool critical;
	bool bind_now;
	bool starts_threads;		/* its constructors do: never in-process */
	uint32_t index;			/* in the registry, 0 on */
	const struct rights *needs;	/* of all its tools together */
	const struct rights *grants;	/* what of that the operator grants: its workers' */
	const char *const *environment; /* variables that its workers are given, NULL-ended */
	void *linked; /* the struct pack, where it is part of the program; NULL: a file */
};

enum tool_threads { TOOL_SERIAL, TOOL_PARALLEL };

/* A tool as listed: texts only, so that a registry of ten thousand tools costs little. */
struct registry_tool {
	const char *name;
	size_t name_length;
	const struct registry_pack *pack;
	const char *listing; /* its object in the tools/list of MCP, compact JSON */
	size_t listing_length;
	const char *manifest; /* its object in the pack's manifest, compact JSON */
	size_t manifest_length;
	uint32_t index; /* in the registry, in listing order */
	bool enabled;	/* a bundle, flag or variable may switch a tool off */
};

/* A tool as called: its manifest read and its schemas compiled, at first use, once. */
struct tool_spec {
	const struct registry_tool *tool;
	json *manifest;				    /* all of it */
	const char *title, *description, *category; /* "" where absent */
	struct schema *input;
	struct schema *output;		    /* NULL: none is announced */
	json *input_schema, *output_schema; /* borrowed from the manifest */
	json *examples;			    /* a list, or NULL; borrowed */
	json *caps;			    /* an object, or NULL; borrowed */
	const char *seed_param;		    /* NULL: none */
	int64_t default_seed;
	bool uses_rng;
	bool has_default_seed;
	bool whole_schema; /* its author wrote all of the input schema: no struct has the defaults */
	bool cacheable;
	bool read_only;
	enum tool_threads threads;
	struct rights needs; /* beyond the walls of a worker */
	enum isolation isolation;
	double timeout;	   /* seconds; 0: no wish */
	int64_t memory_mb; /* 0: no wish */
};

/* A pack that is part of the program: the host's own tools. */
struct registry_linked {
	const char *name;
	const json *manifest; /* as pack_describe() makes it */
	void *pack;	      /* the struct pack; lives as long as the registry */
};

/* What the registry is built from. Strings are borrowed during the build. */
struct registry_options {
	const struct paths *paths;
	const struct config *config;	      /* config.h; may be NULL */
	const char *const *pack_dirs;	      /* --pack-dir, NULL-ended; may be NULL */
	const struct registry_linked *linked; /* ended by a name of NULL; may be NULL */
	bool no_default_packs; /* those that are linked count among the default ones */
	bool no_cache;	       /* neither read nor write the scan cache */
	const char *only_pack; /* a name: scan no other; NULL: all */
};

/* Looks through the folders (the shipped packs', those of the config, those of --pack-dir), takes
 * verdicts from the cache, scans what is new in toolhost-worker processes (several at a time, each
 * under scan_timeout), merges, and writes the cache. Blocks; runs on any thread. A refused pack is
 * not an error. Errors: a critical pack that is refused (STATUS_CONFIG_INVALID), a pack folder that
 * is named and not there. */
int registry_build(const struct registry_options *options, struct registry **ret_registry,
		   struct error *error);
void registry_free(struct registry *registry);

/* Packs in the order of their names, refused and disabled ones too; of one name in the order of the
 * folders, where only the first can be ready. Tools in listing order: by pack, those of packs
 * that are not trusted last, then as the pack lists them. registry_find_pack() answers the first of
 * that name, or NULL. */
size_t registry_pack_count(const struct registry *registry);
const struct registry_pack *registry_pack(const struct registry *registry, size_t index);
const struct registry_pack *registry_find_pack(const struct registry *registry, const char *name);
size_t registry_tool_count(const struct registry *registry);
const struct registry_tool *registry_tool(const struct registry *registry, size_t index);

/* The enabled tool of that name, or NULL. */
const struct registry_tool *registry_find_tool(const struct registry *registry, const char *name,
					       size_t length);

/* STATUS_UNKNOWN_TOOL with details `close`: the names nearest to `name`. */
int registry_unknown_tool(const struct registry *registry, const char *name, bool for_client,
			  struct error *error);

/* The tool's spec, made at first use; any thread. STATUS_INTERNAL where its manifest is broken. */
int registry_spec(struct registry *registry, const struct registry_tool *tool,
		  struct tool_spec **ret_spec, struct error *error);

/* The listings of all enabled tools, joined by commas: "{...},{...}". Made at first use; any
 * thread. */
const char *registry_listing(const struct registry *registry, size_t *ret_length);

/* Where the recipe files of this registry lie, NULL-ended: the shipped ones', but with
 * no_default_packs, and the config's recipe_dirs. */
const char *const *registry_recipe_folders(const struct registry *registry);

/* One thing that a room above makes out of the registry, at first use, and that ends with it. Every
 * caller hands in the same two functions. Any thread; NULL where `make` answered that. */
void *registry_derive(struct registry *registry,
		      void *(*make)(struct registry *registry, struct error *error),
		      void (*release)(void *made), struct error *error);

/* Recipes and prompts of the ready packs, each the JSON object of the manifest with a key "pack"
 * added: a list, borrowed. Made at first use; any thread. */
const json *registry_recipes(const struct registry *registry);
const json *registry_prompts(const struct registry *registry);

/* Scans one file as `pack check` and `pack info` do, outside any registry and cache: the manifest,
 * or the reason: STATUS_INPUT_INVALID where it is the file's, STATUS_WORKER_FAILED where it is not,
 * STATUS_USAGE where there is no such file. *ret_manifest is the caller's. */
int registry_scan_file(const struct paths *paths, const char *path, json **ret_manifest,
		       struct error *error);

#endif
