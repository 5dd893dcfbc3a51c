/* SPDX-License-Identifier: MIT
 *
 * The program finds its parts from its own place, so the test puts a copy of itself into other
 * places and asks it.
 */
#include "base/paths.h"

#include "unit.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *shown(const char *path)
{
	return path ? path : "none";
}

/* What the copies do: one path a line. */
static int print_paths(void)
{
	struct paths paths;

	if (paths_find(&paths, NULL) != STATUS_OK)
		return EXIT_FAILURE;
	printf("program %s\nworker %s\npacks %s\nrecipes %s\nsystem %s\ncache %s\nstate %s\nuser "
	       "%s\ntree %d\n",
	       paths.program, paths.worker, paths.packs, paths.recipes, paths.config_system,
	       shown(paths.cache), shown(paths.state), shown(paths.config_user),
	       paths.in_build_tree);
	paths_free(&paths);
	return EXIT_SUCCESS;
}

static char root[] = "/tmp/toolhost-paths-XXXXXX";

static void make_folders(char *path)
{
	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

/* A copy of this program at root + `place`. */
static void copy_program(const char *place)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to;
	struct stat about;
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", root, place);
	make_folders(path);
	to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	CU_ASSERT_FATAL(from >= 0 && to >= 0 && fstat(from, &about) == 0);
	for (off_t done = 0; done < about.st_size;)
		CU_ASSERT_FATAL(sendfile(to, from, &done, (size_t)(about.st_size - done)) > 0);
	close(from);
	close(to);
}

/* What the copy at root + `place` prints, with `environment` and in the root folder. */
static void ask(const char *place, char *const environment[], char *ret_text, size_t size)
{
	char path[4096];
	int ends[2], status;
	size_t length = 0;
	ssize_t n;
	pid_t child;

	snprintf(path, sizeof(path), "%s%s", root, place);
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		if (chdir("/") == 0)
			execve(path, (char *[]){ "x", "--print", NULL }, environment);
		_exit(99);
	}
	close(ends[1]);
	while ((n = read(ends[0], ret_text + length, size - 1 - length)) > 0)
		length += (size_t)n;
	ret_text[length] = '\0';
	close(ends[0]);
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void check_line(const char *text, const char *name, const char *expected)
{
	char line[8192], found[8192] = "";
	const char *p;

	snprintf(line, sizeof(line), "%s ", name);
	p = strstr(text, line);
	if (p)
		snprintf(found, sizeof(found), "%.*s", (int)strcspn(p, "\n"), p);
	snprintf(line, sizeof(line), "%s %s", name, expected);
	UNIT_TEXT(found, line);
}

static void check_below_root(const char *text, const char *name, const char *below)
{
	char expected[8192];

	snprintf(expected, sizeof(expected), "%s%s", root, below);
	check_line(text, name, expected);
}

/* All that was installed under a prefix may be moved as one. */
static void a_moved_prefix_works(void)
{
	char *const none[] = { NULL };
	char text[16384];

	copy_program(BINDIR "/program");
	ask(BINDIR "/program", none, text, sizeof(text));
	check_below_root(text, "program", BINDIR "/program");
	check_below_root(text, "worker", LIBEXECDIR "/toolhost-worker");
	check_below_root(text, "packs", PACKDIR);
	check_below_root(text, "recipes", RECIPEDIR);
	check_below_root(text, "system", SYSCONFDIR "/toolhost/toolhost.conf");
	check_line(text, "tree", "0");
}

static void a_worker_beside_it_means_a_build_tree(void)
{
	char *const none[] = { NULL };
	char text[16384];

	copy_program("/build/program");
	copy_program("/build/toolhost-worker");
	ask("/build/program", none, text, sizeof(text));
	check_below_root(text, "worker", "/build/toolhost-worker");
	check_below_root(text, "packs", "/build/packs");
	check_below_root(text, "recipes", "/build/recipes");
	check_line(text, "system", SYSCONFDIR "/toolhost/toolhost.conf");
	check_line(text, "tree", "1");
}

static void user_places(void)
{
	char *const xdg[] = { "XDG_CACHE_HOME=/c//cache/", "XDG_STATE_HOME=/s",
			      "XDG_CONFIG_HOME=/x/.", "HOME=/wrong", NULL };
	char *const relative[] = { "XDG_CACHE_HOME=cache", "XDG_STATE_HOME=", "HOME=/wrong", NULL };
	struct passwd *user = getpwuid(getuid());
	char text[16384], expected[8192];

	copy_program("/build/program");
	ask("/build/program", xdg, text, sizeof(text));
	check_line(text, "cache", "/c/cache/toolhost");
	check_line(text, "state", "/s/toolhost");
	check_line(text, "user", "/x/toolhost/toolhost.conf");

	/* Relative ones count as unset, and HOME never counts: the password database does. */
	if (!user || user->pw_dir[0] != '/')
		return;
	ask("/build/program", relative, text, sizeof(text));
	snprintf(expected, sizeof(expected), "%s/.cache/toolhost", user->pw_dir);
	check_line(text, "cache", expected);
	snprintf(expected, sizeof(expected), "%s/.local/state/toolhost", user->pw_dir);
	check_line(text, "state", expected);
	snprintf(expected, sizeof(expected), "%s/.config/toolhost/toolhost.conf", user->pw_dir);
	check_line(text, "user", expected);
}

static const struct unit_test tests[] = {
	UNIT_TEST(a_moved_prefix_works),
	UNIT_TEST(a_worker_beside_it_means_a_build_tree),
	UNIT_TEST(user_places),
};

int main(int argc, char **argv)
{
	char command[64];
	int r;

	if (argc > 1 && !strcmp(argv[1], "--print"))
		return print_paths();
	if (!mkdtemp(root))
		return EXIT_FAILURE;
	r = unit_run("paths", tests, sizeof(tests) / sizeof(tests[0]));
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) == 0 ? r : EXIT_FAILURE;
}
