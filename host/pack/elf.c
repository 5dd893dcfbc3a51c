/* SPDX-License-Identifier: MIT
 *
 * What a pack's file says before anything of it is loaded.
 *
 * The symbol is looked up as the dynamic linker will do it: through the program headers, the
 * dynamic section and its hash table, never through the section headers, which may be missing or
 * say something else. Every offset is somebody else's, so all is read with pread() in small pieces
 * that are checked against the file: mapping it would turn a file that shrinks meanwhile into a
 * SIGBUS.
 */
#include <config.h>

#include "pack/loaded.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#elif defined(__riscv)
#define OUR_MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define OUR_MACHINE EM_PPC64
#else
#error "name the ELF machine of this platform here"
#endif
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "only little-endian files are read");

#define SYMBOL_STEM "toolhost_pack_v"
#define SYMBOL "toolhost_pack_v1"
_Static_assert(TH_ABI_MAJOR == 1, "SYMBOL has the major version in its name");

#define SEGMENTS_MOST 256u
#define DYNAMIC_MOST 4096u
#define CHAIN_MOST 1000u /* symbols of one bucket; linkers make buckets of a few */
#define OTHER_MAJORS 16	 /* that are looked for to explain a missing symbol */

struct elf {
	int fd;
	uint64_t size;
	struct error *error;
	Elf64_Phdr *segments; /* owned */
	size_t segment_count;

	/* from the dynamic section; addresses, 0 where absent */
	uint64_t gnu_hash, hash, symbols, strings, strings_size;
	uint64_t flags, flags_1;
	bool text_relocations;
};

/* The first bytes of a th_pack, which no relocation changes. */
struct pack_head {
	uint32_t struct_size;
	uint16_t abi_major;
	uint16_t abi_minor;
};

static int refuse_damaged(struct elf *elf, const char *what)
{
	return pack_refuse(elf->error,
			   "The file is damaged or cut short: %s. Copy or build it again.", what);
}

static bool read_file(const struct elf *elf, uint64_t offset, void *to, size_t length)
{
	char *place = to;

	if (offset > elf->size || length > elf->size - offset)
		return false;
	while (length) {
		ssize_t n = pread(elf->fd, place, length, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		place += n;
		offset += (uint64_t)n;
		length -= (size_t)n;
	}
	return true;
}

/* Reads what the loaded file will have at `address`; false where it will have nothing there. */
static bool read_loaded(const struct elf *elf, uint64_t address, void *to, size_t length)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];
		uint64_t into = address - segment->p_vaddr;

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    into <= segment->p_filesz && length <= segment->p_filesz - into &&
		    segment->p_offset <= UINT64_MAX - into)
			return read_file(elf, segment->p_offset + into, to, length);
	}
	return false;
}

/* ---- The header --------------------------------------------------------------------------- */

static const char *machine_name(uint16_t machine, char unknown[32])
{
	switch (machine) {
	case EM_X86_64:
		return "x86-64";
	case EM_AARCH64:
		return "AArch64";
	case EM_386:
		return "32-bit x86";
	case EM_ARM:
		return "32-bit ARM";
	case EM_RISCV:
		return "RISC-V";
	case EM_PPC64:
		return "PowerPC 64";
	case EM_S390:
		return "IBM S/390";
	case EM_MIPS:
		return "MIPS";
	case EM_LOONGARCH:
		return "LoongArch";
	}
	snprintf(unknown, 32, "ELF machine %u", machine);
	return unknown;
}

static int check_machine(struct elf *elf, const Elf64_Ehdr *header)
{
	bool big = header->e_ident[EI_DATA] == ELFDATA2MSB;
	uint16_t machine = big ? __builtin_bswap16(header->e_machine) : header->e_machine;
	char theirs[32], ours[32];

	if (machine != OUR_MACHINE)
		return pack_refuse(elf->error,
				   "The file is built for %s, and this host runs on %s: get or "
				   "build the pack for %s.",
				   machine_name(machine, theirs), machine_name(OUR_MACHINE, ours),
				   machine_name(OUR_MACHINE, ours));
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
		return pack_refuse(elf->error,
				   "The file is no 64-bit little-endian ELF file, as this host "
				   "needs: build the pack for the machine's usual form.");
	return STATUS_OK;
}

static int check_type(struct elf *elf, uint16_t type)
{
	const char *what = "is no shared object";

	if (type == ET_DYN)
		return STATUS_OK;
	if (type == ET_REL)
		what = "is an object file that was not linked yet";
	else if (type == ET_EXEC)
		what = "is a program";
	else if (type == ET_CORE)
		what = "is a core dump";
	return pack_refuse(elf->error,
			   "The file %s: a pack is a shared object, linked with cc -shared.", what);
}

static int read_header(struct elf *elf, Elf64_Ehdr *header)
{
	int r;

	memset(header, 0, sizeof(*header));
	if (!read_file(elf, 0, header, elf->size < sizeof(*header) ? elf->size : sizeof(*header)))
		return refuse_damaged(elf, "it cannot be read");
	if (memcmp(header->e_ident, ELFMAG, SELFMAG))
		return pack_refuse(elf->error, "The file is no ELF file: a pack is a shared "
					       "object, linked with cc -shared.");
	if (elf->size < sizeof(*header))
		return refuse_damaged(elf, "its header is not complete");
	r = check_machine(elf, header);
	return r ? r : check_type(elf, header->e_type);
}

static int read_segments(struct elf *elf, const Elf64_Ehdr *header)
{
	if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum == 0 ||
	    header->e_phnum > SEGMENTS_MOST)
		return refuse_damaged(elf, "its program headers make no sense");
	elf->segments = calloc(header->e_phnum, sizeof(Elf64_Phdr));
	if (!elf->segments)
		return error_set(elf->error, STATUS_INTERNAL, "There is no memory left.");
	if (!read_file(elf, header->e_phoff, elf->segments, header->e_phnum * sizeof(Elf64_Phdr)))
		return refuse_damaged(elf, "its program headers lie outside of it");
	elf->segment_count = header->e_phnum;
	return STATUS_OK;
}

/* ---- The dynamic section ------------------------------------------------------------------ */

static void take_dynamic(struct elf *elf, const Elf64_Dyn *entry)
{
	switch (entry->d_tag) {
	case DT_GNU_HASH:
		elf->gnu_hash = entry->d_un.d_ptr;
		break;
	case DT_HASH:
		elf->hash = entry->d_un.d_ptr;
		break;
	case DT_SYMTAB:
		elf->symbols = entry->d_un.d_ptr;
		break;
	case DT_STRTAB:
		elf->strings = entry->d_un.d_ptr;
		break;
	case DT_STRSZ:
		elf->strings_size = entry->d_un.d_val;
		break;
	case DT_TEXTREL:
		elf->text_relocations = true;
		break;
	case DT_FLAGS:
		elf->flags = entry->d_un.d_val;
		break;
	case DT_FLAGS_1:
		elf->flags_1 = entry->d_un.d_val;
		break;
	}
}

static int read_dynamic(struct elf *elf)
{
	const Elf64_Phdr *dynamic = NULL;
	Elf64_Dyn entry;

	for (size_t i = 0; i < elf->segment_count; i++)
		if (elf->segments[i].p_type == PT_DYNAMIC)
			dynamic = &elf->segments[i];
	if (!dynamic)
		return pack_refuse(elf->error, "The file has no dynamic section: a pack is a "
					       "shared object, linked with cc -shared.");
	for (uint64_t i = 0; i < DYNAMIC_MOST; i++) {
		if (!read_loaded(elf, dynamic->p_vaddr + i * sizeof(entry), &entry, sizeof(entry)))
			return refuse_damaged(elf, "its dynamic section lies outside of it");
		if (entry.d_tag == DT_NULL)
			break;
		take_dynamic(elf, &entry);
	}
	if (!elf->symbols || !elf->strings || (!elf->gnu_hash && !elf->hash))
		return refuse_damaged(elf, "its dynamic section names no symbol table");
	if (elf->flags_1 & DF_1_PIE)
		return check_type(elf, ET_EXEC);
	if (elf->text_relocations || elf->flags & DF_TEXTREL)
		return pack_refuse(elf->error, "The file's code is not position-independent: "
					       "compile all of the pack with -fPIC.");
	return STATUS_OK;
}

/* ---- The symbol --------------------------------------------------------------------------- */

enum found { FOUND, NOT_FOUND, DAMAGED };

/* Whether symbol `index` is a definition of that name. */
static enum found match(const struct elf *elf, uint32_t index, const char *name,
			Elf64_Sym *ret_symbol)
{
	char theirs[sizeof(SYMBOL_STEM) + 8];
	size_t length = strlen(name) + 1;

	if (!read_loaded(elf, elf->symbols + (uint64_t)index * sizeof(*ret_symbol), ret_symbol,
			 sizeof(*ret_symbol)))
		return DAMAGED;
	if (ret_symbol->st_shndx == SHN_UNDEF || ret_symbol->st_name > elf->strings_size ||
	    length > elf->strings_size - ret_symbol->st_name)
		return NOT_FOUND;
	if (!read_loaded(elf, elf->strings + ret_symbol->st_name, theirs, length))
		return DAMAGED;
	return memcmp(theirs, name, length) ? NOT_FOUND : FOUND;
}

/* The hash table of the GNU tools: buckets of symbol indices, and chains of hashes whose last bit
 * ends them. */
static enum found find_gnu(const struct elf *elf, const char *name, Elf64_Sym *ret_symbol)
{
	struct {
		uint32_t buckets, first_symbol, bloom_words, bloom_shift;
	} table;
	uint64_t buckets, chains;
	uint32_t hash = 5381, index, theirs;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	if (!read_loaded(elf, elf->gnu_hash, &table, sizeof(table)) || table.buckets == 0)
		return DAMAGED;
	buckets = elf->gnu_hash + sizeof(table) + (uint64_t)table.bloom_words * 8;
	chains = buckets + (uint64_t)table.buckets * 4;
	if (!read_loaded(elf, buckets + (uint64_t)(hash % table.buckets) * 4, &index,
			 sizeof(index)))
		return DAMAGED;
	if (index == 0)
		return NOT_FOUND;
	if (index < table.first_symbol)
		return DAMAGED;
	for (uint32_t i = 0; i < CHAIN_MOST; i++, index++) {
		if (!read_loaded(elf, chains + (uint64_t)(index - table.first_symbol) * 4, &theirs,
				 sizeof(theirs)))
			return DAMAGED;
		if ((theirs | 1) == (hash | 1)) {
			enum found found = match(elf, index, name, ret_symbol);

			if (found != NOT_FOUND)
				return found;
		}
		if (theirs & 1)
			return NOT_FOUND;
	}
	return DAMAGED;
}

/* The hash table of System V: buckets, and for each symbol the next one of its chain. */
static enum found find_sysv(const struct elf *elf, const char *name, Elf64_Sym *ret_symbol)
{
	struct {
		uint32_t buckets, symbols;
	} table;
	uint64_t buckets = elf->hash + sizeof(table), chains;
	uint32_t hash = 0, index;

	for (const char *c = name; *c; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (!read_loaded(elf, elf->hash, &table, sizeof(table)) || table.buckets == 0)
		return DAMAGED;
	chains = buckets + (uint64_t)table.buckets * 4;
	if (!read_loaded(elf, buckets + (uint64_t)(hash % table.buckets) * 4, &index,
			 sizeof(index)))
		return DAMAGED;
	for (uint32_t i = 0; i < CHAIN_MOST; i++) {
		enum found found;

		if (index == STN_UNDEF)
			return NOT_FOUND;
		found = match(elf, index, name, ret_symbol);
		if (found != NOT_FOUND)
			return found;
		if (!read_loaded(elf, chains + (uint64_t)index * 4, &index, sizeof(index)))
			return DAMAGED;
	}
	return DAMAGED;
}

static enum found find_symbol(const struct elf *elf, const char *name, Elf64_Sym *ret_symbol)
{
	return elf->gnu_hash ? find_gnu(elf, name, ret_symbol) : find_sysv(elf, name, ret_symbol);
}

static int refuse_major(struct elf *elf, unsigned major)
{
	return pack_refuse(
		elf->error,
		"The pack is made for major version %u of the plugin ABI, and this host reads "
		"version %d: build the pack again with the toolhost/plugin.h of this host, or %s.",
		major, TH_ABI_MAJOR,
		major > TH_ABI_MAJOR ? "get a newer host" : "get a newer pack");
}

/* Looks for the symbol of another major version, to say more than that ours is missing. */
static int refuse_without_symbol(struct elf *elf)
{
	char name[sizeof(SYMBOL_STEM) + 8];
	Elf64_Sym symbol;

	for (unsigned major = 0; major < OTHER_MAJORS; major++) {
		enum found found;

		snprintf(name, sizeof(name), SYMBOL_STEM "%u", major);
		found = find_symbol(elf, name, &symbol);
		if (found == FOUND)
			return refuse_major(elf, major);
		if (found == DAMAGED)
			break;
	}
	return pack_refuse(elf->error, "The file itself does not export " SYMBOL
				       ": a pack ends with TH_PACK(...), and nothing may hide that "
				       "symbol when it is linked.");
}

static int check_symbol(struct elf *elf, Elf64_Sym *ret_symbol)
{
	switch (find_symbol(elf, SYMBOL, ret_symbol)) {
	case FOUND:
		break;
	case NOT_FOUND:
		return refuse_without_symbol(elf);
	case DAMAGED:
		return refuse_damaged(elf, "its symbol table lies outside of it");
	}
	if (ELF64_ST_TYPE(ret_symbol->st_info) != STT_OBJECT)
		return pack_refuse(
			elf->error,
			SYMBOL " is no data in this file: a pack defines it with TH_PACK(...).");
	return STATUS_OK;
}

static int check_descriptor(struct elf *elf, const Elf64_Sym *symbol, struct pack_file *file)
{
	struct pack_head head;

	if (!read_loaded(elf, symbol->st_value, &head, sizeof(head)))
		return pack_refuse(elf->error,
				   SYMBOL " has no content in this file: a pack defines it with "
					  "TH_PACK(...), as const data.");
	if (head.abi_major != TH_ABI_MAJOR)
		return refuse_major(elf, head.abi_major);
	if (head.struct_size < PACK_SIZE_LEAST)
		return pack_refuse(elf->error,
				   "The pack's descriptor claims %u bytes, fewer than the %u of "
				   "the first version: define it with TH_PACK(...).",
				   head.struct_size, PACK_SIZE_LEAST);
	if (head.struct_size > symbol->st_size)
		return pack_refuse(elf->error,
				   "The pack's descriptor claims %u bytes, more than the %llu of "
				   "its symbol: define it with TH_PACK(...).",
				   head.struct_size, (unsigned long long)symbol->st_size);
	file->abi_major = head.abi_major;
	file->abi_minor = head.abi_minor;
	file->pack_size = head.struct_size;
	file->symbol_size = symbol->st_size;
	file->bind_now = elf->flags & DF_BIND_NOW || elf->flags_1 & DF_1_NOW;
	return STATUS_OK;
}

static int check_elf(int fd, struct pack_file *file, struct error *error)
{
	struct elf elf = { .fd = fd, .size = (uint64_t)file->size, .error = error };
	Elf64_Ehdr header;
	Elf64_Sym symbol;
	int r;

	if ((r = read_header(&elf, &header)) || (r = read_segments(&elf, &header)) ||
	    (r = read_dynamic(&elf)) || (r = check_symbol(&elf, &symbol)))
		goto out;
	r = check_descriptor(&elf, &symbol, file);
out:
	free(elf.segments);
	return r;
}

/* ---- The file ----------------------------------------------------------------------------- */

static int open_file(const char *path, int *ret_fd, struct error *error)
{
	/* Links are followed once, here: what is opened is a file with a name of its own, and
	 * opening does not wait for the other end of a pipe. */
	char *resolved = realpath(path, NULL);
	int fd = resolved
			 ? open(resolved, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
			 : -1;
	int failure = errno;

	free(resolved);
	if (fd < 0)
		return pack_refuse(error, "The file cannot be opened: %s.", strerror(failure));
	*ret_fd = fd;
	return STATUS_OK;
}

int pack_file_open(const char *path, struct pack_file *ret_file, int *ret_fd, struct error *error)
{
	struct pack_file file = { 0 };
	struct stat status;
	int fd = -1, r;

	*ret_fd = -1;
	r = open_file(path, &fd, error);
	if (r)
		goto out;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		r = pack_refuse(error, "This is no regular file: a pack is a shared object.");
		goto out;
	}
	file.device = status.st_dev;
	file.inode = status.st_ino;
	file.size = status.st_size;
	file.modified = status.st_mtim;
	r = check_elf(fd, &file, error);
	if (r)
		goto out;
	*ret_file = file;
	*ret_fd = fd;
	fd = -1;
out:
	if (fd >= 0)
		close(fd);
	return r;
}
