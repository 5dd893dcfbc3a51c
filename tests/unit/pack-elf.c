/* SPDX-License-Identifier: MIT
 *
 * The check of a pack's file: a good one in both forms of hash table, and what is said of each way
 * to be wrong. The wrong ones are hello.so with some bytes changed.
 */
#include <config.h>

#include "unit.h"

#include "pack/pack.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

static char folder[] = "/tmp/toolhost-pack-elf-XXXXXX";
static char changed_path[64];

#define NOWHERE ((uint64_t)1 << 40) /* an address that no part of the file has */

static unsigned char *good; /* hello.so */
static unsigned char *file; /* a copy, to be changed */
static size_t size;

/* ---- Looking at the copy ------------------------------------------------------------------ */

static Elf64_Ehdr *header(void)
{
	return (Elf64_Ehdr *)file;
}

static Elf64_Phdr *segment(uint32_t type)
{
	Elf64_Phdr *segments = (Elf64_Phdr *)(file + header()->e_phoff);

	for (size_t i = 0; i < header()->e_phnum; i++)
		if (segments[i].p_type == type)
			return &segments[i];
	return NULL;
}

static unsigned char *loaded(uint64_t address)
{
	Elf64_Phdr *segments = (Elf64_Phdr *)(file + header()->e_phoff);

	for (size_t i = 0; i < header()->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr &&
		    address < segments[i].p_vaddr + segments[i].p_filesz)
			return file + segments[i].p_offset + (address - segments[i].p_vaddr);
	return NULL;
}

static Elf64_Dyn *dynamic(int64_t tag)
{
	Elf64_Dyn *entry = (Elf64_Dyn *)loaded(segment(PT_DYNAMIC)->p_vaddr);

	while (entry->d_tag != tag && entry->d_tag != DT_NULL)
		entry++;
	return entry->d_tag == tag ? entry : NULL;
}

static Elf64_Sym *symbol(void)
{
	const char *strings = (const char *)loaded(dynamic(DT_STRTAB)->d_un.d_ptr);
	Elf64_Sym *each = (Elf64_Sym *)loaded(dynamic(DT_SYMTAB)->d_un.d_ptr);

	while (strcmp(strings + each->st_name, "toolhost_pack_v1"))
		each++;
	return each;
}

static th_pack *descriptor(void)
{
	return (th_pack *)loaded(symbol()->st_value);
}

/* ---- Asking ------------------------------------------------------------------------------- */

/* Some linkers write both hash tables; the tests are about one. */
static void fresh(void)
{
	Elf64_Dyn *other;

	memcpy(file, good, size);
	other = dynamic(DT_HASH);
	if (other)
		other->d_tag = DT_DEBUG;
}

static void write_file(const void *data, size_t length)
{
	int fd = open(changed_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CU_ASSERT_FATAL(fd >= 0 && write(fd, data, length) == (ssize_t)length);
	close(fd);
}

static struct error error;

static int open_path(const char *path, struct pack_file *ret_file)
{
	int fd, r;

	error_clear(&error);
	r = pack_file_open(path, ret_file, &fd, &error);
	CU_ASSERT_EQUAL(r, error.status);
	CU_ASSERT_EQUAL(r == STATUS_OK, fd >= 0);
	if (fd >= 0)
		close(fd);
	return r;
}

/* The message about the first `length` bytes of the copy; "" for a good file. */
static const char *verdict(size_t length)
{
	struct pack_file ignored;

	write_file(file, length);
	open_path(changed_path, &ignored);
	return error.message;
}

/* The message has the phrase, and the status is the one for refusals. */
#define REFUSED(phrase)                                                                            \
	do {                                                                                       \
		const char *refused_ = verdict(size);                                              \
		CU_ASSERT_EQUAL(error.status, STATUS_INPUT_INVALID);                               \
		if (!strstr(refused_, phrase))                                                     \
			UNIT_TEXT(refused_, phrase);                                               \
		fresh();                                                                           \
	} while (0)

/* ---- Good files --------------------------------------------------------------------------- */

static void test_good_file(void)
{
	struct pack_file found = { 0 };
	struct stat status;

	write_file(good, size);
	CU_ASSERT_EQUAL(open_path(changed_path, &found), STATUS_OK);
	CU_ASSERT_EQUAL(stat(changed_path, &status), 0);
	CU_ASSERT_EQUAL(found.device, status.st_dev);
	CU_ASSERT_EQUAL(found.inode, status.st_ino);
	CU_ASSERT_EQUAL(found.size, (off_t)size);
	CU_ASSERT_EQUAL(found.modified.tv_nsec, status.st_mtim.tv_nsec);
	CU_ASSERT_EQUAL(found.abi_major, 1);
	CU_ASSERT_EQUAL(found.abi_minor, 0);
	CU_ASSERT_EQUAL(found.pack_size, 88);
	CU_ASSERT_EQUAL(found.symbol_size, 88);
	CU_ASSERT(found.bind_now);
}

static void test_lazy_binding_is_seen(void)
{
	struct pack_file found;
	Elf64_Dyn *flags = dynamic(DT_FLAGS), *flags_1 = dynamic(DT_FLAGS_1);

	if (flags)
		flags->d_un.d_val &= ~(uint64_t)DF_BIND_NOW;
	if (flags_1)
		flags_1->d_un.d_val &= ~(uint64_t)DF_1_NOW;
	write_file(file, size);
	CU_ASSERT_EQUAL(open_path(changed_path, &found), STATUS_OK);
	CU_ASSERT(!found.bind_now);
	fresh();
}

/* A hash table of System V for the symbols of hello.so, with one bucket, in place of that of the
 * GNU tools. */
static void test_other_hash_table(void)
{
	Elf64_Dyn *hash = dynamic(DT_GNU_HASH);
	uint32_t *table = (uint32_t *)loaded(hash->d_un.d_ptr);
	uint32_t index = (uint32_t)(symbol() - (Elf64_Sym *)loaded(dynamic(DT_SYMTAB)->d_un.d_ptr));
	struct pack_file found;

	/* Nothing else is exported, so the table has room for that many words: 2, 1 bucket, and the
	 * chain. */
	hash->d_tag = DT_HASH;
	table[0] = 1;
	table[1] = index + 1;
	table[2] = index;
	CU_ASSERT_FATAL(index >= 1);
	memset(&table[3 + index], 0, sizeof(*table));
	write_file(file, size);
	CU_ASSERT_EQUAL(open_path(changed_path, &found), STATUS_OK);
	CU_ASSERT_EQUAL(found.pack_size, 88);

	/* A chain that goes in a circle ends all the same. */
	symbol()->st_shndx = SHN_UNDEF;
	table[3 + index] = index;
	REFUSED("its symbol table lies outside of it");
}

static void test_symbolic_link(void)
{
	char link[80];
	struct pack_file found;

	snprintf(link, sizeof(link), "%s/link.so", folder);
	write_file(good, size);
	CU_ASSERT_EQUAL(symlink(changed_path, link), 0);
	CU_ASSERT_EQUAL(open_path(link, &found), STATUS_OK);
	unlink(link);
}

/* ---- Bad files ---------------------------------------------------------------------------- */

static void test_no_pack_file(void)
{
	struct pack_file ignored;

	CU_ASSERT_EQUAL(open_path("/no/such.so", &ignored), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "No such file"));
	CU_ASSERT_EQUAL(open_path("/dev/null", &ignored), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no regular file"));
	CU_ASSERT_EQUAL(open_path(folder, &ignored), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no regular file"));
	/* Opening a pipe waits for nobody. */
	unlink(changed_path);
	CU_ASSERT_EQUAL(mkfifo(changed_path, 0600), 0);
	CU_ASSERT_EQUAL(open_path(changed_path, &ignored), STATUS_INPUT_INVALID);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no regular file"));
	unlink(changed_path);
}

static void test_no_elf(void)
{
	write_file("", 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(0), "The file is no ELF file"));
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(3), "The file is no ELF file"));
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict(20), "its header is not complete"));
	file[0] = '#';
	REFUSED("The file is no ELF file: a pack is a shared object, linked with cc -shared.");
}

static void test_wrong_machine(void)
{
	header()->e_machine = EM_S390;
	REFUSED("The file is built for IBM S/390, and this host runs on ");
	header()->e_machine = __builtin_bswap16(EM_S390);
	header()->e_ident[EI_DATA] = ELFDATA2MSB;
	REFUSED("The file is built for IBM S/390, and this host runs on ");
	header()->e_machine = 60000;
	REFUSED("The file is built for ELF machine 60000, and");
	header()->e_ident[EI_CLASS] = ELFCLASS32;
	REFUSED("no 64-bit little-endian ELF file");
}

static void test_wrong_type(void)
{
	header()->e_type = ET_REL;
	REFUSED("The file is an object file that was not linked yet");
	header()->e_type = ET_EXEC;
	REFUSED("The file is a program");
	header()->e_type = ET_CORE;
	REFUSED("The file is a core dump");
	header()->e_type = 77;
	REFUSED("The file is no shared object");
	dynamic(DT_FLAGS_1)->d_un.d_val |= DF_1_PIE;
	REFUSED("The file is a program");
}

static void test_damaged_headers(void)
{
	header()->e_phnum = 0;
	REFUSED("its program headers make no sense");
	header()->e_phnum = 5000;
	REFUSED("its program headers make no sense");
	header()->e_phentsize = 8;
	REFUSED("its program headers make no sense");
	header()->e_phoff = size;
	REFUSED("its program headers lie outside of it");
	header()->e_phoff = UINT64_MAX - 10;
	REFUSED("its program headers lie outside of it");
	segment(PT_DYNAMIC)->p_type = PT_NULL;
	REFUSED("The file has no dynamic section");
	segment(PT_DYNAMIC)->p_vaddr = UINT64_MAX - 8;
	REFUSED("its dynamic section lies outside of it");
	segment(PT_LOAD)->p_offset = UINT64_MAX;
	REFUSED("damaged");
}

static void test_damaged_dynamic_section(void)
{
	dynamic(DT_SYMTAB)->d_tag = DT_RPATH;
	REFUSED("names no symbol table");
	dynamic(DT_STRTAB)->d_tag = DT_RPATH;
	REFUSED("names no symbol table");
	dynamic(DT_GNU_HASH)->d_tag = DT_RPATH;
	REFUSED("names no symbol table");
	dynamic(DT_GNU_HASH)->d_un.d_ptr = NOWHERE;
	REFUSED("its symbol table lies outside of it");
	dynamic(DT_SYMTAB)->d_un.d_ptr = NOWHERE;
	REFUSED("its symbol table lies outside of it");
	dynamic(DT_STRTAB)->d_un.d_ptr = NOWHERE;
	REFUSED("its symbol table lies outside of it");
	dynamic(DT_STRSZ)->d_un.d_val = 4;
	REFUSED("does not export toolhost_pack_v1");
	dynamic(DT_FLAGS_1)->d_tag = DT_TEXTREL;
	REFUSED("not position-independent");
}

static void test_damaged_hash_table(void)
{
	uint32_t *table = (uint32_t *)loaded(dynamic(DT_GNU_HASH)->d_un.d_ptr);

	table[0] = 0; /* buckets */
	REFUSED("its symbol table lies outside of it");
	table[1] = 0xFFFFFFFF; /* the first symbol */
	REFUSED("its symbol table lies outside of it");
	table[2] = 0xFFFFFFFF; /* words of the filter */
	REFUSED("its symbol table lies outside of it");
}

static void test_wrong_symbol(void)
{
	symbol()->st_shndx = SHN_UNDEF;
	REFUSED("The file itself does not export toolhost_pack_v1: a pack ends with TH_PACK(...)");
	symbol()->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	REFUSED("toolhost_pack_v1 is no data in this file");
	symbol()->st_value = UINT64_MAX - 4;
	REFUSED("toolhost_pack_v1 has no content in this file");
}

static void test_wrong_descriptor(void)
{
	descriptor()->abi_major = 2;
	REFUSED("The pack is made for major version 2 of the plugin ABI, and this host reads "
		"version 1: ");
	descriptor()->abi_major = 0;
	REFUSED("or get a newer pack.");
	descriptor()->struct_size = 87;
	REFUSED("claims 87 bytes, fewer than the 88 of the first version");
	descriptor()->struct_size = 89;
	REFUSED("claims 89 bytes, more than the 88 of its symbol");
	symbol()->st_size = 80;
	REFUSED("claims 88 bytes, more than the 80 of its symbol");
}

/* ---- Any file ----------------------------------------------------------------------------- */

static uint64_t state = 1;

static uint64_t draw(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

/* Whatever the bytes are, there is an answer, and it is one of the two. */
static void test_cut_anywhere(void)
{
	for (size_t length = 0; length < size; length += 1 + draw(97)) {
		const char *message = verdict(length);

		CU_ASSERT(error.status == STATUS_OK || *message);
		CU_ASSERT(error.status == STATUS_OK || error.status == STATUS_INPUT_INVALID);
	}
}

static void test_changed_anywhere(void)
{
	size_t interesting = 0x1000 < size ? 0x1000 : size;

	for (int i = 0; i < 3000; i++) {
		for (uint64_t changes = 1 + draw(4); changes; changes--) {
			/* Headers and tables stand at the start, the dynamic section near the end.
			 */
			size_t at = draw(3) ? draw(interesting) : draw(size);

			file[at] = draw(4) ? (unsigned char)draw(256)
					   : (unsigned char)(draw(2) * 255);
		}
		verdict(size);
		CU_ASSERT(error.status == STATUS_OK || error.status == STATUS_INPUT_INVALID);
		fresh();
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(test_good_file),	    UNIT_TEST(test_lazy_binding_is_seen),
	UNIT_TEST(test_other_hash_table),   UNIT_TEST(test_symbolic_link),
	UNIT_TEST(test_no_pack_file),	    UNIT_TEST(test_no_elf),
	UNIT_TEST(test_wrong_machine),	    UNIT_TEST(test_wrong_type),
	UNIT_TEST(test_damaged_headers),    UNIT_TEST(test_damaged_dynamic_section),
	UNIT_TEST(test_damaged_hash_table), UNIT_TEST(test_wrong_symbol),
	UNIT_TEST(test_wrong_descriptor),   UNIT_TEST(test_cut_anywhere),
	UNIT_TEST(test_changed_anywhere),
};

static int read_good(void)
{
	const char *build = getenv("TOP_BUILDDIR");
	char path[4096];
	struct stat status;
	int fd;

	snprintf(path, sizeof(path), "%s/plugins/hello/.libs/hello.so", build ? build : ".");
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &status)) {
		perror(path);
		return -1;
	}
	size = (size_t)status.st_size;
	good = malloc(size);
	file = malloc(size);
	if (!good || !file || read(fd, good, size) != (ssize_t)size)
		return -1;
	close(fd);
	fresh();
	return 0;
}

int main(void)
{
	int r;

	if (read_good() || !mkdtemp(folder))
		return EXIT_FAILURE;
	snprintf(changed_path, sizeof(changed_path), "%s/changed.so", folder);
	r = unit_run("pack-elf", tests, sizeof(tests) / sizeof(tests[0]));
	error_clear(&error);
	unlink(changed_path);
	rmdir(folder);
	free(good);
	free(file);
	return r;
}
