# SPDX-License-Identifier: MIT
"""A program that is started where things are not as usual: right answers all the same, or an error that names the cause."""
import os
import subprocess
import sys

import mcp
import program

LEVELS = ("isolated", "sandboxed")
GUARDED = os.path.join(program.LAB, "guarded.so")
HOLD_SIGNALS = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
os.execv(sys.argv[1], sys.argv[1:])
"""


def of_python(script, *options):
    """The command of a server that a script of Python becomes."""
    return [sys.executable, "-c", script, program.TOOLHOST, "serve", "--stdio", *options]


class Base(program.Case):
    def options(self, *packs, level="isolated"):
        return ["--no-default-packs", "--pack-dir", self.folder(*packs), "--isolation", level]

    def run_by(self, before, *arguments):
        """Runs the program by another one, which is at the head of the command."""
        done = subprocess.run([*before, program.TOOLHOST, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=program.PATIENCE, env=self.environment(), check=False)
        return program.Result(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"), 0)


class Signals(Base):
    def test_all_are_held_back(self):
        for level in ("in-process", *LEVELS):
            with self.subTest(level):
                options = self.options("ok", level=level)
                with mcp.Server(self, command=of_python(HOLD_SIGNALS, *options)) as server:
                    server.initialize()
                    for _ in range(3):
                        self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
                    self.assertEqual(0, server.finish())
        self.assert_nothing_left()

    def test_a_pack_handles_its_own_faults(self):
        """On whatever thread of the program its tool runs."""
        for level in ("in-process", *LEVELS):
            with self.subTest(level):
                with mcp.Server(self, *self.options(GUARDED, os.path.join(program.LAB, "lab.so"), level=level)) as server:
                    server.initialize()
                    for _ in range(3):
                        self.assertEqual({"caught": True}, server.call("guarded_read")["structuredContent"])
                        server.call("lab_wait", {"seconds": 0.05})  # another thread leads from here on
                    self.assertEqual(0, server.finish())


if __name__ == "__main__":
    program.main(__name__)
