# SPDX-License-Identifier: MIT
"""What a pack needs beyond the walls: denied unless the operator grants it, and then had, and nothing left of it."""
import os
import shutil
import socket
import tempfile
import time

import mcp
import program

PLACE = "/tmp/toolhost-wishes"  # the paths that the pack says it needs lie in it
WISHES = os.path.join(program.LAB, "wishes.so")


class Base(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.packs = cls.folder(WISHES, "ok")
        for name in ("in", "out", "elsewhere"):
            os.makedirs(os.path.join(PLACE, name), exist_ok=True)
            with open(os.path.join(PLACE, name, "file"), "w", encoding="utf-8") as file:
                file.write("wishes\n")
        cls.addClassCleanup(shutil.rmtree, PLACE, ignore_errors=True)

    def options(self, section="", level="sandboxed", settings=""):
        """`section` is what the config says of the pack."""
        config = self.write("grants.conf", '%s\npack "wishes" { %s }\n' % (settings, section))
        return ["--no-default-packs", "--pack-dir", self.packs, "--config", config, "--isolation", level]

    def call(self, tool, argument, *options, env=None):
        key = "port" if tool == "wish_connect" else "text"
        text = program.json.dumps({key: argument})
        return self.run_program("call", *options, "--json", tool, text, env=env)

    def assert_error(self, result, code, *words):
        self.assertEqual(code, result.json.get("error", {}).get("code"), result)
        for word in words:
            self.assertIn(word, result.out + result.err)

    def assert_answer(self, result, answer):
        self.assertEqual((0, answer), (result.status, result.json.get("result")), result)


class Files(Base):
    def test_reading(self):
        path = PLACE + "/in/file"
        self.assert_error(self.call("wish_read", path, *self.options()), "tool_error")
        self.assert_answer(self.call("wish_read", path, *self.options('read = { "%s/in" }' % PLACE)), {"opened": True})

    def test_more_is_granted_than_needed(self):
        options = self.options('read = { "%s" }' % PLACE)
        self.assert_answer(self.call("wish_read", PLACE + "/in/file", *options), {"opened": True})
        self.assert_error(self.call("wish_read", PLACE + "/elsewhere/file", *options), "tool_error")
        self.assert_error(self.call("wish_write", PLACE + "/in/file", *options), "tool_error")

    def test_less_is_granted_than_needed(self):
        options = self.options('read = { "%s/in/file" }' % PLACE)
        self.assert_answer(self.call("wish_read", PLACE + "/in/file", *options), {"opened": True})
        self.assert_error(self.call("wish_read", PLACE + "/in", *options), "tool_error")

    def test_writing(self):
        path = PLACE + "/out/new"
        self.assert_error(self.call("wish_write", path, *self.options()), "tool_error")
        self.assertFalse(os.path.exists(path))
        options = self.options('write = { "%s/out" }' % PLACE)
        self.assert_answer(self.call("wish_write", path, *options), {"opened": True})
        self.assertTrue(os.path.exists(path))
        self.assert_error(self.call("wish_write", PLACE + "/in/new", *options), "tool_error")

    def test_what_only_its_owner_may_read(self):
        path = PLACE + "/in/private"
        with open(path, "w", encoding="utf-8") as file:
            file.write("wishes\n")
        os.chmod(path, 0o600)
        self.assert_error(self.call("wish_read", path, *self.options()), "tool_error")
        self.assert_answer(self.call("wish_read", path, *self.options('read = { "%s/in" }' % PLACE)), {"opened": True})

    def test_what_a_constructor_may_read(self):
        # In a folder that everybody may read: a worker that needs no right to find its pack has none.
        packs = tempfile.mkdtemp(prefix="toolhost-packs-", dir="/tmp")
        self.addCleanup(shutil.rmtree, packs)
        os.chmod(packs, 0o755)
        shutil.copy(WISHES, packs)
        for level in ("isolated", "sandboxed"):
            result = self.run_program("call", "--no-default-packs", "--pack-dir", packs, "--isolation", level, "--json",
                                      "wish_shadow")
            self.assert_answer(result, {"opened": False})

    def test_the_log_lists_the_grants_beside_the_error(self):
        result = self.call("wish_read", PLACE + "/elsewhere/file", "-v", *self.options('read = { "%s/in" }' % PLACE))
        self.assertRegex(result.err, r"wishes is granted read %s/in" % PLACE)
        result = self.call("wish_read", PLACE + "/in/file", "-v", *self.options())
        self.assertRegex(result.err, r"wish_read .*needs read %s/in" % PLACE)
        self.assertIn('pack "wishes" { read = { "%s/in" } }' % PLACE, result.err)


class Network(Base):
    def test_connecting(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            port = listener.getsockname()[1]
            self.assert_error(self.call("wish_connect", port, *self.options()), "tool_error")
            self.assert_answer(self.call("wish_connect", port, *self.options("network = true")), {"connected": True})
            self.assert_answer(self.call("wish_connect", port, *self.options(level="isolated")), {"connected": True})


class Processes(Base):
    """A granted pack may start what it likes, and nothing of that outlives its call."""

    grant = "subprocess = true"

    def setUp(self):
        """A pack gets no subprocesses where the system does not give each call a namespace of processes."""
        if self._testMethodName == "test_denied":
            return
        probe = self.call("wish_run", "true", *self.options(self.grant))
        if probe.status == 4 and "doctor" in probe.error["message"]:
            self.skipTest(probe.error["message"])

    def sleeper(self, seconds):
        return [entry for entry in program.processes() if "sleep %s" % seconds in entry[2]]

    def assert_gone(self, seconds):
        self.assertTrue(program.wait_until(lambda: not self.sleeper(seconds), 1), self.sleeper(seconds))

    def test_denied(self):
        for level in ("isolated", "sandboxed"):
            result = self.call("wish_run", "true", *self.options(level=level))
            self.assert_error(result, "blocked", 'pack \\"wishes\\" { subprocess = true }')
            self.assertEqual(4, result.status)

    def test_granted(self):
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                options = self.options(self.grant, level)
                self.assert_answer(self.call("wish_run", "exit 7", *options), {"status": 7})
                self.assert_answer(self.call("wish_run", "sh -c 'kill -9 $$'; timeout 5 true", *options), {"status": 0})

    def test_a_sleeper_with_all_descriptors_under_a_limit(self):
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                begin = time.monotonic()
                result = self.call("wish_run", "sleep 301.5", "--timeout", "1", *self.options(self.grant, level))
                self.assert_error(result, "timeout")
                self.assertLess(time.monotonic() - begin, 2.05 * program.SLACK)
                self.assert_gone("301.5")

    def test_one_that_heeds_nothing(self):
        result = self.call("wish_run", "trap '' TERM; sleep 302.5; sleep 302.5", "--timeout", "1",
                           *self.options(self.grant))
        self.assert_error(result, "timeout")
        self.assert_gone("302.5")

    def test_what_a_good_call_leaves_behind(self):
        for command in ("sleep 303.5 &", "setsid sleep 303.5 &", "nohup setsid sh -c 'sleep 303.5 & sleep 303.5' &"):
            with self.subTest(command), mcp.Server(self, *self.options(self.grant)) as server:
                server.initialize()
                self.assertEqual({"status": 0}, server.call("wish_run", {"text": command})["structuredContent"])
                self.assert_gone("303.5")
                self.assertEqual({"well": True}, server.call("ok")["structuredContent"])

    def test_what_a_crash_leaves_behind(self):
        result = self.call("wish_crash", "sleep 304.5 &", *self.options(self.grant))
        self.assert_error(result, "crashed")
        self.assertEqual(6, result.error["details"]["signal"])
        self.assert_gone("304.5")

    def test_calls_do_not_end_each_other(self):
        with mcp.Server(self, *self.options(self.grant)) as server:
            server.initialize()
            slow = server.post_call("wish_run", {"text": "sleep 1; exit 3"})
            for _ in range(5):
                # To a call all that there is to kill is itself.
                server.call("wish_run", {"text": "kill -9 -1"})
            self.assertEqual({"status": 3}, server.answer(slow)["result"]["structuredContent"])

    def test_a_forbidden_call_of_a_program(self):
        result = self.call("wish_run", "unshare -U true", *self.options(self.grant))
        self.assert_error(result, "blocked")
        self.assertEqual({"syscall": "unshare", "grant": None}, result.error["details"])

    def test_a_bomb(self):
        result = self.call("wish_run", "b() { b | b & }; b; sleep 305.5", "--timeout", "1", *self.options(self.grant))
        if result.status == 0:  # the shell itself was the one that could not fork, and gave up
            self.assertNotEqual(0, result.json["result"]["status"], result)
        else:
            self.assertIn(result.error["code"], ("timeout", "tool_error"), result)
        self.assert_gone("305.5")
        self.assert_nothing_left()


class Values(Base):
    def test_settings_reach_a_worker(self):
        settings = "max_regression_points = 77"
        for level in ("in-process", "isolated", "sandboxed"):
            with self.subTest(level):
                options = self.options(level=level, settings=settings)
                env = {"PROCESS_IMPROVE_MAX_MATRIX_ROWS": "66"}
                for name, value in (("max_regression_points", 77), ("max_matrix_rows", 66), ("max_matrix_cols", 500),
                                    ("max_formula_terms", 9)):
                    result = self.call("wish_setting", name, "--max-formula-terms", "9", *options, env=env)
                    self.assert_answer(result, {"value": value})

    def test_variables_that_the_operator_names(self):
        env = {"SECRET": "a=b c", "OTHER": "2"}
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                options = self.options('environment = { "SECRET", "NOT_SET" }', level)
                self.assert_answer(self.call("wish_variable", "SECRET", *options, env=env), {"value": "a=b c"})
                self.assert_answer(self.call("wish_variable", "OTHER", *options, env=env), {"value": None})
                self.assert_answer(self.call("wish_variable", "NOT_SET", *options, env=env), {"value": None})
                self.assert_answer(self.call("wish_variable", "SECRET", *self.options(level=level), env=env),
                                   {"value": None})


class Told(Base):
    def test_show(self):
        shown = self.run_program("show", *self.options('read = { "%s/in" }' % PLACE), "wish_read")
        self.assertRegex(shown.out, r"(?m)^  needs +read %s/in$" % PLACE)
        self.assertRegex(shown.out, r"(?m)^  granted +read %s/in$" % PLACE)
        shown = self.run_program("show", *self.options(), "wish_run")
        self.assertRegex(shown.out, r"(?m)^  granted +nothing$")
        self.assertIn('pack "wishes" { subprocess = true }', " ".join(shown.out.split()))
        shown = self.run_program("show", "--json", *self.options("network = true"), "wish_connect")
        self.assertEqual({"needed": {"network": True}, "granted": {"network": True}, "missing": {}},
                         shown.json["rights"])

    def test_what_nobody_needs(self):
        result = self.run_program("list", *self.options('read = { "/usr" }'))
        self.assertEqual(0, result.status)
        self.assertRegex(result.err, r"pack wishes is granted what none of its tools says it needs.*read /usr")


if __name__ == "__main__":
    program.main(__name__)
