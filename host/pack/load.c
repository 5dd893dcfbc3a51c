/* SPDX-License-Identifier: MIT
 *
 * Loading by libltdl, with absolute paths and local and resident advice: a pack's names stay its
 * own, and it is never unloaded, since threads and thread-local destructors may outlive any use of
 * it.
 *
 * The loader opens the file by a name, again, and answers with an older library where one is loaded
 * under that name. So afterwards the constants in memory (symbol tables, build id and the like) are
 * compared with the file that was checked. That holds whatever became of the name, and on every
 * file system, which comparing device and inode of mappings does not. Code is left out, since a
 * debugger writes its breakpoints there.
 */
#include <config.h>

#include "pack/loaded.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <ltdl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYMBOL "toolhost_pack_v1"
/* Beyond that, size and time of change have to do. */
#define COMPARE_BYTES_MOST ((size_t)16 << 20)
#define COMPARE_PIECE ((size_t)64 * 1024)

/* libltdl keeps its list of modules without a lock. */
static pthread_mutex_t loader_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Is it the file that was checked? ----------------------------------------------------- */

struct comparison {
	int fd;
	const char *address; /* in the library that is looked for */
	char *piece;	     /* of the file */
	bool found;
	bool equal;
};

static bool segment_holds(const struct dl_phdr_info *info, const Elf64_Phdr *segment,
			  const char *address)
{
	uintptr_t start = info->dlpi_addr + segment->p_vaddr;

	return segment->p_type == PT_LOAD && (uintptr_t)address >= start &&
	       (uintptr_t)address - start < segment->p_memsz;
}

/* Not memcmp(), since AddressSanitizer puts forbidden bytes between the constants of a pack that is
 * built with it. */
__attribute__((no_sanitize("address"))) static bool bytes_equal(const char *a, const char *b,
								size_t length)
{
	unsigned char difference = 0;

	for (size_t i = 0; i < length; i++)
		difference |= (unsigned char)(a[i] ^ b[i]);
	return difference == 0;
}

static bool segment_equals(struct comparison *c, const struct dl_phdr_info *info,
			   const Elf64_Phdr *segment)
{
	const char *loaded = (const char *)info->dlpi_addr + segment->p_vaddr;
	size_t left = segment->p_filesz < COMPARE_BYTES_MOST ? segment->p_filesz
							     : COMPARE_BYTES_MOST;
	off_t offset = (off_t)segment->p_offset;

	while (left) {
		size_t wanted = left < COMPARE_PIECE ? left : COMPARE_PIECE;
		ssize_t n = pread(c->fd, c->piece, wanted, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || !bytes_equal(loaded, c->piece, (size_t)n))
			return false;
		loaded += n;
		offset += n;
		left -= (size_t)n;
	}
	return true;
}

/* Looks at one loaded object; answers 1 once the one in question was seen. */
static int compare_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct comparison *c = data;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (segment_holds(info, &info->dlpi_phdr[i], c->address))
			c->found = true;
	if (!c->found)
		return 0;
	c->equal = true;
	for (size_t i = 0; i < info->dlpi_phnum && c->equal; i++) {
		const Elf64_Phdr *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE ||
		    (segment->p_type == PT_LOAD && segment->p_flags == PF_R))
			c->equal = segment_equals(c, info, segment);
	}
	return 1;
}

static bool same_file(const struct stat *status, const struct pack_file *file)
{
	return status->st_dev == file->device && status->st_ino == file->inode &&
	       status->st_size == file->size && status->st_mtim.tv_sec == file->modified.tv_sec &&
	       status->st_mtim.tv_nsec == file->modified.tv_nsec;
}

static int refuse_changed(struct error *error)
{
	return pack_refuse(
		error,
		"The file was changed or replaced after it was checked, or an older one is loaded "
		"under its name: start the host again. Put new packs in place by renaming them.");
}

static int check_loaded(int fd, const struct pack_file *file, const th_pack *descriptor,
			struct error *error)
{
	struct comparison c = { .fd = fd, .address = (const char *)descriptor };
	struct stat status;

	if (fstat(fd, &status) || !same_file(&status, file))
		return refuse_changed(error);
	c.piece = malloc(COMPARE_PIECE);
	if (!c.piece)
		return error_set(error, STATUS_INTERNAL, "There is no memory left.");
	dl_iterate_phdr(compare_object, &c);
	free(c.piece);
	return c.found && c.equal ? STATUS_OK : refuse_changed(error);
}

/* ---- Why it could not be loaded ----------------------------------------------------------- */

static bool text_begins(const char *text, const char *head)
{
	return !strncmp(text, head, strlen(head));
}

/* libltdl says "file not found" whatever has failed, so the dynamic linker is asked once more for
 * its text. Nothing of the pack ran the first time, since libraries and symbols come before
 * constructors. NULL where it has no objection. */
static const char *linker_reason(const char *name)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

	/* cppcheck-suppress resourceLeak ; a library is never unloaded */
	return library ? NULL : dlerror();
}

static int refuse_unloadable(const char *name, const char *ltdl_reason, struct error *error)
{
	static const char cannot_open[] = ": cannot open shared object file";
	static const char undefined[] = "undefined symbol: ";
	const char *reason = linker_reason(name), *end;

	if (!reason)
		return pack_refuse(error, "The pack cannot be loaded: %s.", ltdl_reason);
	end = strstr(reason, cannot_open);
	if (end && !text_begins(reason, name))
		return pack_refuse(error,
				   "The pack needs the library %.*s, which is not installed: "
				   "install it, or build the pack without it.",
				   (int)(end - reason), reason);
	if (text_begins(reason, name) && text_begins(reason + strlen(name), ": "))
		reason += strlen(name) + 2;
	if (text_begins(reason, undefined))
		return pack_refuse(error,
				   "The pack needs the symbol %s, which no library defines: link "
				   "it with the library that does; -Wl,-z,defs finds this when "
				   "linking.",
				   reason + strlen(undefined));
	return pack_refuse(error, "The pack cannot be loaded: %s.", reason);
}

/* ---- Loading ------------------------------------------------------------------------------ */

/* By the path as long as it leads to the file; through the descriptor where a folder on the way is
 * closed to us, at the price that $ORIGIN in the pack does not resolve. */
static int name_for_loading(const char *path, int fd, const struct pack_file *file,
			    char by_descriptor[32], const char **ret_name, struct error *error)
{
	struct stat status;

	*ret_name = path;
	if (path[0] == '/' && !stat(path, &status))
		return same_file(&status, file) ? STATUS_OK : refuse_changed(error);
	if (path[0] == '/' && errno != EACCES)
		return refuse_changed(error);
	snprintf(by_descriptor, 32, "/proc/self/fd/%d", fd);
	*ret_name = by_descriptor;
	return STATUS_OK;
}

static int open_locked(const char *name, lt_dlhandle *ret_handle, struct error *error)
{
	lt_dladvise advice = NULL;
	int r = STATUS_INTERNAL;

	*ret_handle = NULL;
	if (lt_dlinit() || lt_dladvise_init(&advice) || lt_dladvise_local(&advice) ||
	    lt_dladvise_resident(&advice)) {
		r = error_set(error, STATUS_INTERNAL, "libltdl cannot be used: %s.", lt_dlerror());
		goto out;
	}
	*ret_handle = lt_dlopenadvise(name, advice);
	r = *ret_handle ? STATUS_OK : refuse_unloadable(name, lt_dlerror(), error);
out:
	lt_dladvise_destroy(&advice);
	return r;
}

/* The symbol of that name and size, and no other that libltdl or the dynamic linker may prefer. */
static const th_pack *find_descriptor_locked(lt_dlhandle handle, const struct pack_file *file)
{
	void *address = lt_dlsym(handle, SYMBOL), *symbol = NULL;
	Dl_info info;

	if (!address || !dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) || !symbol ||
	    info.dli_saddr != address || strcmp(info.dli_sname, SYMBOL) ||
	    ((const Elf64_Sym *)symbol)->st_size != file->symbol_size)
		return NULL;
	return address;
}

static int load_locked(const char *name, const struct pack_file *file,
		       const th_pack **ret_descriptor, struct error *error)
{
	lt_dlhandle handle;
	int r = open_locked(name, &handle, error);

	if (r)
		return r;
	*ret_descriptor = find_descriptor_locked(handle, file);
	return *ret_descriptor ? STATUS_OK : refuse_changed(error);
}

int pack_load(const char *path, int fd, const struct pack_file *file, struct pack **ret_pack,
	      struct error *error)
{
	const th_pack *descriptor = NULL;
	char by_descriptor[32];
	const char *name;
	int r;

	*ret_pack = NULL;
	r = name_for_loading(path, fd, file, by_descriptor, &name, error);
	if (r)
		return r;
	pthread_mutex_lock(&loader_lock);
	r = load_locked(name, file, &descriptor, error);
	pthread_mutex_unlock(&loader_lock);
	if (r)
		return r;
	r = check_loaded(fd, file, descriptor, error);
	if (r)
		return r;
	if (descriptor->struct_size != file->pack_size || descriptor->abi_major != file->abi_major)
		return pack_refuse(error, "The pack changes its descriptor while it is loaded: it "
					  "has to be const data.");
	r = pack_linked_in(descriptor, ret_pack, error);
	if (!r)
		(*ret_pack)->file = *file;
	return r;
}
