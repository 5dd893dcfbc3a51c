# SPDX-License-Identifier: MIT
"""A call that ends badly leaves a record; toolhost replay runs it again, with the same numbers and the same end."""
import hashlib
import json
import os
import re
import shutil
import stat

import mcp
import program

CELL = os.path.join(program.LAB, "cell.so")
NO_RECORD = {"TOOLHOST_REPLAY_RECORDS": "0"}


class Replay(program.Case):
    def setUp(self):
        self.state = os.path.join(self.home, "state")
        shutil.rmtree(self.state, ignore_errors=True)
        self.packs = self.folder(CELL, "bpf", "ok", "hog")
        self.options = ["--no-default-packs", "--pack-dir", self.packs]

    def place(self):
        return os.path.join(self.state, "toolhost", "replay")

    def records(self):
        return sorted(os.listdir(self.place())) if os.path.isdir(self.place()) else []

    def record(self):
        """The path and the content of the one record that there is."""
        self.assertEqual(1, len(self.records()), self.records())
        path = os.path.join(self.place(), self.records()[0])
        with open(path, encoding="utf-8") as file:
            return path, program.strict_json(file.read())

    def unlucky(self, how, *options, env=None):
        return self.run_program("call", *self.options, "--isolation", "isolated", *options, "--json", "cell_unlucky",
                                json.dumps({"how": how}), env=env)

    def drawn(self, result):
        return re.findall(r"drew (\S+ \S+)", result.err)

    # ---- What is written -------------------------------------------------------------------------------------------

    def test_what_a_record_says(self):
        result = self.unlucky("crash", "--replay-arguments", "--timeout=3", "--max-memory-mb=100")
        self.assertEqual((4, "crashed"), (result.status, result.error["code"]), result)
        path, record = self.record()
        pack = os.path.join(self.packs, "cell.so")
        with open(pack, "rb") as file:
            self.assertEqual({"name": "cell", "path": pack, "sha256": hashlib.sha256(file.read()).hexdigest()},
                             record["pack"])
        arguments = b'{"how":"crash"}'
        self.assertEqual((1, "cell_unlucky", {"how": "crash"}, len(arguments), hashlib.sha256(arguments).hexdigest()),
                         (record["format"], record["tool"], record["arguments"], record["arguments_bytes"],
                          record["arguments_sha256"]))
        self.assertEqual(({"timeout": 3, "memory_mb": 100}, "isolated"), (record["limits"], record["isolation"]))
        self.assertEqual(("crashed", {"signal": 11, "address": "0x10"}),
                         (record["verdict"]["code"], record["verdict"]["details"]))
        self.assertRegex(record["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertTrue(any(re.fullmatch(r"cell\.so\+0x[0-9a-f]+", frame) for frame in record["backtrace"]),
                        record["backtrace"])
        self.assertIn("toolhost replay " + path, result.err)
        self.assertEqual(0o600, stat.S_IMODE(os.stat(path).st_mode))
        self.assertEqual(0o700, stat.S_IMODE(os.stat(self.place()).st_mode))

    def test_which_ends_leave_one(self):
        for tool, arguments, code in (("cell_unlucky", {"how": "crash"}, "crashed"), ("cell_unlucky", {"how": "hang"}, "timeout"),
                                      ("cell_unlucky", {"how": "fork"}, "blocked"), ("cell_unlucky", {"how": "exit"}, "exited"),
                                      ("hog", {}, "memory_exceeded"), ("cell_unlucky", {"how": "answer"}, None),
                                      ("cell_unlucky", {"how": 5}, None), ("ok", {}, None)):
            with self.subTest(tool, arguments=arguments):
                if code == "memory_exceeded" and program.sanitized():
                    self.skipTest("AddressSanitizer does not bear the limit")
                shutil.rmtree(self.state, ignore_errors=True)
                self.run_program("call", *self.options, "--isolation", "sandboxed", "--timeout=1", "--max-memory-mb=64",
                                 tool, json.dumps(arguments))
                if code:
                    self.assertEqual(code, self.record()[1]["verdict"]["code"])
                else:
                    self.assertEqual([], self.records())

    def test_arguments_are_kept_only_where_the_operator_says_so(self):
        secret = os.urandom(8).hex()
        self.unlucky("crash\0" + secret)
        path, record = self.record()
        self.assertNotIn("arguments", record)
        self.assertIn("replay_arguments", record["arguments_left_out"])
        self.assertEqual(len(json.dumps({"how": "crash\0" + secret}, separators=(",", ":"))), record["arguments_bytes"])
        with open(path, encoding="utf-8") as file:
            self.assertNotIn(secret, file.read())

    def test_a_call_in_this_process_that_hangs(self):
        result = self.run_program("call", *self.options, "--timeout=0.5", "--replay-arguments", "--json", "cell_sleep",
                                  '{"seconds": 20, "deaf": true}')
        self.assertEqual((4, "timeout"), (result.status, result.error["code"]), result)
        path, record = self.record()
        self.assertEqual(("in-process", {"seconds": 20, "deaf": True}, 0.5),
                         (record["isolation"], record["arguments"], record["limits"]["timeout"]))
        again = self.run_program("replay", *self.options, "--json", path)
        self.assertEqual((4, result.error), (again.status, again.error), again)

    def test_over_mcp_the_record_follows_the_answer(self):
        with mcp.Server(self, *self.options, "--isolation", "isolated", env={"TOOLHOST_REPLAY_ARGUMENTS": "true"}) as server:
            server.initialize()
            for _ in range(3):
                self.assertEqual("crashed", mcp.failure(server.call("cell_unlucky", {"how": "crash"}))["code"])
            self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
            self.assertEqual(0, server.finish())
        self.assertEqual(3, len(self.records()))
        for name in self.records():
            again = self.run_program("replay", "--json", *self.options, os.path.join(self.place(), name))
            self.assertEqual((4, "crashed"), (again.status, again.error["code"]), again)

    def test_the_number_is_bounded(self):
        for _ in range(5):
            self.unlucky("exit", env={"TOOLHOST_REPLAY_RECORDS": "3"})
        kept = self.records()
        self.assertEqual(3, len(kept))
        self.unlucky("exit", env={"TOOLHOST_REPLAY_RECORDS": "3"})
        self.assertEqual(kept[1:], self.records()[:2], "the oldest goes")
        self.unlucky("exit", env=NO_RECORD)
        self.assertEqual(kept[1:], self.records()[:2], "none is written, none goes")
        self.assertEqual(3, len(self.records()))

    def test_the_longest_name_of_a_tool(self):
        name = max((tool["name"] for tool in self.run_program("list", *self.options, "--format", "json").json), key=len)
        self.assertEqual(128, len(name), name)
        self.run_program("call", *self.options, "--isolation", "isolated", "--replay-arguments", name, '{"how": "crash"}')
        path, record = self.record()
        self.assertEqual((name, "crashed"), (record["tool"], record["verdict"]["code"]))
        self.assertTrue(path.endswith(".json"), "it would never be removed: %s" % path)
        again = self.run_program("replay", *self.options, "--json", path)
        self.assertEqual((4, "crashed"), (again.status, again.error["code"]), again)

    def test_the_size_is_bounded(self):
        result = self.run_program("call", *self.options, "--isolation", "isolated", "--replay-arguments",
                                  "--max-string=9000000", "--json", "cell_unlucky", "-",
                                  text=json.dumps({"how": "x" * 5000000}).encode())
        self.assertEqual(0, result.status, "an unknown word is no bad luck: %.200r" % result.err)
        text = {"how": "hang" + "\0" + "x" * 5000000}
        self.run_program("call", *self.options, "--isolation", "isolated", "--replay-arguments", "--max-string=9000000",
                         "--timeout=1", "cell_unlucky", "-", text=json.dumps(text).encode())
        path, record = self.record()
        self.assertNotIn("arguments", record)
        self.assertIn("too large", record["arguments_left_out"])
        self.assertLess(os.path.getsize(path), 4096)

    def test_a_folder_that_others_may_read_is_not_used(self):
        os.makedirs(self.place(), mode=0o755)
        os.chmod(self.place(), 0o755)
        result = self.unlucky("crash")
        self.assertEqual((4, "crashed"), (result.status, result.error["code"]), "the call is none the worse")
        self.assertRegex(result.err, "no replay record.*mode 0755.*0700")
        self.assertEqual([], self.records())

    # ---- Running it again ------------------------------------------------------------------------------------------

    def test_the_same_numbers_and_the_same_end(self):
        for how, options in (("crash", ()), ("fork", ()), ("exit", ()), ("hang", ("--timeout=0.5",))):
            with self.subTest(how):
                shutil.rmtree(self.state, ignore_errors=True)
                first = self.unlucky(how, "--replay-arguments", *options)
                self.assertEqual(1, len(self.drawn(first)), first)
                path, _ = self.record()
                again = self.run_program("replay", *self.options, "--json", path)
                self.assertEqual((first.status, first.error["code"], self.drawn(first)),
                                 (again.status, again.error["code"], self.drawn(again)), again)
                self.assertEqual(first.error["details"].get("timeout"), again.error["details"].get("timeout"))
                self.assertEqual(1, len(self.records()), "a replay leaves no record of its own")

    def test_other_arguments(self):
        first = self.unlucky("crash")
        path, _ = self.record()
        without = self.run_program("replay", *self.options, "--json", path)
        self.assertEqual((2, "usage"), (without.status, without.error["code"]))
        self.assertIn("--arguments", without.error["message"])
        given = self.run_program("replay", *self.options, "--json", path, "--arguments", '{"how": "crash"}')
        self.assertEqual((4, "crashed", self.drawn(first)), (given.status, given.error["code"], self.drawn(given)))
        well = self.run_program("replay", *self.options, "--json", "--arguments", "-", path, text=b'{"how": "answer"}')
        self.assertEqual((0, self.drawn(first)), (well.status, self.drawn(well)), well)
        self.assertEqual(self.record()[1]["seed"], well.json["_meta"]["toolhost/seed"])
        self.assertEqual("isolated", well.json["_meta"]["toolhost/strategy"])
        named = self.write("arguments.json", '{"how": "answer"}')
        self.assertEqual(well.json["result"], self.run_program("replay", *self.options, path, "--arguments", "@" + named).json)
        refused = self.run_program("replay", *self.options, path, "--arguments", '{"how": 5}')
        self.assertEqual(3, refused.status)

    def test_a_pack_from_anywhere_runs_isolated(self):
        """A record names a file; that alone is no reason to trust the file."""
        self.run_program("call", *self.options, "--timeout=0.3", "--replay-arguments", "cell_sleep", '{"seconds": 20, "deaf": true}')
        path, record = self.record()
        self.assertEqual("in-process", record["isolation"])
        result = self.run_program("replay", path, "-vv", "--arguments", '{"seconds": 0}', "--json")
        self.assertEqual((0, "isolated"), (result.status, result.json["_meta"]["toolhost/strategy"]), result)

    def test_a_file_that_has_changed(self):
        self.unlucky("crash", "--replay-arguments")
        path, record = self.record()
        pack = record["pack"]["path"]
        with open(pack, "ab") as file:
            file.write(b"more")
        result = self.run_program("replay", *self.options, "--json", path)
        self.assertEqual((4, "crashed"), (result.status, result.error["code"]), result)
        self.assertRegex(result.err, "warning: .*has changed.*" + record["pack"]["sha256"])
        os.remove(pack)
        result = self.run_program("replay", *self.options, "--json", path)
        self.assertEqual((5, "unknown_pack"), (result.status, result.error["code"]), result)
        self.assertIn(pack, result.error["message"])

    def test_what_is_no_record(self):
        self.unlucky("crash", "--replay-arguments")
        path, record = self.record()
        wrong = {"empty": "", "text": "hello", "list": "[]", "object": "{}", "newer": json.dumps({**record, "format": 2})}
        for key in ("pack", "tool", "seed", "limits", "isolation"):
            wrong["without " + key] = json.dumps({name: value for name, value in record.items() if name != key})
        for key, value in (("tool", 5), ("seed", "1"), ("isolation", "none"), ("arguments", [1]),
                           ("limits", {"timeout": "1", "memory_mb": 1}), ("limits", {"timeout": -1, "memory_mb": 1}),
                           ("pack", {"name": "cell", "path": "cell.so"})):
            wrong["%s %r" % (key, value)] = json.dumps({**record, key: value})
        for name, text in wrong.items():
            with self.subTest(name):
                result = self.run_program("replay", *self.options, "--json", self.write("wrong.json", text))
                self.assertEqual((2, "usage"), (result.status, result.error["code"]), result)
                self.assert_bounded(result.error["message"])
        for missing in (path + "x", self.home):
            self.assertEqual(2, self.run_program("replay", missing).status)
        self.assertEqual(2, self.run_program("replay").status)

    # ---- Under a debugger ------------------------------------------------------------------------------------------

    def debug(self, path, commands="bt\n"):
        return self.run_program("replay", *self.options, "--gdb", path, text=(commands + "kill\nquit\n").encode(),
                                env={"DEBUGINFOD_URLS": "", "TERM": "dumb"})

    def test_under_gdb(self):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed")
        if program.sanitized():
            self.skipTest("AddressSanitizer and a debugger are in each other's way")
        for how, signal in (("crash", "SIGSEGV"), ("fork", "SIGSYS")):
            with self.subTest(how):
                shutil.rmtree(self.state, ignore_errors=True)
                first = self.unlucky(how, "--replay-arguments")
                result = self.debug(self.record()[0])
                self.assertIn("Program received signal " + signal, result.out, result)
                self.assertIn("cell_unlucky", result.out)
        shutil.rmtree(self.state)
        first = self.unlucky("exit", "--replay-arguments")
        result = self.debug(self.record()[0], "run\n")
        self.assertEqual(2, result.out.count("exited with code 07"), "it can be started again: %s" % result)
        self.assertEqual(1, len(self.drawn(first)))

    def test_without_gdb(self):
        self.unlucky("crash", "--replay-arguments")
        result = self.run_program("replay", *self.options, "--gdb", self.record()[0], env={"PATH": self.home})
        self.assertEqual(2, result.status)
        self.assertRegex(result.err, "gdb cannot be started.*installed")


if __name__ == "__main__":
    program.main(__name__)
