/* SPDX-License-Identifier: MIT
 *
 * A worker for the tests of scan and registry: "scan FILE" does what the file's text says, line by
 * line.
 *
 *	say TEXT	writes a line to stderr
 *	exit N		ends, with that status
 *	crash N		dies of that signal
 *	sleep		never answers
 *	flood N		writes N MiB to the channel
 *	touch FILE	changes the file's time, unless FILE is there already; makes FILE
 *	count FILE	appends a byte to a file: how often it was scanned
 *	raw TEXT	writes the text to the channel
 *	pack TOOLS	answers with a manifest whose tools have these names
 *	needs JSON	of all the tools of the answer that follows
 *	recipes KEYS	of the answer that follows
 *	prompts NAMES	likewise
 *	report		writes to the channel what the process has been given
 *	echo		answers each byte on the channel with itself, until it ends
 */
#include <config.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHANNEL 3

extern char **environ;

static char recipes[1024], prompts[1024], needs[1024];

static void list(const char *key, const char *member, char *names, const char *more)
{
	const char *mark = "";

	dprintf(CHANNEL, ",\"%s\":[", key);
	for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
		dprintf(CHANNEL, "%s{\"%s\":\"%s\"%s}", mark, member, name, more);
		mark = ",";
	}
	dprintf(CHANNEL, "]");
}

static void pack(const char *path, char *tools)
{
	char more[2048];
	struct stat st;

	if (stat(path, &st))
		_exit(9);
	dprintf(CHANNEL,
		"{\"manifest\":{\"format\":1,\"abi\":{\"major\":1,\"minor\":0},\"file\":{"
		"\"device\":%llu,"
		"\"inode\":%llu,\"size\":%llu,\"modified_ns\":%lld,\"bind_now\":true},"
		"\"starts_threads\":false,\"about\":{\"version\":\"1.2.3\",\"summary\":\"A "
		"test.\"},"
		"\"warnings\":[\"a warning\"]",
		(unsigned long long)st.st_dev, (unsigned long long)st.st_ino,
		(unsigned long long)st.st_size,
		(long long)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
	snprintf(more, sizeof(more), "%s%s%s", *needs ? ",\"needs\":" : "", needs,
		 ",\"title\":\"A tool\",\"description\":\"Does it.\",\"category\":\"tests\","
		 "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"seed\":{\"type\":"
		 "\"integer\"}}"
		 ","
		 "\"additionalProperties\":false},"
		 "\"annotations\":{\"readOnlyHint\":true},"
		 "\"rng\":{\"uses_rng\":true,\"seed_param\":\"seed\",\"default_seed\":42},"
		 "\"cacheable\":true,"
		 "\"threads\":\"parallel\",\"isolation\":\"isolated\",\"timeout\":5,\"memory_mb\":"
		 "256");
	list("tools", "name", tools, more);
	list("recipes", "key", recipes, ",\"title\":\"A recipe\"");
	list("prompts", "name", prompts, "");
	dprintf(CHANNEL, "}}\n");
}

static void flood(size_t mebibytes)
{
	static char block[1 << 20];

	memset(block, ' ', sizeof(block));
	for (size_t i = 0; i < mebibytes; i++)
		for (size_t done = 0; done < sizeof(block);) {
			ssize_t written = write(CHANNEL, block + done, sizeof(block) - done);

			if (written <= 0)
				_exit(8);
			done += (size_t)written;
		}
}

static void report(void)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *entry;
	char target[4096];
	sigset_t mask;

	while ((entry = readdir(folder))) {
		int fd = atoi(entry->d_name);
		ssize_t length =
			readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1);

		if (length < 0 || fd == dirfd(folder))
			continue;
		target[length] = '\0';
		dprintf(CHANNEL, "descriptor %d %s\n", fd, strchr(target, '[') ? "" : target);
	}
	closedir(folder);
	for (char **variable = environ; *variable; variable++)
		dprintf(CHANNEL, "variable %s\n", *variable);
	dprintf(CHANNEL, "folder %s\n", getcwd(target, sizeof(target)));
	dprintf(CHANNEL, "session %s\n", getsid(0) == getpid() ? "own" : "inherited");
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i < 32; i++) {
		struct sigaction action;

		if (sigismember(&mask, i) == 1)
			dprintf(CHANNEL, "blocked %d\n", i);
		if (!sigaction(i, NULL, &action) && action.sa_handler != SIG_DFL)
			dprintf(CHANNEL, "handled %d\n", i);
	}
}

static void echo(void)
{
	char byte;

	while (read(CHANNEL, &byte, 1) == 1)
		if (write(CHANNEL, &byte, 1) != 1)
			_exit(8);
}

static void crash(int number)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(number, SIG_DFL);
	kill(getpid(), number);
	for (;;)
		pause();
}

static void touch(const char *path, const char *marker)
{
	int fd = open(marker, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	if (*marker && fd < 0)
		return;
	close(fd);
	utimensat(AT_FDCWD, path, NULL, 0);
}

static void run(const char *path, const char *word, char *rest)
{
	if (!strcmp(word, "say"))
		dprintf(STDERR_FILENO, "%s\n", rest);
	else if (!strcmp(word, "exit"))
		_exit(atoi(rest));
	else if (!strcmp(word, "crash"))
		crash(atoi(rest));
	else if (!strcmp(word, "flood"))
		flood((size_t)atoi(rest));
	else if (!strcmp(word, "raw"))
		dprintf(CHANNEL, "%s", rest);
	else if (!strcmp(word, "pack"))
		pack(path, rest);
	else if (!strcmp(word, "needs"))
		snprintf(needs, sizeof(needs), "%s", rest);
	else if (!strcmp(word, "recipes"))
		snprintf(recipes, sizeof(recipes), "%s", rest);
	else if (!strcmp(word, "prompts"))
		snprintf(prompts, sizeof(prompts), "%s", rest);
	else if (!strcmp(word, "report"))
		report();
	else if (!strcmp(word, "echo"))
		echo();
	else if (!strcmp(word, "touch"))
		touch(path, rest);
	else
		for (;;)
			pause();
}

static void count(const char *path)
{
	FILE *file = fopen(path, "a");

	if (file) {
		fputc('.', file);
		fclose(file);
	}
}

int main(int argc, char **argv)
{
	static char line[1 << 16];
	FILE *file;

	if (argc != 3 || strcmp(argv[1], "scan"))
		return 7;
	file = fopen(argv[2], "re");
	if (!file)
		return 6;
	while (fgets(line, sizeof(line), file)) {
		char *rest;

		line[strcspn(line, "\n")] = '\0';
		rest = strchr(line, ' ');
		if (rest)
			*rest++ = '\0';
		if (!strcmp(line, "count"))
			count(rest);
		else
			run(argv[2], line, rest ? rest : line + strlen(line));
	}
	_exit(0); /* as the real one does */
}
