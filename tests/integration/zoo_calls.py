# SPDX-License-Identifier: MIT
"""Calls every pack of the zoo that is wrong once it is called, isolated and sandboxed, on the command line and over MCP.

What has to come of it stands in tests/zoo/calls.txt. A good pack is called after each: only the call that failed fails.
"""
import json
import os
import socket

import mcp
import program

TABLE = os.path.join(program.SOURCE, "tests", "zoo", "calls.txt")
SOCKET = "/tmp/toolhost-zoo.socket"
TRACE = "toolhost-zoo-called"
# Limits that AddressSanitizer cannot bear: it needs terabytes of address space, and takes signals for itself.
NOT_SANITIZED = {"hog", "hog-abort", "hog-at-once", "hog-pages", "hog-slow"}
LIMIT = 3 if program.sanitized() else 1


def table():
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, levels, codes, details = line.rstrip("\n").split("\t")
                for level in ("isolated", "sandboxed") if levels == "both" else (levels,):
                    yield name, level, codes.split("|"), json.loads(details)


class ZooCalls(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.calls = list(table())
        cls.packs = cls.folder(*sorted({name for name, _, _, _ in cls.calls} | {"ok"}))
        cls.options = ["--no-default-packs", "--pack-dir", cls.packs, "--timeout", str(LIMIT)]
        cls.clean()
        cls.addClassCleanup(cls.clean)
        cls.listener = socket.socket(socket.AF_UNIX)
        cls.addClassCleanup(cls.listener.close)
        cls.listener.bind(SOCKET)
        cls.listener.listen()

    @classmethod
    def clean(cls):
        for path in [SOCKET, *(os.path.join(place, TRACE) for place in ("/root", "/tmp", "/var/tmp", cls.home))]:
            if os.path.exists(path):
                os.remove(path)

    def env(self):
        return {"SECRET": "1", "TOOLHOST_MAX_MEMORY_MB": "64"}

    def needs_isolation(self, level):
        """Nothing of this zoo is ever called where the host would run it in its own process."""
        result = self.run_program("call", *self.options, "--isolation", level, "--json", "ok")
        if result.status != 0:
            self.skipTest("no %s calls here: %s" % (level, result.error["message"]))
        self.assertEqual(level, result.json["_meta"]["toolhost/strategy"])

    def hold(self, name, codes, details, outcome):
        """`outcome` is (code or "answer", details or the answer)."""
        code, found = outcome
        self.assertIn(code, codes, "%s: %s" % (code, json.dumps(found)[:500]))
        if "timeout" in details:
            details = {**details, "timeout": LIMIT}
        for key, value in details.items():
            self.assertEqual(value, found.get(key), "%s of %s: %s" % (key, name, json.dumps(found)[:500]))

    def skip_or_not(self, name):
        if program.sanitized() and name in NOT_SANITIZED:
            self.skipTest("AddressSanitizer does not bear the limit")

    def test_on_the_command_line(self):
        for level in ("isolated", "sandboxed"):
            self.needs_isolation(level)
        for name, level, codes, details in self.calls:
            with self.subTest(name, level=level):
                self.skip_or_not(name)
                result = self.run_program("call", *self.options, "--isolation", level, "--json",
                                          name.replace("-", "_"), env=self.env())
                outcome = ("answer", result.json["result"]) if result.status == 0 else \
                    (result.error["code"], result.error["details"] or {})
                self.hold(name, codes, details, outcome)
                well = self.run_program("call", *self.options, "--isolation", level, "ok")
                self.assertEqual((0, {"well": True}), (well.status, well.out and well.json), well)
        self.assert_nothing_left()

    def test_over_mcp(self):
        for level in ("isolated", "sandboxed"):
            self.needs_isolation(level)
            with mcp.Server(self, *self.options, "--isolation", level, env=self.env()) as server:
                server.initialize()
                for name, at, codes, details in self.calls:
                    if at != level:
                        continue
                    if program.sanitized() and name in NOT_SANITIZED:
                        with self.subTest(name, level=level):
                            self.skip_or_not(name)
                        continue
                    # A call that is not answered ends the test: so would be none of those after it.
                    result = server.call(name.replace("-", "_"))
                    well = server.call("ok")
                    with self.subTest(name, level=level):
                        if result.get("isError"):
                            error = mcp.failure(result)
                            outcome = error["code"], error["details"] or {}
                        else:
                            outcome = "answer", result["structuredContent"]
                        self.hold(name, codes, details, outcome)
                        self.assertEqual({"well": True}, well["structuredContent"])
                self.assertEqual(0, server.finish())
            self.assert_nothing_left()

    def test_no_call_outlives_its_answer(self):
        """Not for long, that is, whatever its threads do then."""
        self.needs_isolation("isolated")
        with mcp.Server(self, *self.options, "--isolation", "isolated", env=self.env()) as server:
            server.initialize()
            for _ in range(20):
                self.assertEqual({"started": True}, server.call("stops_late")["structuredContent"])
            self.assertTrue(program.wait_until(lambda: not self.stopped(server.pid), 3 * program.SLACK))
            self.assertEqual(0, server.finish())
        self.assert_nothing_left()

    @staticmethod
    def stopped(server):
        """The processes below the server that stand still."""
        found = []
        for process in program.descendants(server):
            try:
                with open("/proc/%d/stat" % process, encoding="utf-8", errors="replace") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "T":
                        found.append(process)
            except OSError:
                pass
        return found


if __name__ == "__main__":
    program.main(__name__)
