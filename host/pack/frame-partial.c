/* SPDX-License-Identifier: MIT
 *
 * Content blocks cross as what the tool gave, and are printed by the host: a worker that lies can give none that is
 * no block.
 */
#include "config.h"

#include "pack/content.h"
#include "pack/frame.h"

#include <string.h>

#define TEXTS 4

int frame_send_partial(int fd, const unsigned char token[FRAME_TOKEN], const th_content *content,
		       int64_t deadline_ns)
{
	static const th_content none = { 0 };
	const th_content *c = content ? content : &none;
	const th_text texts[TEXTS] = { c->data, c->mime_type, c->uri, c->name };
	struct frame_partial head = { .kind = c->kind, .binary = c->binary };
	struct iovec parts[TEXTS + 1] = { { &head, sizeof(head) } };

	for (int i = 0; i < TEXTS; i++) {
		head.lengths[i] = texts[i].data ? texts[i].length : UINT64_MAX;
		if (texts[i].data)
			parts[i + 1] =
				(struct iovec){ (char *)(uintptr_t)texts[i].data, texts[i].length };
	}
	return frame_send(fd, FRAME_PARTIAL, token, parts, TEXTS + 1, deadline_ns);
}

bool frame_read_partial(const char *payload, size_t length, th_content *ret_content)
{
	th_content found = { .struct_size = sizeof(found) };
	th_text *const texts[TEXTS] = { &found.data, &found.mime_type, &found.uri, &found.name };
	struct frame_partial head;

	memset(ret_content, 0, sizeof(*ret_content));
	if (length < sizeof(head))
		return false;
	memcpy(&head, payload, sizeof(head));
	payload += sizeof(head);
	length -= sizeof(head);
	for (int i = 0; i < TEXTS; i++) {
		if (head.lengths[i] == UINT64_MAX)
			continue;
		if (head.lengths[i] > length)
			return false;
		*texts[i] = (th_text){ payload, head.lengths[i] };
		payload += head.lengths[i];
		length -= head.lengths[i];
	}
	if (length)
		return false;
	found.kind = head.kind;
	found.binary = head.binary;
	return !head.kind || !content_check(&found, ret_content);
}
