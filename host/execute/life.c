/* SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "execute/life.h"

#include "pack/launch.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct life {
	_Atomic unsigned holders;
	const struct launch_life *page;
};

/* Nobody can take it away again, whoever has sent it: to read there would end the host. */
static bool stays(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	return seals >= 0 && seals & F_SEAL_SHRINK && !fstat(fd, &st) &&
	       st.st_size >= (off_t)sizeof(struct launch_life);
}

struct life *life_open(int fd)
{
	struct life *life;
	void *page;

	if (!stays(fd))
		return NULL;
	page = mmap(NULL, sizeof(struct launch_life), PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return NULL;
	life = malloc(sizeof(*life));
	if (!life) {
		munmap(page, sizeof(struct launch_life));
		return NULL;
	}
	life->holders = 1;
	life->page = page;
	return life;
}

struct life *life_hold(struct life *life)
{
	if (life)
		atomic_fetch_add_explicit(&life->holders, 1, memory_order_relaxed);
	return life;
}

void life_release(struct life *life)
{
	if (!life || atomic_fetch_sub(&life->holders, 1) != 1)
		return;
	munmap((void *)(uintptr_t)life->page, sizeof(*life->page));
	free(life);
}

bool life_lasts(const struct life *life)
{
	return life && !(atomic_load(&life->page->owner) & FUTEX_OWNER_DIED);
}
