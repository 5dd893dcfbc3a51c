# SPDX-License-Identifier: MIT
"""Clients and tools at their worst: every call has one answer, the next one works, and the server ends when it has to."""
import os
import random
import signal
import time

import mcp
import program

NASTY = os.path.join(program.LAB, "nasty.so")


def peak(pid):
    """The most memory that the process has had, in KiB."""
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(dict(line.split(":", 1) for line in file)["VmHWM"].split()[0])


class Nasty(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab(NASTY)
        cls.random = random.Random(4)

    def serve(self, *options, **env):
        server = mcp.Server(self, *self.options, *options, env=env)
        self.addCleanup(server.__exit__)
        server.initialize()
        return server

    def assert_good(self, server):
        self.assertEqual({"good": True}, server.call("nasty_echo")["structuredContent"])

    def assert_ends(self, server, seconds=6):
        self.assertEqual(0, server.process.wait(seconds * program.SLACK))
        self.assert_nothing_left()

    def assert_timeout(self, response):
        self.assertEqual("timeout", mcp.failure(response["result"])["code"])

    # ---- Cancelling and ids ----------------------------------------------------------------------------------------

    def test_calls_cancelled_at_any_time(self):
        for level in ("in-process", "isolated"):
            server = self.serve("--isolation", level)
            kept = []
            for _ in range(60):
                id = server.post_call("lab_wait", {"seconds": self.random.choice([0, 0.01, 0.05])})
                if self.random.random() < 0.5:
                    time.sleep(self.random.uniform(0, 0.02))
                    server.notify("notifications/cancelled", {"requestId": id, "reason": "changed my mind"})
                else:
                    kept.append(id)
            for id in kept:
                self.assertIn("waited", server.answer(id)["result"]["structuredContent"])
            self.assert_good(server)
            self.assertEqual(0, server.finish())
            self.assert_nothing_left()

    def test_one_id_for_two_calls(self):
        server = self.serve()
        for _ in range(2):
            server.post_call("lab_wait", {"seconds": 0.05}, id="twin")
        for _ in range(2):
            self.assertIn("waited", server.answer("twin")["result"]["structuredContent"])
        self.assertEqual(0, server.finish())

    # ---- Clients that do not listen --------------------------------------------------------------------------------

    def test_a_client_that_reads_late(self):
        server = self.serve()
        lines = [mcp.encode({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                             "params": {"name": "lab_large", "arguments": {"bytes": 50000}}}) for id in range(200)]
        os.set_blocking(server.process.stdin.fileno(), True)
        server.process.stdin.write(b"".join(lines))
        os.set_blocking(server.process.stdin.fileno(), False)
        time.sleep(0.5)
        for id in range(200):
            self.assertNotIn("isError", server.answer(id)["result"])
        self.assert_good(server)

    def test_a_client_that_leaves(self):
        for level in ("in-process", "isolated"):
            server = self.serve("--isolation", level)
            for _ in range(10):
                server.post_call("lab_wait", {"seconds": 0.2})
            server.process.stdout.close()
            self.assert_ends(server)

    def test_talk_that_nobody_listens_to(self):
        """What a tool says on the way is left out where the client is far behind, or the host would grow without end."""
        server = self.serve()
        server.request("logging/setLevel", {"level": "debug"})
        before = peak(server.pid)
        server.post_call("nasty_talk", meta={"progressToken": 1})
        time.sleep(2)
        self.assertLess(peak(server.pid) - before, 16 * 1024 * (1 + 15 * program.sanitized()))
        self.assert_good(server)

    # ---- The end -----------------------------------------------------------------------------------------------------

    def test_the_input_ends_with_calls_in_flight(self):
        for level in ("in-process", "isolated"):
            server = self.serve("--isolation", level)
            ids = [server.post_call("lab_wait", {"seconds": 0.1}) for _ in range(20)]
            self.assertEqual(0, server.finish())
            for id in ids:
                self.assertIn("waited", server.answer(id)["result"]["structuredContent"])
            self.assert_nothing_left()

    def test_a_signal_during_calls(self):
        for level in ("in-process", "isolated"):
            server = self.serve("--isolation", level)
            for _ in range(20):
                server.post_call("lab_wait", {"seconds": 20, "heed": False})
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            self.assert_ends(server)

    # ---- Tools that do not come back ---------------------------------------------------------------------------------

    def test_more_threads_given_up_than_calls_may_run(self):
        server = self.serve("--max-calls", "4")
        for _ in range(6):
            self.assert_timeout(server.answer(server.post_call("nasty_stay")))
            self.assert_good(server)
        # From the first thread that was given up on, the pack's calls are isolated.
        self.assertIn(server.stderr().count("its thread is given up"), range(1, 5), server.stderr())

    def test_places_of_threads_given_up_go_to_calls_that_wait(self):
        server = self.serve("--max-calls", "2")
        stuck = [server.post_call("nasty_stay") for _ in range(2)]
        waiting = [server.post_call("summary", {"values": [1, 2]}) for _ in range(4)]
        for id in stuck:
            self.assert_timeout(server.answer(id))
        for id in waiting:
            self.assertEqual(3, server.answer(id)["result"]["structuredContent"]["sum"])

    def test_many_timeouts_at_once(self):
        for options in (("--max-calls", "64"), ("--isolation", "isolated", "--max-workers", "64")):
            server = self.serve(*options)
            ids = [server.post_call("nasty_stay") for _ in range(64)]
            for id in ids:
                self.assert_timeout(server.answer(id))
            self.assert_good(server)
            server.process.send_signal(signal.SIGTERM)
            self.assert_ends(server)

    def test_workers_that_are_all_taken(self):
        server = self.serve("--isolation", "isolated", "--max-workers", "2")
        ids = [server.post_call("nasty_stay") for _ in range(6)]
        good = server.post_call("nasty_echo")
        for id in ids:
            self.assert_timeout(server.answer(id))
        self.assertEqual({"good": True}, server.answer(good)["result"]["structuredContent"])

    def test_more_children_than_a_launcher_keeps_ready(self):
        server = self.serve("--isolation", "isolated", "--max-workers", "80", "--max-calls", "80", "--worker-calls", "100")
        start = time.monotonic()
        ids = [server.post_call("lab_wait", {"seconds": 3}) for _ in range(80)]
        for id in ids:
            self.assertNotIn("isError", server.answer(id)["result"])
        self.assertLess(time.monotonic() - start, 6 * program.SLACK)

    def test_a_worker_that_never_stops_talking(self):
        server = self.serve("--isolation", "isolated")
        self.assert_timeout(server.answer(server.post_call("nasty_talk", meta={"progressToken": 1})))
        self.assert_good(server)

    # ---- Tools that lie ----------------------------------------------------------------------------------------------

    def test_a_forged_answer_is_one_line(self):
        server = self.serve()
        result = server.call("nasty_forge")
        if "structuredContent" in result and not result.get("isError"):
            self.assertEqual({"forged": [1, 2]}, result["structuredContent"])
        else:
            self.skipTest("the frame lies where the pack does not look: %.200r" % result)
        self.assert_good(server)


program.main(__name__)
