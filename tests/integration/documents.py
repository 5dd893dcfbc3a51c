# SPDX-License-Identifier: MIT
"""What the documents say is run as printed: README, the guide, the manual pages and every --help."""
import json
import os
import re
import shutil
import subprocess
import unittest

import mcp
import program

MAN = os.path.join(program.SOURCE, "man")
COMPILER = shutil.which("cc")


def read(*path):
    with open(os.path.join(program.SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def blocks(text):
    """The fenced blocks of a Markdown text: (language, content)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def pages():
    return sorted(name for name in os.listdir(MAN) if re.search(r"\.\d$", name))


def plain(name):
    """A manual page as text, as far as this test needs it: without requests and escapes."""
    text = read("man", name)
    return re.sub(r"\s+", " ", re.sub(r"^\.\w+ ?", "", text, flags=re.MULTILINE).replace("\\(dq", '"').replace("\\&", ""))


class Base(program.Case):
    """A checkout as a reader has it: the sources that documents name, and the build in build/."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.checkout = os.path.join(cls.home, "checkout")
        os.mkdir(cls.checkout)
        for name in ("plugin-api", "docs", "plugins", "man"):
            os.symlink(os.path.join(program.SOURCE, name), os.path.join(cls.checkout, name))
        os.symlink(program.BUILD, os.path.join(cls.checkout, "build"))
        cls.mypack = os.path.join(cls.home, "mypack")

    def shell(self, script, status=0):
        """Runs a script in the checkout; the folder that the guide makes in /tmp lies in this home."""
        env = self.environment(PATH="%s:%s" % (os.path.dirname(program.TOOLHOST), self.environment()["PATH"]))
        done = subprocess.run(["sh", "-e", "-c", script.replace("/tmp/mypack", self.mypack)], cwd=self.checkout,
                              env=env, capture_output=True, timeout=program.PATIENCE, check=False)
        out, err = done.stdout.decode().replace(self.mypack, "/tmp/mypack"), done.stderr.decode()
        self.assertEqual(status, done.returncode, "%s\n%s%s" % (script, out, err))
        return out


class Readme(Base):
    def setUp(self):
        self.text = read("README.md")

    def test_what_the_first_command_ends_with(self):
        (shown,) = [content for _, content in blocks(self.text) if content.startswith("bootstrap: 100")]
        said, ran, result = shown.split("\n", 2)
        script = read("bootstrap")
        self.assertIn(said[len("bootstrap: "):], script)
        self.assertIn(ran[len("bootstrap: "):], script)
        self.assertEqual(result, self.shell(ran[len("bootstrap: "):]))

    def test_the_entry_of_a_client(self):
        (entry,) = [json.loads(content) for language, content in blocks(self.text) if language == "json"]
        server = entry["mcpServers"]["toolhost"]
        self.assertTrue(server["command"].startswith("/") and server["command"].endswith("/build/toolhost"))
        with mcp.Server(self, command=[program.TOOLHOST, *server["args"]]) as client:
            client.initialize()
            self.assertIn("robust_summary_stats", client.tools())

    @unittest.skipUnless(COMPILER, "needs a C compiler by the name of cc")
    def test_every_command(self):
        (source,) = [content for language, content in blocks(self.text) if language == "c"]
        with open(os.path.join(self.checkout, "adder.c"), "w", encoding="utf-8") as file:
            file.write(source)
        ran = 0
        for language, content in blocks(self.text):
            if language == "sh" and "bootstrap" not in content:
                with self.subTest(content.splitlines()[0]):
                    self.shell(content)
                ran += 1
        self.assertGreaterEqual(ran, 2)

    def test_files_that_it_names(self):
        for name in re.findall(r"\]\(([^)]+)\)|`man (man/[\w.-]+)`", self.text):
            name = name[0] or name[1]
            with self.subTest(name):
                self.assertTrue(os.path.exists(os.path.join(program.SOURCE, name)), name)


class Guide(Base):
    @unittest.skipUnless(COMPILER, "needs a C compiler by the name of cc")
    def test_from_nothing_to_a_listed_tool(self):
        out, ran = "", 0
        for language, content in blocks(read("docs", "plugin-guide.md")):
            if language == "sh":
                refused = '{"value": [5, "1"]}' in content
                out = self.shell(content, 3 if refused else 0)
                ran += 1
            elif not language and "pack_dirs" not in content:
                self.assertTrue(out.endswith(content), "%r is not the end of %r" % (content, out))
        self.assertGreaterEqual(ran, 4)

    def test_files_that_it_names(self):
        for name in re.findall(r"\]\(\.\./([^)]+)\)", read("docs", "plugin-guide.md")):
            with self.subTest(name):
                self.assertTrue(os.path.exists(os.path.join(program.SOURCE, name)), name)


class Isolation(Base):
    """Every command of docs/isolation.md does what the page says of it."""

    def test_every_command(self):
        text, out = read("docs", "isolation.md"), ""
        for language, content in blocks(text):
            if language != "sh":
                continue
            if "doctor" in content and self.run_program("doctor").status:
                self.skipTest("this machine lacks a wall")
            if "tests/zoo" in content and not os.path.exists(os.path.join(program.ZOO, "segv.so")):
                self.skipTest("the zoo is not built")
            out += self.shell(content)
        self.assertEqual(2, out.count("status 4"))
        self.assertRegex(out, r'"read": false')
        self.assertRegex(out, r'"secret": null')

    def test_the_config_that_it_shows(self):
        lines = [content for language, content in blocks(read("docs", "isolation.md")) if not language]
        text = "".join(lines).replace('"/srv/data"', '"/usr"').replace('"/var/lib/fetch"', '"/tmp"')
        folder = self.folder("ok")
        for name in ("stranger", "fetch"):
            shutil.copy(os.path.join(folder, "ok.so"), os.path.join(folder, name + ".so"))
        result = self.run_program("list", "--no-default-packs", "--pack-dir", folder, "--config",
                                  self.write("isolation.conf", text))
        self.assertEqual(0, result.status, result)


class Manual(Base):
    def test_the_pages_are_sound(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for name in pages():
            with self.subTest(name):
                done = subprocess.run(["mandoc", "-T", "lint", os.path.join(MAN, name)], capture_output=True, text=True,
                                      check=False)
                # Whether a page that it refers to is installed is not the page's fault.
                faults = [line for line in done.stdout.splitlines() if "referenced manual not found" not in line]
                self.assertEqual([], faults)

    def test_every_setting_is_described(self):
        page = plain("toolhost.1")
        for name, setting in self.run_program("config", "--json").json["settings"].items():
            with self.subTest(name):
                summary = setting["summary"]
                described = "%s%s. Default %s" % (summary[0].upper(), summary[1:], setting["default"] or "none")
                self.assertTrue(re.search(r" %s\*? %s\b" % (re.escape(name), re.escape(described)), page), described)

    def test_every_command_and_option_is_described(self):
        page = plain("toolhost.1")
        top = self.run_program("--help").out
        commands = re.findall(r"^  (\w+) ", top.split("Commands:")[1].split("Examples:")[0], re.MULTILINE)
        self.assertGreaterEqual(len(commands), 7)
        for option in re.findall(r"^  --([\w-]+)", top, re.MULTILINE):
            self.assertTrue(re.search(r"-%s\b" % option, page), option)
        for command in commands:
            below = self.run_program(command, "--help").out
            words = [command]
            if "Commands:" in below:
                listed = below.split("Commands:")[1].split("\n\n")[0]
                words = ["%s %s" % (command, word) for word in re.findall(r"^  (\w+) ", listed, re.MULTILINE)]
            for word in words:
                with self.subTest(word):
                    self.assertTrue(re.search(r"\b%s\b" % word, page), word)

    def test_every_statistical_tool_has_its_method(self):
        page = read("man", "toolhost-statistics.7")
        told = {name for line in re.findall(r"^\.It Cm (.*)$", page, re.MULTILINE) for name in line.split(" , ")}
        tools = self.run_program("list", "--format", "json").json
        offered = {tool["name"] for tool in tools if tool["pack"] not in ("hello", "toolhost")}
        self.assertEqual(set(), offered - told)

    def test_the_recipe_of_its_page(self):
        recipe = re.search(r"^\.Bd -literal\n(\{.*?)^\.Ed", read("man", "toolhost-recipe.5"), re.MULTILINE | re.DOTALL).group(1)
        path = self.write("recipe.json", recipe)
        checked = self.run_program("recipe", "check", path)
        self.assertEqual((0, "recipes: 1, unavailable: 0, faults: 0, warnings: 0\n"), (checked.status, checked.out), checked)

    def test_examples_of_the_pages(self):
        ran = 0
        for name in pages():
            match = re.search(r"^\.Sh EXAMPLES\n(.*?)^\.Sh ", read("man", name), re.MULTILINE | re.DOTALL)
            if name.endswith((".3", ".5")):
                continue
            for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", match.group(1) if match else "",
                                    re.MULTILINE | re.DOTALL):
                with self.subTest(name):
                    self.shell(block.replace("\\(dq", '"').replace("\\e", "\\"))
                ran += 1
        self.assertGreaterEqual(ran, 1)

    @unittest.skipUnless(COMPILER, "needs a C compiler by the name of cc")
    def test_the_pack_of_the_plugin_page(self):
        page = read("man", "toolhost-plugin.3")
        source = re.search(r"^\.Bd -literal\n(#include.*?)^\.Ed", page, re.MULTILINE | re.DOTALL).group(1)
        commands = re.search(r"^\.Bd -literal -offset indent\n(toolhost pack check.*?)^\.Ed", page,
                             re.MULTILINE | re.DOTALL).group(1)
        with open(os.path.join(self.checkout, "scale.c"), "w", encoding="utf-8") as file:
            file.write(source.replace("\\(dq", '"').replace("\\e", "\\"))
        self.shell("cc -Iplugin-api -shared -fPIC -fvisibility=hidden -Wl,-z,now -o scale.so scale.c")
        self.assertTrue(self.shell(commands).endswith('{\n  "scaled": [10, 20, 30]\n}\n'), self.shell(commands))

    def test_every_name_of_the_header_is_described(self):
        page = read("man", "toolhost-plugin.3")
        for header in sorted(os.listdir(os.path.join(program.SOURCE, "plugin-api", "toolhost"))):
            text = read("plugin-api", "toolhost", header)
            names = set(re.findall(r"^#define (TH_[A-Z0-9_]*[A-Z0-9])(?=[ (])", text, re.MULTILINE))
            names |= set(re.findall(r"^(?:TH_INLINE_ )?[\w* ]+?\b(th_\w+)\(th_(?:call|table)", text, re.MULTILINE))
            names |= set(re.findall(r"^} (th_\w+);", text, re.MULTILINE))
            for name in sorted(names):
                # A family is described once: TH_KIND_, and TH_NUMBER with its _OR and _MAYBE.
                family = re.sub(r"_(OR|MAYBE|GAPS|RAGGED)$", "", name)
                stem = re.match(r"(TH_(KIND|LOG|COLUMN|CONTENT|ABI)_)", name)
                with self.subTest(name):
                    self.assertTrue(name in page or family in page or (stem and stem.group(1) in page), name)


class Help(Base):
    def test_examples_of_every_level(self):
        levels = [[]]
        ran = 0
        while levels:
            level = levels.pop()
            text = self.run_program(*level, "--help").out
            if "Commands:" in text:
                listed = text.split("Commands:")[1].split("\n\n")[0]
                levels += [[*level, word] for word in re.findall(r"^  (\w+) ", listed, re.MULTILINE)]
            for line in re.findall(r"^  ((?:\w+=\S+ |echo .*|printf .*)?toolhost .*)$", text, re.MULTILINE):
                # There is no bundle here to switch, and no record of a crash.
                status = 5 if re.search(r" bundle (en|dis)able ", line) else 2 if " replay " in line else 0
                with self.subTest(line):
                    self.shell(line + " </dev/null" * ("|" not in line), status)
                ran += 1
        self.assertGreaterEqual(ran, 15)


if __name__ == "__main__":
    program.main(__name__)
