/* SPDX-License-Identifier: MIT
 *
 * The manifest of a pack as a whole, and what its parts are checked with.
 */
#include "pack/describe.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define MANIFEST_FORMAT 1
#define WARNINGS_MOST 100u
#define JSON_DEPTH_MOST 64u

/* ---- Messages ----------------------------------------------------------------------------- */

int describe_refuse(struct describer *d, const char *format, ...)
{
	char reason[800];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	return error_set(d->error, STATUS_INPUT_INVALID, "%s: %s%s", d->where, reason,
			 *reason && strchr(".?!", reason[strlen(reason) - 1]) ? "" : ".");
}

void describe_warn(struct describer *d, const char *format, ...)
{
	char text[800], line[sizeof(d->where) + sizeof(text) + 4];
	va_list arguments;
	size_t count = json_count(d->warnings);

	if (count > WARNINGS_MOST)
		return;
	if (count == WARNINGS_MOST) {
		json_append(d->warnings, json_new_text("There are more warnings."));
		return;
	}
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	snprintf(line, sizeof(line), "%s: %s.", d->where, text);
	json_append(d->warnings, json_new_text(line));
}

/* A name that is none may hold anything, and its length be wrong; what a message shows of it is
 * short and printable. */
static void printable(const char *name, size_t length, char *ret_text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < length && name[i] && used + 5 < size; i++) {
		unsigned char byte = (unsigned char)name[i];

		if (byte >= ' ' && byte < 0x7f)
			ret_text[used++] = (char)byte;
		else
			used += (size_t)snprintf(ret_text + used, size - used, "\\x%02x", byte);
	}
	ret_text[used] = '\0';
}

void describe_set_where(struct describer *d, const char *what, const char *name, size_t length)
{
	char shown[128];

	printable(name, length < 80 ? length : 80, shown, sizeof(shown));
	snprintf(d->where, sizeof(d->where), "%s \"%s\"", what, shown);
}

/* ---- Texts and objects -------------------------------------------------------------------- */

int describe_check_text(struct describer *d, th_text text, const char *what, size_t most,
			bool needed)
{
	if (!text.data || !text.length) {
		if (text.length)
			return describe_refuse(d, "its %s has a length and no data", what);
		return needed ? describe_refuse(d, "its %s is missing", what) : STATUS_OK;
	}
	if (text.length > most)
		return describe_refuse(d, "its %s has %llu bytes, more than %zu", what,
				       (unsigned long long)text.length, most);
	if (memchr(text.data, '\0', text.length) || text.data[text.length] != '\0')
		return describe_refuse(
			d, "the length of its %s is not that of the text before the NUL", what);
	if (!text_is_utf8(text.data, text.length))
		return describe_refuse(d, "its %s is not UTF-8", what);
	return STATUS_OK;
}

int describe_take_text(struct describer *d, json *object, const char *key, th_text text,
		       size_t most, bool needed)
{
	int r = describe_check_text(d, text, key, most, needed);

	if (!r && text.data && text.length)
		json_set(object, key, json_new_text_n(text.data, text.length));
	return r;
}

int describe_read_object(struct describer *d, th_text text, const char *what, json **ret_object)
{
	const struct json_limits limits = { .max_bytes = JSON_BYTES_MOST,
					    .max_depth = JSON_DEPTH_MOST };
	struct json_fault fault;
	json *value = NULL;
	int r = describe_check_text(d, text, what, JSON_BYTES_MOST, false);

	*ret_object = NULL;
	if (r || !text.data || !text.length)
		return r;
	if (json_read(text.data, text.length, &limits, &value, &fault))
		return describe_refuse(d, "its %s is no JSON: %s, at byte %zu", what, fault.reason,
				       fault.offset);
	if (json_kind(value) != JSON_OBJECT) {
		r = describe_refuse(d, "its %s is %s, and has to be a JSON object", what,
				    json_kind_name(json_kind(value)));
		json_drop(value);
		return r;
	}
	*ret_object = value;
	return STATUS_OK;
}

int describe_check_keys(struct describer *d, const json *object, const char *what,
			const char *const *keys, size_t count)
{
	struct json_member m;

	for (bool more = json_first(object, &m); more; more = json_next(&m)) {
		const char *near;
		size_t i = 0;

		while (i < count && strcmp(keys[i], m.key))
			i++;
		if (i < count)
			continue;
		/* The minor version says whether the key is a slip, or comes from a later version
		 * of the ABI. */
		if (d->pack->descriptor.abi_minor > TH_ABI_MINOR) {
			describe_warn(d,
				      "this host does not know the key \"%.60s\" of its %s, and "
				      "leaves it out",
				      m.key, what);
			continue;
		}
		near = text_nearest(m.key, keys, count);
		return describe_refuse(d, "its %s has the unknown key \"%.60s\"%s%s%s", what, m.key,
				       near ? "; did you mean \"" : "", near ? near : "",
				       near ? "\"?" : "");
	}
	return STATUS_OK;
}

int describe_check_kind(struct describer *d, const json *object, const char *what, const char *key,
			enum json_kind kind)
{
	enum json_kind found = json_kind(json_get(object, key));

	if (found == JSON_NULL || found == kind || (kind == JSON_NUMBER && found == JSON_INTEGER))
		return STATUS_OK;
	return describe_refuse(d, "%s of its %s is of kind %s, and has to be %s", key, what,
			       json_kind_name(found), json_kind_name(kind));
}

/* ---- The pack ----------------------------------------------------------------------------- */

static void set_versions(const struct pack *pack, json *manifest)
{
	json *abi = json_new_object();

	json_set_integer(manifest, "format", MANIFEST_FORMAT);
	json_set_integer(abi, "major", pack->descriptor.abi_major);
	json_set_integer(abi, "minor", pack->descriptor.abi_minor);
	json_set(manifest, "abi", abi);
}

static void set_file(struct describer *d, json *manifest)
{
	const struct pack_file *file = &d->pack->file;
	json *object;

	if (!file->inode)
		return; /* it is linked in */
	object = json_new_object();
	json_set_integer(object, "device", (int64_t)file->device);
	json_set_integer(object, "inode", (int64_t)file->inode);
	json_set_integer(object, "size", file->size);
	json_set_integer(object, "modified_ns", clock_ns(file->modified));
	json_set_boolean(object, "bind_now", file->bind_now);
	json_set(manifest, "file", object);
	if (!file->bind_now)
		describe_warn(d, "it is linked without -Wl,-z,now, so that a missing symbol would "
				 "end a call, and with it the host: it never runs in-process");
}

static int set_about(struct describer *d, json *manifest)
{
	static const char *const keys[] = { "version", "summary", "license", "homepage", "author" };
	size_t count = ARRAY_SIZE(keys);
	json *about = NULL;
	int r = describe_read_object(d, d->pack->descriptor.about, "about", &about);

	if (r)
		return r;
	r = describe_check_keys(d, about, "about", keys, count);
	for (size_t i = 0; i < count && !r; i++)
		r = describe_check_kind(d, about, "about", keys[i], JSON_TEXT);
	if (!r && !json_get(about, "version"))
		r = describe_refuse(
			d,
			"its about has no version: write TH_PACK(tools, {\"version\": \"1.0.0\"})");
	if (r) {
		json_drop(about);
		return r;
	}
	json_set(manifest, "about", about);
	return STATUS_OK;
}

static int check_unique_tool(struct describer *d, size_t index)
{
	const th_text *name = &d->pack->tools[index].name;

	for (size_t i = 0; i < index; i++) {
		const th_text *other = &d->pack->tools[i].name;

		if (other->length == name->length && !memcmp(other->data, name->data, name->length))
			return describe_refuse(d, "the pack has two tools of this name");
	}
	return STATUS_OK;
}

static int set_tools(struct describer *d, json *manifest)
{
	json *list = json_new_list();
	int r = STATUS_OK;

	json_set(manifest, "tools", list);
	for (size_t i = 0; i < d->pack->tool_count && !r; i++) {
		json *tool = NULL;

		snprintf(d->where, sizeof(d->where), "Tool %zu", i + 1);
		r = describe_tool(d, &d->pack->tools[i], &tool);
		if (!r)
			r = check_unique_tool(d, i);
		if (!r)
			json_append(list, tool);
		else
			json_drop(tool);
	}
	return r;
}

static int set_others(struct describer *d, json *manifest)
{
	json *recipes = json_new_list(), *prompts = json_new_list(), *resources = json_new_list();
	int r;

	json_set(manifest, "recipes", recipes);
	json_set(manifest, "prompts", prompts);
	json_set(manifest, "resources", resources);
	r = describe_recipes(d, recipes);
	if (!r)
		r = describe_prompts(d, prompts);
	if (!r)
		r = describe_resources(d, resources);
	if (r)
		return r;
	snprintf(d->where, sizeof(d->where), "The pack");
	if (!json_count(json_get(manifest, "tools")) && !json_count(recipes) &&
	    !json_count(prompts) && !json_count(resources))
		return describe_refuse(d, "it offers nothing: no tool, recipe, prompt or resource");
	return STATUS_OK;
}

int pack_describe(const struct pack *pack, json **ret_manifest, struct error *error)
{
	struct describer d = { .pack = pack, .error = error, .where = "The pack" };
	json *manifest = json_new_object();
	int r;

	*ret_manifest = NULL;
	if (!manifest || !(d.warnings = json_new_list())) {
		r = error_set(error, STATUS_INTERNAL, "There is no memory left.");
		goto out;
	}
	set_versions(pack, manifest);
	set_file(&d, manifest);
	r = set_about(&d, manifest);
	if (r)
		goto out;
	json_set(manifest, "warnings", json_hold(d.warnings));
	r = set_tools(&d, manifest);
	if (!r)
		r = set_others(&d, manifest);
	if (r)
		goto out;
	*ret_manifest = manifest;
	manifest = NULL;
out:
	json_drop(d.warnings);
	json_drop(manifest);
	return r;
}
