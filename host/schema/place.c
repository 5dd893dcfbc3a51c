/* SPDX-License-Identifier: MIT */
#include "schema/place.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct pointer {
	char *text;
	size_t length;
	size_t room; /* bytes for text and its NUL */
	bool cut;
};

static void add(struct pointer *p, const char *bytes, size_t length)
{
	size_t fits;

	if (p->cut)
		return;
	fits = text_head(bytes, length, p->room - 1 - p->length);
	memcpy(p->text + p->length, bytes, fits);
	p->length += fits;
	p->cut = fits < length;
}

static void add_key(struct pointer *p, const char *key)
{
	while (*key) {
		size_t plain = strcspn(key, "~/");

		add(p, key, plain);
		key += plain;
		if (*key)
			add(p, *key++ == '~' ? "~0" : "~1", 2);
	}
}

static void add_place(struct pointer *p, const struct place *place)
{
	char index[32];

	if (!place->parent)
		return;
	add_place(p, place->parent);
	add(p, "/", 1);
	if (place->key) {
		add_key(p, place->key);
	} else {
		snprintf(index, sizeof(index), "%zu", place->index);
		add(p, index, strlen(index));
	}
}

void place_print(const struct place *place, char *ret_pointer, size_t size)
{
	struct pointer p = { .text = ret_pointer, .room = size - strlen("...") };

	add_place(&p, place);
	if (p.cut) {
		memcpy(p.text + p.length, "...", 3);
		p.length += 3;
	}
	p.text[p.length] = '\0';
}
