# SPDX-License-Identifier: MIT
"""What an operator does: start it from anywhere, switch tools, packs and bundles on and off, write a config."""
import os
import time

import mcp
import program


class Base(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab()

    def names(self, *options, env=None):
        """The tools that a client sees."""
        with mcp.Server(self, *self.options, *options, env=env) as server:
            server.initialize()
            return list(server.tools())


class Start(Base):
    def test_from_anywhere_with_next_to_nothing(self):
        with mcp.Server(self, command=["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", program.TOOLHOST, "serve", "--stdio"],
                        cwd="/") as server:
            server.initialize()
            self.assertIn("echo", server.tools())
            result = server.call("add", {"a": 1, "b": 2})
            self.assertEqual({"sum": 3}, result["structuredContent"])
            self.assertEqual(0, server.finish())

    def test_stdio_is_the_default(self):
        with mcp.Server(self, command=[program.TOOLHOST, "serve", *self.options]) as server:
            server.initialize()
            self.assertIn("summary", server.tools())

    def test_by_a_symbolic_link(self):
        link = os.path.join(self.home, "elsewhere")
        os.symlink(program.TOOLHOST, link)
        with mcp.Server(self, command=[link, "serve"], cwd="/") as server:
            server.initialize()
            self.assertIn("echo", server.tools())

    def test_initialize_is_answered_before_any_scan_has_ended(self):
        folder = self.folder("ctor-loop", "ok")
        with mcp.Server(self, "--no-default-packs", "--pack-dir", folder,
                        env={"TOOLHOST_SCAN_TIMEOUT": "3"}) as server:
            begin = time.monotonic()
            server.initialize()
            self.assertLess(time.monotonic() - begin, 1)
            self.assertEqual(["ok"], list(server.tools()), "the first listing waits for the scan")
            self.assertGreaterEqual(time.monotonic() - begin, 2.5)


class Selection(Base):
    def test_two_tools_by_config_by_flag_and_by_variable(self):
        chosen = "summary,lab_whole"
        config = self.write("two.conf", 'enabled_tools = "%s"\n' % chosen)
        for name, options, env in (("config", ["--config", config], {}),
                                   ("flag", ["--enabled-tools", chosen], {}),
                                   ("variable", [], {"TOOLHOST_ENABLED_TOOLS": chosen})):
            with self.subTest(name):
                self.assertEqual({"summary", "lab_whole"}, set(self.names(*options, env=env)))
                with mcp.Server(self, *self.options, *options, env=env) as server:
                    server.initialize()
                    self.assertEqual(-32602, server.request("tools/call", {"name": "lab_nothing"})["error"]["code"])
                called = self.run_program("call", *self.options, *options, "lab_nothing", env=env)
                self.assertEqual(5, called.status, called)
                listed = self.run_program("list", *self.options, *options, env=env)
                self.assertRegex(listed.out, r"(?m)^lab_nothing .*\(off\)")
                self.assertNotRegex(listed.out, r"(?m)^summary .*\(off\)")

    def test_tools_switched_off(self):
        env = {"TOOLHOST_DISABLED_TOOLS": "lab_*, shape*"}
        self.assertEqual(["summary"], self.names(env=env))

    def test_a_pack_switched_off(self):
        config = self.write("off.conf", 'pack "shapes" { enabled = false }\n')
        for options, env in ((["--config", config], {}), (["--disabled-packs", "shapes"], {}),
                             ([], {"TOOLHOST_DISABLED_PACKS": "shapes"})):
            with self.subTest(repr((options, env))):
                names = self.names(*options, env=env)
                self.assertIn("summary", names)
                self.assertNotIn("shape_plain", names)
                listed = self.run_program("pack", "list", *self.options, *options, env=env)
                self.assertRegex(listed.out, r"(?m)^shapes +off")

    def test_bundles(self):
        config = self.write("bundle.conf", '# mine\nbundle "sums" {\n\ttools = { "sum*" }\n}\n'
                                           'bundle "odd" {\n\tenabled = true\n\tpacks = { "shapes" }\n}\n')
        def run(*command):
            return self.run_program("bundle", *command, "--config", config)

        self.assertIn("shape_plain", self.names("--config", config))
        result = run("disable", "odd")
        self.assertEqual(0, result.status, result)
        self.assertIn(config, result.out + result.err)
        names = self.names("--config", config)
        self.assertNotIn("shape_plain", names)
        self.assertIn("summary", names)
        self.assertEqual(0, run("disable", "sums").status)
        self.assertNotIn("summary", self.names("--config", config))
        listed = run("list")
        self.assertRegex(listed.out, r"(?m)^odd\b.*off")
        self.assertEqual(0, run("enable", "sums").status)
        self.assertIn("summary", self.names("--config", config))
        with open(config, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("# mine\n"), "the rest of the file stays")
        unknown = run("disable", "od")
        self.assertEqual(5, unknown.status, unknown)
        self.assertIn("odd", unknown.err)


class Config(Base):
    def test_where_a_value_comes_from(self):
        config = self.write("sources.conf", "max_cells = 2000\nmax_depth = 9\nmax_string = 500\n")
        result = self.run_program("config", "--json", "--config", config, "--max-depth", "8",
                                  env={"TOOLHOST_MAX_STRING": "600", "PROCESS_IMPROVE_MAX_MATRIX_ROWS": "700"})
        self.assertEqual(0, result.status, result)
        settings = result.json["settings"]
        by_name = settings if isinstance(settings, dict) else {entry["name"]: entry for entry in settings}
        for name, value, source in (("max_cells", 2000, config), ("max_depth", 8, "flag"),
                                    ("max_string", 600, "TOOLHOST_MAX_STRING"),
                                    ("max_matrix_rows", 700, "PROCESS_IMPROVE_MAX_MATRIX_ROWS"),
                                    ("tool_timeout", 10, "default")):
            with self.subTest(name):
                self.assertEqual(value, by_name[name]["value"])
                self.assertIn(source, by_name[name]["source"])

    def test_a_bad_value_stops_the_start(self):
        for variable, value in (("TOOLHOST_MAX_CELLS", "many"), ("TOOLHOST_MAX_DEPTH", "0"),
                                ("TOOLHOST_TOOL_TIMEOUT", "-1"), ("PROCESS_IMPROVE_MAX_CELLS", "1e99")):
            with self.subTest(variable):
                result = self.run_program("list", *self.options, env={variable: value})
                self.assertEqual(2, result.status, result)
                self.assertIn(variable, result.err)
                self.assertIn(value, result.err)
                self.assertEqual("", result.out)

    def test_faults_of_the_file(self):
        for name, text, words in (("unknown key", "max_cels = 5\n", ["max_cels", "max_cells", "1"]),
                                  ("bad value", "\n\nmax_cells = lots\n", ["max_cells", "lots", "3"]),
                                  ("no end", 'pack "a" {\n', ["1"]),
                                  ("no UTF-8", b"# \xff\n", ["UTF-8"])):
            with self.subTest(name):
                config = self.write("fault.conf", text)
                result = self.run_program("list", *self.options, "--config", config)
                self.assertEqual(2, result.status, result)
                for word in [config, *words]:
                    self.assertIn(word, result.err)

    def test_a_section_for_what_is_not_there(self):
        for kind, near in (("pack", "shapes"), ("bundle", None)):
            with self.subTest(kind):
                config = self.write("section.conf", '%s "shpes" { enabled = true }\n' % kind)
                result = self.run_program("list", *self.options, "--config", config)
                if kind == "bundle":
                    continue  # a bundle is made by its section
                self.assertEqual(2, result.status, result)
                self.assertIn("shpes", result.err)
                self.assertIn(near, result.err)

    def test_a_file_that_others_may_write(self):
        config = self.write("open.conf", "max_cells = 5\n")
        os.chmod(config, 0o666)
        result = self.run_program("list", *self.options, "--config", config)
        self.assertEqual(2, result.status, result)
        self.assertIn(config, result.err)

    def test_the_users_file_is_found(self):
        folder = os.path.join(self.home, "config", "toolhost")
        os.makedirs(folder)
        path = os.path.join(folder, "toolhost.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write('enabled_tools = "summary"\n')
        self.addCleanup(os.remove, path)
        self.assertEqual(["summary"], self.names())


class Help(Base):
    def test_every_level_has_help(self):
        whole = self.run_program("--help")
        self.assertEqual(0, whole.status, whole)
        for command in ("serve", "call", "list", "show", "config", "pack", "bundle"):
            with self.subTest(command):
                self.assertRegex(whole.out, r"(?m)^ +%s\b" % command)
                result = self.run_program(command, "--help")
                self.assertEqual(0, result.status, result)
                self.assertIn("toolhost %s" % command, result.out)
                self.assertEqual("", result.err)

    def test_misuse(self):
        for arguments, word in (([], "--help"), (["serv"], "serve"), (["list", "--formt", "json"], "--format"),
                                (["list", "--format", "xml"], "anthropic"), (["call"], "TOOL"),
                                (["--timeout", "soon", "list"], "soon")):
            with self.subTest(repr(arguments)):
                result = self.run_program(*arguments)
                self.assertEqual(2, result.status, result)
                self.assertIn(word, result.err)
                self.assertEqual("", result.out)

    def test_version(self):
        result = self.run_program("--version")
        self.assertEqual(0, result.status)
        self.assertRegex(result.out, r"^toolhost \d+\.\d+\.\d+")


if __name__ == "__main__":
    program.main(__name__)
