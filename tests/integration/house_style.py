# SPDX-License-Identifier: MIT
"""The rules of the house that a search can hold: which files may do what, what depends on what, what a pack exports."""
import os
import re
import subprocess

import program

HOST = os.path.join(program.SOURCE, "host")

# The rooms from the bottom up; each may include its own headers and those of the rooms before it.
ROOMS = ["base", "parse", "schema", "pack", "registry", "execute", "pipeline", "mcp", "serve", "command"]


def sources(*folders, ends=(".c", ".h")):
    for folder in folders:
        for path, _, names in os.walk(os.path.join(program.SOURCE, folder)):
            for name in sorted(names):
                if name.endswith(ends):
                    yield os.path.relpath(os.path.join(path, name), program.SOURCE)


def code(path):
    """The text of a C file without comments and strings, which may mention anything."""
    with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
        text = file.read()
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"',
                  lambda match: '""' if match.group().startswith('"') else " ", text, flags=re.DOTALL)


class House(program.Case):
    def users(self, pattern, *folders):
        return {path for path in sources(*(folders or ["host"])) if re.search(pattern, code(path))}

    def test_one_file_parses_and_prints_json(self):
        self.assertEqual(set(), self.users(r"\bjson_tokener_|\bjson_object_to_json_string|\bjson_object_from_f"))
        users = self.users(r"\bjson_object_|include <json")
        self.assertTrue(all(path.startswith("host/base/json") for path in users), users)

    def test_one_file_loads_libraries(self):
        self.assertEqual({"host/pack/load.c"}, self.users(r"\b(lt_dlopen\w*|dlopen|dlmopen)\s*\("))
        self.assertEqual(set(), self.users(r"\bdlclose\s*\(|\blt_dlclose\s*\("))

    def test_one_file_a_program_starts_processes(self):
        started = self.users(r"\b(fork|vfork|clone3?|posix_spawnp?|uv_spawn|popen|system)\s*\(")
        self.assertLessEqual(started, {"host/base/spawn.c", "host/worker/launch.c"})
        # The host becomes a debugger that was asked for; the worker becomes itself once more, with the environment that
        # it loads packs under.
        self.assertLessEqual(self.users(r"\bexec(v|l)\w*\s*\("), {"host/base/spawn.c", "host/worker/worker.c"})

    def test_only_commands_and_transports_write_to_stdout(self):
        users = self.users(r"\b(printf|puts|putchar|vprintf)\s*\(|\bstdout\b|\bSTDOUT_FILENO\b")
        self.assertTrue(all(path.startswith(("host/command/", "host/serve/", "host/worker/")) or
                            path == "host/toolhost.c" for path in users), users)

    def test_nothing_sets_a_locale(self):
        self.assertEqual(set(), self.users(r"\bsetlocale\s*\(", "host", "plugins"))

    def test_packs_include_nothing_of_the_host(self):
        for path in sources("plugins", "plugin-api"):
            with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
                for room in re.findall(r'#include [<"](\w+)/', file.read()):
                    self.assertNotIn(room, ROOMS, path)

    def test_rooms_include_only_what_lies_below(self):
        for path in sources("host"):
            parts = path.split(os.sep)
            if len(parts) < 3 or parts[1] not in ROOMS:
                continue
            allowed = ROOMS[:ROOMS.index(parts[1]) + 1]
            with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
                for room in re.findall(r'#include "(\w+)/', file.read()):
                    if room in ROOMS:
                        self.assertIn(room, allowed, path)

    def test_every_file_names_its_license(self):
        for path in sources("host", "plugins", "plugin-api", "tests", ends=(".c", ".h", ".cc", ".py")):
            with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
                self.assertIn("SPDX-License-Identifier:", file.read(200), path)

    def test_no_file_is_two_jobs(self):
        for path in sources("host", "plugins", "plugin-api", ends=(".c",)):
            with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
                self.assertLessEqual(len(file.readlines()), 800, path)

    def test_nothing_is_left_to_do(self):
        for path in sources("host", "plugins", "plugin-api", "tests", ends=(".c", ".h")):
            with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
                self.assertNotRegex(file.read(), r"\b(TODO|FIXME|XXX)\b", path)


class Packs(program.Case):
    def symbols(self, path, *options):
        done = subprocess.run(["nm", "-D", *options, path], capture_output=True, text=True, check=True)
        return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()
                if not re.match(r"^\S* +[wWVv] ", line)}

    def test_a_shipped_pack_exports_one_symbol(self):
        names = sorted(os.listdir(program.PACKS))
        self.assertTrue(names)
        for name in names:
            with self.subTest(name):
                exported = self.symbols(os.path.join(program.PACKS, name), "--defined-only")
                self.assertEqual({"toolhost_pack_v1"}, {symbol for symbol in exported if not symbol.startswith("__")})

    def test_a_shipped_pack_needs_no_symbol_of_the_host(self):
        host = self.symbols(program.TOOLHOST, "--defined-only")
        for name in sorted(os.listdir(program.PACKS)):
            with self.subTest(name):
                needed = self.symbols(os.path.join(program.PACKS, name), "--undefined-only")
                self.assertEqual(set(), {symbol for symbol in needed if symbol.startswith(("th_", "toolhost_"))})
                if not program.sanitized():
                    self.assertEqual(set(), needed & host)

    def test_the_program_does_not_link_numerics(self):
        for file in (program.TOOLHOST, program.WORKER):
            done = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True)
            self.assertNotRegex(done.stdout, r"NEEDED +lib(gsl|lapack|openblas)")


class Header(program.Case):
    """plugin.h alone, in every language a pack may be written in, with every warning on."""

    def test_each_minor_version_is_kept(self):
        def read(*path):
            with open(os.path.join(program.SOURCE, *path), encoding="utf-8") as file:
                return file.read()

        header = read("plugin-api", "toolhost", "plugin.h")
        major, minor = (int(re.search(r"#define TH_ABI_%s (\d+)" % name, header).group(1)) for name in ("MAJOR", "MINOR"))
        for old in range(minor):
            self.assertTrue(read("tests", "old", "abi-%d.%d" % (major, old), "toolhost", "plugin.h"))
        kept = read("tests", "old", "abi-%d.%d" % (major, minor), "toolhost", "plugin.h")
        self.assertTrue(header == kept, "plugin.h differs from tests/old/abi-%d.%d: see the README there" % (major, minor))

    def test_it_compiles_alone(self):
        header = "#include <toolhost/plugin.h>\n"
        warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only",
                    "-I" + os.path.join(program.SOURCE, "plugin-api")]
        for compiler, language, standards in (("gcc", "c", ["c99", "c11", "c17"]), ("clang", "c", ["c99", "c11", "c17"]),
                                              ("g++", "c++", ["c++11", "c++17", "c++20"]),
                                              ("clang++", "c++", ["c++11", "c++17", "c++20"])):
            for standard in standards:
                with self.subTest(compiler=compiler, standard=standard):
                    try:
                        done = subprocess.run([compiler, "-x", language, "-std=" + standard, *warnings, "-"],
                                              input=header, capture_output=True, text=True, check=False)
                    except FileNotFoundError:
                        self.skipTest("%s is not installed" % compiler)
                    self.assertEqual((0, ""), (done.returncode, done.stderr))


if __name__ == "__main__":
    program.main(__name__)
