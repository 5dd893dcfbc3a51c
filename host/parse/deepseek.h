/* SPDX-License-Identifier: MIT
 *
 * The tokens of DeepSeek, which are spelled with U+FF5C and U+2581. Private to parse.
 */
#ifndef TOOLHOST_PARSE_DEEPSEEK_H
#define TOOLHOST_PARSE_DEEPSEEK_H

#include "parse/formats.h"

#define DEEPSEEK_TOKEN(words) "<\xEF\xBD\x9C" words "\xEF\xBD\x9C>"
#define DEEPSEEK_BLANK "\xE2\x96\x81"

#define DEEPSEEK_CALL_BEGIN DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "call" DEEPSEEK_BLANK "begin")
#define DEEPSEEK_CALL_END DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "call" DEEPSEEK_BLANK "end")
#define DEEPSEEK_SEPARATOR DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "sep")
#define DEEPSEEK_OUTPUTS_BEGIN                                                                     \
	DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "outputs" DEEPSEEK_BLANK "begin")
#define DEEPSEEK_OUTPUTS_END DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "outputs" DEEPSEEK_BLANK "end")
#define DEEPSEEK_OUTPUT_BEGIN DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "output" DEEPSEEK_BLANK "begin")
#define DEEPSEEK_OUTPUT_END DEEPSEEK_TOKEN("tool" DEEPSEEK_BLANK "output" DEEPSEEK_BLANK "end")

enum reading deepseek_call(struct parser *parser, const struct source *source,
			   struct finder *call_end, size_t *at);

#endif
