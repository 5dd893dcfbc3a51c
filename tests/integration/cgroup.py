# SPDX-License-Identifier: MIT
"""Groups of processes (cgroup v2), one for each isolated call: what they count, what they stop, and that nothing stays behind.

Runs where this test has a group of its own that it may divide, and is skipped elsewhere:

    systemd-run --user --scope -p Delegate=yes env TOP_BUILDDIR=$PWD python3 ../tests/integration/cgroup.py

tests/vm/run starts it in a virtual machine, as root and as an ordinary user.
"""
import fcntl
import glob
import itertools
import os
import re
import signal
import subprocess
import unittest

import mcp
import program

LIMIT = 64
# What the kernel counts beside a call's own data, and what its pack has when loaded.
BESIDE = 160
CONTROLLERS = "+memory +pids"


def mount():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        for line in file:
            fields = line.split()
            if " - cgroup2 " in line and fields[3] == "/":
                return fields[4]
    raise unittest.SkipTest("no cgroup v2 is mounted")


def own_group():
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            if line.startswith("0::/"):
                return os.path.normpath(mount() + line[3:].strip())
    raise unittest.SkipTest("this process stands in no cgroup v2")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def below(group):
    """The groups in a group, of any depth, without it."""
    return sorted(os.path.relpath(path, group) for path, _, _ in os.walk(group) if path != group)


class Groups(program.Case):
    numbers = itertools.count()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not hasattr(Groups, "home_group"):
            Groups.home_group = cls.take_group()
        cls.options = ["--no-default-packs", "--pack-dir", cls.folder(
            os.path.join(program.LAB, "crowd.so"), os.path.join(program.LAB, "lab.so"), "hog", "fork-bomb", "thread-bomb", "ok")]
        cls.addClassCleanup(cls.remove_files)

    @classmethod
    def remove_files(cls):
        for path in glob.glob("/dev/shm/crowd-*"):
            if os.stat(path).st_uid == os.getuid() or os.getuid() == 0:
                os.remove(path)

    @classmethod
    def take_group(cls):
        """This test moves into a group of its own within its group, which then may be divided."""
        own = own_group()
        others = [pid for pid in read(own, "cgroup.procs").split() if int(pid) != os.getpid()]
        if not os.access(own, os.W_OK) or not os.access(os.path.join(own, "cgroup.procs"), os.W_OK):
            raise unittest.SkipTest("no cgroup v2 is delegated to this test")
        if others or not os.path.exists(os.path.join(own, "cgroup.events")):
            raise unittest.SkipTest("this test does not stand alone in its cgroup")
        missing = {"memory", "pids"} - set(read(own, "cgroup.controllers").split())
        if missing:
            raise unittest.SkipTest("no controller for %s in the cgroup of this test" % ", ".join(missing))
        os.mkdir(os.path.join(own, "test"))
        write("0", own, "test", "cgroup.procs")
        write(CONTROLLERS, own, "cgroup.subtree_control")
        return own

    def setUp(self):
        self.group = os.path.join(self.home_group, "case-%d-%d" % (os.getpid(), next(self.numbers)))
        os.mkdir(self.group)
        # systemd marks what it hands over; here it is the test that does.
        try:
            os.setxattr(self.group, "user.delegate", b"1")
        except OSError:
            pass
        self.addCleanup(self.leave_nothing)

    def leave_nothing(self):
        """Whatever happened, the group is as it was: nothing in it, nothing turned on."""
        program.wait_until(lambda: not below(self.group) and not read(self.group, "cgroup.procs"), 5 * program.SLACK)
        self.assertEqual(([], "", ""), (below(self.group), read(self.group, "cgroup.procs"),
                                        read(self.group, "cgroup.subtree_control").strip()))
        os.rmdir(self.group)

    def in_group(self, *command):
        """The command line that runs a program in this test's group."""
        return ["/bin/sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', self.group, *command]

    def run_in_group(self, *arguments, env=None):
        done = subprocess.run(self.in_group(program.TOOLHOST, *arguments), capture_output=True, timeout=program.PATIENCE,
                              env=self.environment(TOOLHOST_MAX_MEMORY_MB=str(LIMIT), **(env or {})), check=False)
        return program.Result(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"), 0)

    def call(self, tool, arguments="{}", level="isolated", options=(), env=None):
        return self.run_in_group("call", *self.options, "--isolation", level, "--timeout", "30", *options, "--json", tool, arguments,
                                 env=env)

    def serve(self, *options):
        server = mcp.Server(self, env={"TOOLHOST_MAX_MEMORY_MB": str(LIMIT)}, command=self.in_group(
            program.TOOLHOST, "serve", "--stdio", *self.options, "--isolation", "isolated", "--timeout", "30", *options))
        self.addCleanup(server.__exit__)
        server.initialize()
        return server

    def assert_exceeded(self, result):
        self.assertEqual(4, result.status, result)
        self.assertEqual("memory_exceeded", result.error["code"], result)
        details = result.error["details"]
        self.assertEqual(LIMIT, details["memory_mb"])
        self.assertGreaterEqual(details["observed"], LIMIT << 20)
        self.assertLess(details["observed"], LIMIT + BESIDE << 20)


class Memory(Groups):
    def test_what_is_no_data_of_the_process_counts(self):
        for tool in ("crowd_file", "crowd_map"):
            with self.subTest(tool):
                self.assertEqual({"mb": 16}, self.call(tool, '{"mb": 16}').json["result"])
                self.assert_exceeded(self.call(tool, '{"mb": 400}'))

    def test_processes_count_together(self):
        config = self.write("grants.conf", 'pack "crowd" { subprocess = true }\n')
        for tool in ("crowd_share", "crowd_fork"):
            with self.subTest(tool):
                self.assert_exceeded(self.call(tool, '{"mb": 240}', options=("--config", config)))
                self.assertEqual(0, self.call(tool, '{"mb": 16}', options=("--config", config)).status)

    @unittest.skipIf(program.sanitized(), "AddressSanitizer does not bear the limit")
    def test_a_call_has_its_whole_limit(self):
        """The group is the wider wall: what the limit on data allows it lets through, and what that refuses is told as before."""
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                self.assertEqual({"last": 1}, self.call("crowd_touch", '{"mb": 60}', level).json["result"])
                for tool, arguments in (("crowd_touch", '{"mb": 70}'), ("hog", "{}")):
                    result = self.call(tool, arguments, level)
                    self.assertEqual("memory_exceeded", result.error["code"], result)
                    self.assertIn("was refused", result.error["message"])

    def test_what_a_call_leaves_is_not_the_next_ones(self):
        """Files in memory that calls leave stay charged to the group; it is used again all the same."""
        server = self.serve("--max-workers", "1", "--spare-workers", "0")
        for _ in range(6):
            self.assertIn("file", server.call("crowd_leave", {"mb": 40})["structuredContent"])
        self.assertEqual({"mb": 16}, server.call("crowd_file", {"mb": 16})["structuredContent"])
        self.assertEqual("memory_exceeded", mcp.failure(server.call("crowd_file", {"mb": 400}))["code"])
        self.assertEqual(0, server.finish())

    def test_only_the_call_that_took_too_much_fails(self):
        server = self.serve()
        slow = server.post_call("lab_wait", {"seconds": 2})
        for _ in range(5):
            self.assertEqual("memory_exceeded", mcp.failure(server.call("crowd_file", {"mb": 400}))["code"])
            self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
        self.assertIn("waited", server.answer(slow)["result"]["structuredContent"])
        self.assertEqual(0, server.finish())


class Processes(Groups):
    def test_threads_of_one_call(self):
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                result = self.call("crowd_threads", '{"threads": 100}', level, env={"TOOLHOST_MAX_THREADS": "20"})
                self.assertEqual({"started": 19}, result.json["result"], "its first thread counts")

    def test_bombs(self):
        for level in ("isolated", "sandboxed"):
            with self.subTest(level):
                self.assertEqual({"started": 127, "stopped": True}, self.call("thread_bomb", level=level).json["result"])
                self.assertEqual("blocked", self.call("fork_bomb", level=level).error["code"])

    def test_each_call_has_a_group(self):
        server = self.serve("--max-workers", "4")
        found = {server.call("crowd_group")["structuredContent"]["group"] for _ in range(5)}
        for group in found:
            self.assertRegex(group, r"(?m)^0::.*/toolhost-%d/w\d+/c\d+$" % server.pid)
        self.assertEqual(0, server.finish())


class Traces(Groups):
    def test_doctor(self):
        result = self.run_in_group("doctor", "--json", *self.options)
        finding = {finding["name"]: finding for finding in result.json["machine"]}["groups"]
        self.assertEqual("good", finding["finding"], finding)
        self.assertIn("memory, the threads", finding["text"])
        self.assertIn(self.group, finding["text"])

    def test_a_host_that_is_killed_leaves_nothing(self):
        for moment in ("idle", "busy"):
            with self.subTest(moment):
                server = self.serve()
                server.call("ok")
                self.assertIn("host", " ".join(below(self.group)))
                if moment == "busy":
                    server.post_call("lab_wait", {"seconds": 20, "heed": False})
                    server.post_call("crowd_threads", {"threads": 50})
                server.process.send_signal(signal.SIGKILL)
                server.process.wait()
                self.assertTrue(program.wait_until(lambda: not below(self.group), program.SLACK), below(self.group))
                self.assert_nothing_left()

    def test_what_an_earlier_host_left_is_swept(self):
        for name in ("toolhost-1/w1/c0", "toolhost-2/w1/c0", "mine/toolhost-3"):
            os.makedirs(os.path.join(self.group, name))
        lock = os.open(os.path.join(self.group, "toolhost-2"), os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_SH)
        self.assertEqual(0, self.call("ok").status)
        program.wait_until(lambda: len(below(self.group)) == 5, program.SLACK)
        self.assertEqual(["mine", "mine/toolhost-3", "toolhost-2", "toolhost-2/w1", "toolhost-2/w1/c0"], below(self.group))
        os.close(lock)
        for name in reversed(below(self.group)):
            os.rmdir(os.path.join(self.group, name))

    def test_a_launcher_that_ends_takes_its_groups_along(self):
        server = self.serve("--worker-idle", "1")
        server.call("ok")
        self.assertTrue([name for name in below(self.group) if "/w" in name])
        self.assertTrue(program.wait_until(lambda: not [name for name in below(self.group) if "/w" in name],
                                           5 * program.SLACK))
        self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
        self.assertEqual(0, server.finish())


class Others(Groups):
    """A group in which somebody else stands is left alone."""

    def setUp(self):
        super().setUp()
        self.other = subprocess.Popen(self.in_group("sleep", "600"))
        program.wait_until(lambda: read(self.group, "cgroup.procs"))
        self.addCleanup(self.other.wait)
        self.addCleanup(self.other.kill)

    def test_calls_run_without_groups(self):
        result = self.call("crowd_group")
        self.assertEqual(0, result.status, result)
        self.assertTrue(result.json["result"]["group"].strip().endswith(os.path.basename(self.group)), result)
        self.assertEqual([str(self.other.pid)], read(self.group, "cgroup.procs").split())
        self.assertEqual([], below(self.group))

    def test_no_call_runs_where_groups_are_demanded(self):
        demand = ("--demand-cgroup",)
        result = self.call("ok", options=demand)
        self.assertEqual((4, "worker_failed"), (result.status, result.error["code"]), result)
        self.assertEqual("group", result.error["details"]["step"])
        self.assertIn("other processes", result.error["details"]["reason"])
        doctor = self.run_in_group("doctor", "--json", *self.options, *demand)
        self.assertEqual(1, doctor.status)
        finding = {finding["name"]: finding for finding in doctor.json["machine"]}["groups"]
        self.assertEqual("fault", finding["finding"])
        self.assertRegex(finding["cure"], re.escape("systemd-run --user --scope -p Delegate=yes toolhost serve"))


if __name__ == "__main__":
    program.main(__name__)
