# SPDX-License-Identifier: MIT
"""However the host ends, and whenever, none of the processes that it started lives on for more than a second."""
import os
import random
import signal
import time

import mcp
import program

CELL = os.path.join(program.LAB, "cell.so")
ROUNDS = int(os.environ.get("TOOLHOST_TEST_KILLS", "3"))  # of each kind; a soak takes more


class Kill(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = ["--no-default-packs", "--pack-dir",
                       cls.folder(CELL, "ok", "thread-ctor", "hang", "hang-sigterm-ignored", "thread-left")]
        cls.random = random.Random(program.BUILD)
        # Scanned once, so that a server that is killed early is killed while it launches and not while it scans.
        cls.run_program("list", *cls.options)

    def serve(self, level):
        server = mcp.Server(self, *self.options, "--isolation", level, "--timeout", "30")
        self.addCleanup(server.__exit__)
        server.initialize()
        return server

    # ---- What the host is doing when it ends -----------------------------------------------------------------------

    def idle(self, server):
        server.call("ok")
        server.call("cell_use")
        time.sleep(self.random.uniform(0, 0.05))

    def launching(self, server):
        server.post_call(self.random.choice(["ok", "thread_ctor", "cell_use"]))
        time.sleep(self.random.uniform(0, 0.03))

    def in_a_call(self, server):
        server.post_call(self.random.choice(["hang", "hang_sigterm_ignored"]))
        time.sleep(self.random.uniform(0.02, 0.1))

    def with_many_calls(self, server):
        for _ in range(30):
            tool = self.random.choice(["ok", "cell_use", "hang", "thread_left", "cell_sleep", "thread_ctor"])
            server.post_call(tool, {"seconds": 20, "deaf": True} if tool == "cell_sleep" else {})
        time.sleep(self.random.uniform(0, 0.2))

    MOMENTS = (idle, launching, in_a_call, with_many_calls)

    def hold(self, end, seconds=1):
        for level in ("isolated", "sandboxed"):
            for moment in self.MOMENTS:
                for round in range(ROUNDS):
                    with self.subTest(moment.__name__, level=level, round=round):
                        server = self.serve(level)
                        moment(self, server)
                        end(server)
                        self.assert_nothing_left(seconds)

    # ---- How it ends -----------------------------------------------------------------------------------------------

    def test_killed(self):
        def kill(server):
            os.kill(server.pid, signal.SIGKILL)
            server.process.wait(program.PATIENCE)

        self.hold(kill)

    def test_terminated(self):
        def terminate(server):
            os.kill(server.pid, signal.SIGTERM)
            self.assertIn(server.process.wait(program.PATIENCE), (0, -signal.SIGTERM))

        self.hold(terminate)

    def test_its_client_is_gone(self):
        """Nobody reads any more, so nothing is finished."""
        def leave(server):
            server.process.stdout.close()
            server.process.stdin.close()
            server.process.wait(program.PATIENCE)

        self.hold(leave)

    def test_its_input_ends(self):
        """The calls in flight are finished, up to their deadlines; after that nothing is left."""
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                server = self.serve(level)
                calls = [server.post_call("cell_sleep", {"seconds": 0.2}) for _ in range(4)]
                self.assertEqual(0, server.finish())
                for call in calls:
                    self.assertIn("process", server.answer(call)["result"]["structuredContent"])
                self.assert_nothing_left()

    def test_the_command_line_is_killed(self):
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                command = [program.TOOLHOST, "call", *self.options, "--isolation", level, "hang_sigterm_ignored"]
                server = mcp.Server(self, command=command)
                self.addCleanup(server.__exit__)
                self.assertTrue(program.wait_until(lambda: len(program.descendants(server.pid)) >= 3, 5), "it runs")
                os.kill(server.pid, signal.SIGKILL)
                server.process.wait()
                self.assert_nothing_left()


if __name__ == "__main__":
    program.main(__name__)
