/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "base/text.h"

#include "unit.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static int kept_stderr, reading_end;
static char text[1 << 20];

/* Puts a pipe in the place of stderr. */
static void capture(void)
{
	int ends[2];

	fflush(stderr);
	kept_stderr = dup(STDERR_FILENO);
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	reading_end = ends[0];
	fcntl(reading_end, F_SETFL, O_NONBLOCK);
}

/* What was written since, in `text`. */
static const char *captured(void)
{
	size_t length = 0;
	ssize_t n;

	while ((n = read(reading_end, text + length, sizeof(text) - 1 - length)) > 0)
		length += (size_t)n;
	text[length] = '\0';
	return text;
}

static void release(void)
{
	dup2(kept_stderr, STDERR_FILENO);
	close(kept_stderr);
	close(reading_end);
}

static void lines_have_name_level_and_text(void)
{
	capture();
	log_set_level(LOG_LEVEL_DEBUG);
	log_error("one %d", 1);
	log_warning("two");
	log_info("three");
	log_debug("four");
	UNIT_TEXT(captured(),
		  "toolhost: error: one 1\ntoolhost: warning: two\ntoolhost: info: three\n"
		  "toolhost: debug: four\n");
	log_set_name("other");
	log_error("x");
	UNIT_TEXT(captured(), "other: error: x\n");
	log_set_name("toolhost");
	release();
}

static void lower_levels_are_left_out(void)
{
	capture();
	log_set_level(LOG_LEVEL_WARNING);
	CU_ASSERT_EQUAL(log_get_level(), LOG_LEVEL_WARNING);
	log_info("no");
	log_pack(LOG_LEVEL_DEBUG, "p", "no", 2);
	log_warning("yes");
	UNIT_TEXT(captured(), "toolhost: warning: yes\n");
	release();
}

static void an_event_is_one_line(void)
{
	capture();
	log_error("a\nb\tc\r\x1B[2Jd\x7F");
	UNIT_TEXT(captured(), "toolhost: error: a\\nb\\tc\\x0d\\x1b[2Jd\\x7f\n");
	/* U+009B begins a control sequence as well, U+00E9 does not; FF is no character. */
	log_error("\xC2\x9B \xC3\xA9 \xFF");
	UNIT_TEXT(captured(), "toolhost: error: \\x9b \xC3\xA9 \xEF\xBF\xBD\n");
	release();
}

static void long_lines_are_cut(void)
{
	char longer[3000];

	capture();
	for (size_t before = 0; before < 8; before++) {
		size_t length;

		memset(longer, 'x', before);
		longer[before] = '\0';
		while (strlen(longer) < 2900)
			strcat(longer, "\xE2\x82\xAC");
		log_error("%s", longer);
		captured();
		length = strlen(text);
		CU_ASSERT(length <= 2000 && length > 1990);
		CU_ASSERT(text_is_utf8(text, length));
		UNIT_TEXT(text + length - 4, "...\n");
	}
	release();
}

static void a_full_pipe_never_blocks(void)
{
	const char *line;
	int lines = 0;

	capture();
	for (int i = 0; i < 5000; i++)
		log_error("%0*d", 100, i);
	for (line = captured(); (line = strchr(line, '\n')); line++)
		lines++;
	CU_ASSERT(lines > 100 && lines < 5000);
	log_error("after");
	snprintf(text, sizeof(text),
		 "toolhost: warning: lines of the log that were lost here: %d\ntoolhost: error: "
		 "after\n",
		 5000 - lines);
	line = strdup(text);
	UNIT_TEXT(captured(), line);
	free((void *)line);
	log_error("again");
	UNIT_TEXT(captured(), "toolhost: error: again\n");
	release();
}

/* A reader that has gone costs lines, and no signal. */
static void nobody_reads(void)
{
	capture();
	close(reading_end);
	reading_end = -1;
	log_error("to nobody");
	release();
	capture();
	log_error("back");
	UNIT_TEXT(captured(), "toolhost: warning: lines of the log that were lost here: "
			      "1\ntoolhost: error: back\n");
	release();
}

static char received[200];

static void receive(void *context, enum log_level level, const char *line, size_t length)
{
	snprintf(received, sizeof(received), "%s %d %.*s", (const char *)context, level,
		 (int)length, line);
}

static void a_receiver_gets_a_copy(void)
{
	capture();
	log_set_receiver(receive, "context");
	log_error("text\n");
	UNIT_TEXT(received, "context 0 text\\n");
	log_pack(LOG_LEVEL_WARNING, "hello", "from a pack", 11);
	UNIT_TEXT(received, "context 1 pack hello: from a pack");
	log_set_receiver(NULL, NULL);
	log_error("not received");
	UNIT_TEXT(received, "context 1 pack hello: from a pack");
	UNIT_TEXT(captured(),
		  "toolhost: error: text\\n\ntoolhost: warning: pack hello: from a pack\n"
		  "toolhost: error: not received\n");
	release();
}

/* Starts just behind the beginning of a second, so that what follows falls into one. */
static void wait_for_a_second(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now.tv_sec++;
	now.tv_nsec = 0;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL);
}

static void packs_are_held_to_a_rate(void)
{
	char line[1024];
	size_t count = 0;

	memset(line, 'x', sizeof(line));
	capture();
	wait_for_a_second();
	for (int i = 0; i < 100; i++) {
		log_pack(LOG_LEVEL_ERROR, "loud", line, sizeof(line));
		count += strlen(captured()) > 0;
	}
	CU_ASSERT_EQUAL(count, 64);
	/* Another pack is not affected. */
	log_pack(LOG_LEVEL_ERROR, "quiet", "x", 1);
	UNIT_TEXT(captured(), "toolhost: error: pack quiet: x\n");
	wait_for_a_second();
	log_pack(LOG_LEVEL_ERROR, "loud", "y", 1);
	UNIT_TEXT(captured(),
		  "toolhost: error: pack loud: 36864 bytes left out: more than 64 KiB in a second\n"
		  "toolhost: error: pack loud: y\n");
	release();
}

static const struct unit_test tests[] = {
	UNIT_TEST(lines_have_name_level_and_text), UNIT_TEST(lower_levels_are_left_out),
	UNIT_TEST(an_event_is_one_line),	   UNIT_TEST(long_lines_are_cut),
	UNIT_TEST(a_full_pipe_never_blocks),	   UNIT_TEST(nobody_reads),
	UNIT_TEST(a_receiver_gets_a_copy),	   UNIT_TEST(packs_are_held_to_a_rate),
};

UNIT_MAIN("log", tests)
