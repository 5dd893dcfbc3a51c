# SPDX-License-Identifier: MIT
"""What an isolated call shares with others and with the host (nothing), and what crosses the border all the same."""
import os
import subprocess
import time

import mcp
import program

CELL = os.path.join(program.LAB, "cell.so")
MATRIX = os.path.join(program.LAB, "matrix.so")
TRACE = "/tmp/toolhost-cell-was-here"
GRACE = 1  # seconds between SIGTERM and SIGKILL
# What a timed-out call may take beyond limit and grace. Promised are 0.05 s; a machine that has other work to do is
# given SLACK times that.
LATE = 0.05 * program.SLACK
BOTH = ("isolated", "sandboxed")


def workers(pid):
    """The children of the host's launchers, which alone have loaded nothing since they were forked: its workers' workers.

    The host starts a supervisor, that one a launcher, and that one the children that serve calls."""
    table = program.processes()

    def below(parents):
        return {child for child, parent, command in table if parent in parents and "toolhost-worker" in command}

    return below(below(below({pid})))


class Share(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = ["--no-default-packs", "--pack-dir", cls.folder(CELL, "ok", "thread-ctor", "thread-bomb",
                                                                     "hang-sigterm-ignored")]
        cls.clean()
        cls.addClassCleanup(cls.clean)

    @classmethod
    def clean(cls):
        if os.path.exists(TRACE):
            os.remove(TRACE)

    def serve(self, level="isolated", *options, env=None):
        server = mcp.Server(self, *self.options, "--isolation", level, *options, env=env)
        self.addCleanup(server.__exit__)
        server.initialize()
        return server

    def spares(self, server, count):
        """The children that wait for calls, once there have been so many of them, and no others, for a while."""
        seen, since = None, time.monotonic()
        start = since
        while len(seen or ()) != count or time.monotonic() - since < 0.2:
            now = workers(server.pid)
            if now != seen:
                seen, since = now, time.monotonic()
            self.assertLess(time.monotonic() - start, 10 * program.SLACK, "%d, not %d" % (len(seen), count))
            time.sleep(0.02)
        return seen

    def ends_well(self, server):
        self.assertEqual(0, server.finish())
        self.assert_nothing_left()

    def value(self, result):
        self.assertNotIn("isError", result, result)
        return result["structuredContent"]

    # ---- Nothing is shared -----------------------------------------------------------------------------------------

    def test_two_calls_in_a_row_share_nothing(self):
        for level in BOTH:
            with self.subTest(level):
                self.clean()
                server = self.serve(level)
                marks = [self.value(server.call("cell_mark")) for _ in range(3)]
                for mark in marks:
                    self.assertEqual((0, False), (mark["calls_before"], mark["left_behind"]), mark)
                    self.assertEqual(marks[0]["descriptor"], mark["descriptor"], "none was left open")
                if level == "sandboxed":
                    self.assertEqual([(False, False)] * 3, [(mark["file"], mark["written"]) for mark in marks])
                    self.assertFalse(os.path.exists(TRACE))
                self.assertEqual(3, len({mark["process"] for mark in marks}), "each call has a process")
                self.ends_well(server)

    def test_secrets_of_the_host_are_not_seen(self):
        secret = "hunter2-" + os.urandom(8).hex()
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        self.addCleanup(os.close, write)
        os.set_inheritable(read, True)
        for level in BOTH:
            with self.subTest(level):
                result = self.run_program("call", *self.options, "--isolation", level, "cell_look",
                                          env={"SECRET": secret, "AWS_SECRET_ACCESS_KEY": secret, "TOOLHOST_MAX_DEPTH": "9"})
                self.assertEqual(0, result.status, result)
                seen = result.json
                self.assertNotIn(secret, result.out)
                names = {variable.split("=")[0] for variable in seen["environment"]}
                self.assertLessEqual({name for name in names if not name.endswith("SAN_OPTIONS")},
                                     {"LC_ALL", "LD_BIND_NOW", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
                self.assertEqual([0, 1, 2, 3], seen["descriptors"])

    def test_what_every_tool_may_use_works(self):
        for level in BOTH:
            with self.subTest(level):
                result = self.run_program("call", *self.options, "--isolation", level, "cell_use")
                self.assertEqual({"fstat": True, "getrandom": True, "clock_gettime": True, "qsort": True,
                                  "printf": "0.125", "thread": True, "unknown": True}, result.json)

    # ---- Limits ----------------------------------------------------------------------------------------------------

    def test_a_refused_allocation_is_memory_exceeded_whatever_the_tool_makes_of_it(self):
        if program.sanitized():
            self.skipTest("AddressSanitizer does not bear the limit")
        for level in BOTH:
            for how in ("fail", "ignore", "abort"):
                with self.subTest(how, level=level):
                    result = self.run_program("call", *self.options, "--isolation", level, "--json", "--max-memory-mb=64",
                                              "cell_memory", '{"how": "%s"}' % how)
                    self.assertEqual((4, "memory_exceeded"), (result.status, result.error["code"]), result)
                    self.assertEqual(64, result.error["details"]["memory_mb"])
                    self.assertGreaterEqual(result.error["details"]["observed"], 1 << 30)

    def test_one_call_may_ask_for_less_memory(self):
        if program.sanitized():
            self.skipTest("AddressSanitizer does not bear the limit")
        server = self.serve()
        result = server.call("cell_memory", {"how": "fail"}, {"toolhost/limits": {"memory_mb": 32}})
        error = mcp.failure(result)
        self.assertEqual(("memory_exceeded", 32), (error["code"], error["details"]["memory_mb"]))
        self.ends_well(server)

    def test_each_call_of_a_pool_has_its_own_limit(self):
        if program.sanitized():
            self.skipTest("AddressSanitizer does not bear the limit")
        server = self.serve("isolated", "--worker-calls", "5", "--spare-workers", "1", "--max-memory-mb", "8192")
        little = {"toolhost/limits": {"memory_mb": 64}}
        for limits in (little, None, little, None):
            if limits:
                self.assertEqual("memory_exceeded", mcp.failure(server.call("cell_memory", {"how": "fail"}, limits))["code"])
            self.value(server.call("cell_use", {}, little))
            self.assertEqual({"had": True}, self.value(server.call("cell_memory", {"how": "fail"})))
        self.ends_well(server)

    def lateness(self, level, deaf):
        """How long after its deadline, and the grace, a call has been answered and its process is gone."""
        server = self.serve(level, "--timeout", "0.5")
        self.value(server.call("cell_use"))  # the launcher is there
        spare = self.spares(server, 2)
        start = time.monotonic()
        error = mcp.failure(server.call("cell_sleep", {"seconds": 60, "deaf": deaf}))
        self.assertTrue(program.wait_until(lambda: len(spare - workers(server.pid)) == 1), "the one that slept is gone")
        took = time.monotonic() - start
        self.assertEqual(("timeout", {"tool_name": "cell_sleep", "timeout": 0.5, "phase": "run"}),
                         (error["code"], error["details"]))
        self.assertGreaterEqual(took, 0.5)
        self.ends_well(server)
        return took - 0.5 - (GRACE if deaf else 0)

    def test_a_timeout_comes_in_time_and_leaves_no_process(self):
        for level in BOTH:
            for deaf in (False, True):
                with self.subTest(level, deaf=deaf):
                    # A machine may stand still for a moment, but not each time.
                    late = [self.lateness(level, deaf)]
                    while late[-1] >= LATE and len(late) < 3:
                        late.append(self.lateness(level, deaf))
                    self.assertLess(late[-1], LATE, late)

    # ---- Giving up -------------------------------------------------------------------------------------------------

    def test_a_cancelled_call_ends_and_no_other(self):
        server = self.serve("isolated", "--spare-workers", "0")
        self.value(server.call("cell_use"))
        self.assertTrue(program.wait_until(lambda: not workers(server.pid), 5))
        doomed = server.post_call("cell_sleep", {"seconds": 30})
        self.assertTrue(program.wait_until(lambda: len(workers(server.pid)) == 1, 5), "it runs")
        process = workers(server.pid)
        other = server.post_call("cell_sleep", {"seconds": 1.5})
        self.assertTrue(program.wait_until(lambda: len(workers(server.pid)) == 2, 5), "both run")
        server.notify("notifications/cancelled", {"requestId": doomed, "reason": "a test"})
        self.assertTrue(program.wait_until(lambda: not process & workers(server.pid), 0.3 * program.SLACK), "it is gone")
        self.assertEqual(1, len(workers(server.pid)), "the other runs on")
        self.assertIn("process", self.value(server.answer(other)["result"]))
        server.ping()
        self.assertNotIn(str(doomed), server.responses, "a cancelled call is not answered")
        self.assertEqual([], server.orphans)
        self.ends_well(server)

    def test_a_late_answer_is_dropped(self):
        """A tool that answers within the grace after its deadline has had its one answer, the timeout."""
        server = self.serve("isolated", "--timeout", "0.3")
        calls = [server.post_call("cell_sleep", {"seconds": 0.3 + 0.002 * i, "deaf": True}) for i in range(8)]
        for call in calls:
            result = server.answer(call)["result"]
            if "isError" in result:
                self.assertEqual("timeout", mcp.failure(result)["code"])
        time.sleep(0.5)
        server.ping()
        self.assertEqual({}, server.responses)
        self.ends_well(server)

    # ---- Across the border -----------------------------------------------------------------------------------------

    def test_progress_and_logs_cross_in_order(self):
        for level in BOTH:
            with self.subTest(level):
                server = self.serve(level, "--log-level", "warning")
                server.request("logging/setLevel", {"level": "warning"})
                result = server.call("cell_speak", {"steps": 200}, meta={"progressToken": "token"})
                self.assertEqual(200, self.value(result)["steps"])
                steps = [note["params"] for note in server.notifications if note["method"] == "notifications/progress"]
                lines = [note["params"] for note in server.notifications if note["method"] == "notifications/message"]
                self.assertEqual(["token"] * len(steps), [step["progressToken"] for step in steps])
                done = [step["progress"] for step in steps]
                self.assertEqual(sorted(set(done)), done, "progress grows")
                self.assertEqual((200, 200, "step 200"), (steps[-1]["progress"], steps[-1]["total"], steps[-1]["message"]))
                self.assertEqual(["line %d" % i for i in range(1, 201)],
                                 [line["data"]["message"] if isinstance(line["data"], dict) else line["data"]
                                  for line in lines])
                self.ends_well(server)

    def test_the_longest_name_crosses(self):
        for level in ("in-process", *BOTH):
            with self.subTest(level):
                server = self.serve(level)
                name = max(server.tools(), key=len)
                self.assertEqual(128, len(name), name)
                self.assertEqual({"done": True}, self.value(server.call(name)))
                self.ends_well(server)

    def test_ten_megabytes_each_way_and_on_standard_error_at_once(self):
        text = "0123456789abcde\n" * (10 * 1024 * 1024 // 16)
        for level in BOTH:
            with self.subTest(level):
                server = self.serve(level, env={"TOOLHOST_MAX_STRING": str(len(text))})
                calls = [server.post_call("cell_flood", {"text": text}) for _ in range(2)]
                for call in calls:
                    self.assertTrue(self.value(server.answer(call)["result"])["text"] == text)
                self.ends_well(server)

    # ---- How many processes ----------------------------------------------------------------------------------------

    def test_a_hundred_calls_at_once_have_eight_workers(self):
        server = self.serve("isolated", "--max-workers", "8", "--spare-workers", "2", "--max-calls", "200")
        self.value(server.call("cell_use"))
        self.spares(server, 2)
        most, start = 0, time.monotonic()
        calls = [server.post_call("cell_sleep", {"seconds": 0.1}) for _ in range(100)]
        posted = time.monotonic()
        while time.monotonic() - posted < 0.8:
            most = max(most, len(workers(server.pid)))
        for call in calls:
            self.assertIn("process", self.value(server.answer(call)["result"]))
        self.assertGreaterEqual(time.monotonic() - start, 100 / 8 * 0.1 * 0.9, "most of them waited")
        self.assertGreater(most, 6, "they ran side by side")
        # A child that has answered is an ended one a moment later.
        self.assertLessEqual(most, 8 + 2 + 8)
        self.spares(server, 2)
        self.ends_well(server)

    def test_threads_are_counted_for_each_call(self):
        for level in BOTH:
            with self.subTest(level):
                server = self.serve(level, "--max-threads", "20")
                calls = [server.post_call("thread_bomb") for _ in range(4)]
                for call in calls:
                    started = self.value(server.answer(call)["result"])
                    self.assertTrue(started["stopped"])
                    self.assertLess(9, started["started"])
                    self.assertGreaterEqual(40, started["started"], "what others start is not counted, nor missed")
                self.ends_well(server)

    def test_without_spares_a_call_forks_its_process(self):
        server = self.serve("isolated", "--spare-workers", "0")
        for _ in range(3):
            self.value(server.call("cell_use"))
            self.assertTrue(program.wait_until(lambda: not workers(server.pid), 5), "none waits")
        calls = [server.post_call("cell_sleep", {"seconds": 0.3}) for _ in range(4)]
        self.assertEqual(4, len({self.value(server.answer(call)["result"])["process"] for call in calls}))
        self.ends_well(server)

    def test_a_pool_uses_a_process_again(self):
        server = self.serve("isolated", "--worker-calls", "3", "--spare-workers", "1")
        marks = [self.value(server.call("cell_mark")) for _ in range(6)]
        self.assertEqual([0, 1, 2, 0, 1, 2], [mark["calls_before"] for mark in marks])
        self.assertEqual(2, len({mark["process"] for mark in marks}))
        server.finish()
        self.assert_nothing_left()

    def test_where_processes_are_few_calls_take_turns(self):
        """One that waits for a process does not keep others from giving theirs back."""
        as_nobody = ["setpriv", "--reuid=64531", "--regid=64531", "--clear-groups"]
        if os.geteuid() != 0:
            self.skipTest("takes a user who has no other process")
        if subprocess.run([*as_nobody, "test", "-x", program.TOOLHOST, "-a", "-r", CELL], check=False).returncode:
            self.skipTest("the build lies where other users cannot look")
        nowhere = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"), "/proc/nowhere")
        right = 0
        for limit in range(13, 26, 2):
            command = [*as_nobody, "prlimit", "--nproc=%d" % limit, program.TOOLHOST, "serve", "--stdio",
                       "--no-default-packs", "--pack-dir", os.path.dirname(CELL), "--isolation", "isolated",
                       "--worker-calls", "50", "--spare-workers", "0", "--tool-timeout", "30"]
            with self.subTest(limit), mcp.Server(self, command=command, env=nowhere) as server:
                server.initialize()
                for _ in range(10):
                    calls = [server.post_call("cell_use") for _ in range(6)]
                    for call in calls:
                        result = server.answer(call, 10)["result"]
                        code = mcp.failure(result)["code"] if result.get("isError") else "answer"
                        self.assertIn(code, ("answer", "worker_failed"), result)
                        right += code == "answer"
                self.assertEqual(0, server.finish())
        self.assertGreater(right, 60)

    def test_a_pack_that_starts_threads_when_loaded_runs_isolated(self):
        for level in BOTH:
            with self.subTest(level):
                server = self.serve(level)
                for _ in range(5):
                    self.assertEqual({"started": True}, self.value(server.call("thread_ctor")))
                self.ends_well(server)
        shown = self.run_program("show", *self.options, "thread_ctor")
        self.assertIn("isolated", shown.out)

    # ---- Matrices --------------------------------------------------------------------------------------------------

    def test_a_matrix_product_has_one_thread_and_nothing_to_say(self):
        if not os.path.exists(MATRIX):
            self.skipTest("built without LAPACKE")
        options = ["--no-default-packs", "--pack-dir", self.folder(MATRIX)]
        for level in BOTH:
            with self.subTest(level):
                result = self.run_program("call", *options, "--isolation", level, "-v", "matrix", '{"size": 300}')
                self.assertEqual((0, {"when_loaded": 64, "trace": 90000, "threads": 1}),
                                 (result.status, result.out and result.json), result)
                self.assertNotRegex(result.err.lower(), "openblas|pthread|matrix: ")
                with mcp.Server(self, *options, "--isolation", level) as server:
                    server.initialize()
                    calls = [server.post_call("matrix", {"size": 8}) for _ in range(50)]
                    for call in calls:
                        self.assertEqual({"when_loaded": 64, "trace": 64, "threads": 1},
                                         self.value(server.answer(call)["result"]))
                    self.assertEqual(0, server.finish())


if __name__ == "__main__":
    program.main(__name__)
