/* SPDX-License-Identifier: MIT
 *
 * Tools that answer in content blocks, and one whose words would steer a terminal.
 */
#include <toolhost/plugin.h>

static const th_param no_params[] = { TH_END };

static void put_block(th_call *call, uint32_t kind, const char *data, const char *mime_type, const char *uri)
{
	th_content content = { (uint32_t)sizeof(th_content), kind, 0, 0, { data, data ? strlen(data) : 0 },
			       { mime_type, mime_type ? strlen(mime_type) : 0 }, { uri, uri ? strlen(uri) : 0 },
			       TH_TEXT("a name") };

	th_put_content(call, &content);
}

static int32_t blocks_only(th_call *call, const void *input)
{
	(void)input;
	put_block(call, TH_CONTENT_TEXT, "first line\nsecond line", NULL, NULL);
	put_block(call, TH_CONTENT_IMAGE, "not really a picture", "image/png", NULL);
	put_block(call, TH_CONTENT_LINK, NULL, "text/plain", "file:///there");
	put_block(call, TH_CONTENT_RESOURCE, "inside", "text/plain", "memo:1");
	return TH_OK;
}

static int32_t blocks_both(th_call *call, const void *input)
{
	(void)input;
	put_block(call, TH_CONTENT_TEXT, "in words", NULL, NULL);
	return th_put_integer(call, "number", 7);
}

static int32_t blocks_none(th_call *call, const void *input)
{
	(void)call;
	(void)input;
	return TH_OK;
}

static int32_t blocks_steer(th_call *call, const void *input)
{
	(void)input;
	th_warn(call, "odd", "up \x1b[2J and away");
	return th_fail(call, "bell \a and \x1b]0;title\x07 and \xc2\x9b" "31m");
}

static const th_tool tools[] = {
	TH_TOOL(blocks_only, th_no_input, no_params, NULL, "Only", "Blocks and no result.", {}),
	TH_TOOL(blocks_both, th_no_input, no_params, NULL, "Both", "A block and a result.", {}),
	TH_TOOL(blocks_none, th_no_input, no_params, NULL, "None", "Neither.", {}),
	TH_TOOL(blocks_steer, th_no_input, no_params, NULL, "Steer", "Fails with control characters.", {}),
};

TH_PACK(tools, {"version": "1.0.0"})
