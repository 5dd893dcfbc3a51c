/* SPDX-License-Identifier: MIT
 *
 * A frame of partial output as a worker that lies would send it: it is refused, or becomes one JSON object on one line.
 */
#include <config.h>

#include "base/json.h"
#include "pack/content.h"
#include "pack/frame.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buffer text = BUFFER_INIT(SIZE_MAX);
	th_content content;
	json *value = NULL;

	if (!frame_read_partial((const char *)data, size, &content) || !content.kind)
		return 0;
	content_print(&text, &content);
	if (text.fault || memchr(text.data, '\n', text.length) ||
	    json_read(text.data, text.length, NULL, &value, NULL) ||
	    json_kind(value) != JSON_OBJECT || json_kind(json_get(value, "type")) != JSON_TEXT)
		abort();
	json_drop(value);
	buffer_free(&text);
	return 0;
}
