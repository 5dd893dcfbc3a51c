# SPDX-License-Identifier: MIT
"""A program that is started where things are not as usual: right answers all the same, or an error that names the cause."""
import os
import shutil
import signal
import subprocess
import sys
import time

import mcp
import program

LEVELS = ("isolated", "sandboxed")
LAB = os.path.join(program.LAB, "lab.so")
GUARDED = os.path.join(program.LAB, "guarded.so")
WISHES = os.path.join(program.LAB, "wishes.so")
# What the first process of a container is to all below it.
INHERIT_ORPHANS = """
import ctypes, os, sys
assert not ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
os.execv(sys.argv[1], sys.argv[1:])
"""
HOLD_SIGNALS = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
os.execv(sys.argv[1], sys.argv[1:])
"""
HIDE = 'mount --make-rprivate / && mount -t proc -o hidepid=2 proc /proc && exec "$@"'


def of_python(script, *options):
    """The command of a server that a script of Python becomes."""
    return [sys.executable, "-c", script, program.TOOLHOST, "serve", "--stdio", *options]


def zombies(pid):
    """The children of a process that have ended and that nobody has waited for."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry, encoding="utf-8", errors="replace") as file:
                    state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            except OSError:
                continue
            if state == "Z" and int(parent) == pid:
                found.append(int(entry))
    return found


def children(pid):
    return [process for process, parent, _ in program.processes() if parent == pid]


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
                with mcp.Server(self, *self.options(GUARDED, LAB, level=level)) as server:
                    server.initialize()
                    for _ in range(3):
                        self.assertEqual({"caught": True}, server.call("guarded_read")["structuredContent"])
                        server.call("lab_wait", {"seconds": 0.05})  # another thread leads from here on
                    self.assertEqual(0, server.finish())


class Orphans(Base):
    def test_those_that_the_program_inherits(self):
        for level in LEVELS:
            with self.subTest(level):
                with mcp.Server(self, command=of_python(INHERIT_ORPHANS, *self.options("ok", level=level))) as server:
                    server.initialize()
                    for _ in range(3):
                        self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
                        for supervisor in children(server.pid):
                            os.kill(supervisor, signal.SIGKILL)
                        self.assertTrue(program.wait_until(lambda: not children(server.pid), program.SLACK))
                    self.assertTrue(program.wait_until(lambda: not zombies(server.pid), 3 * program.SLACK),
                                    zombies(server.pid))
                    self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
                    self.assertEqual(0, server.finish())
        self.assert_nothing_left()


class Files(Base):
    def test_a_pack_is_cut_while_it_is_served(self):
        """The children that stand ready have loaded it, and crash before their call or in it."""
        for level in LEVELS:
            with self.subTest(level):
                options = self.options("ok", level=level)
                with mcp.Server(self, *options) as server:
                    server.initialize()
                    self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
                    os.truncate(os.path.join(options[2], "ok.so"), 0)
                    for _ in range(6):
                        error = mcp.failure(server.call("ok"))
                        self.assertIn(error["code"], ("crashed", "worker_failed"))
                        if error["code"] == "crashed":
                            self.assertEqual(signal.SIGBUS, error["details"]["signal"])
                        self.assertNotIn("wrote to its channel", error["message"])
                    self.assertEqual(0, server.finish())

    def test_no_file_may_have_a_byte(self):
        if not shutil.which("prlimit"):
            self.skipTest("there is no prlimit")
        for level in LEVELS:
            with self.subTest(level):
                result = self.run_by(["prlimit", "--fsize=0"], "call", *self.options("ok", level=level), "--json", "ok")
                self.assertEqual(4, result.status, result)
                self.assertEqual("worker_failed", result.error["code"])
                self.assertIn("ulimit -f", result.error["message"])
        result = self.run_by(["prlimit", "--fsize=0"], "call", *self.options("ok", level="in-process"), "ok")
        self.assertEqual((0, {"well": True}), (result.status, result.json), result)


class Descriptors(Base):
    """The program may have few files open. A call that cannot be had is told so, and does not wait for its deadline."""

    def hold(self, most, level):
        options = self.options(LAB, level=level)
        self.run_program("list", *options)  # scanned without the limit
        command = ["prlimit", "--nofile=%d" % most, program.TOOLHOST, "serve", "--stdio", *options]
        with mcp.Server(self, command=command) as server:
            server.initialize()
            calls = [server.post_call("lab_wait", {"seconds": 0.2}) for _ in range(60)]
            for call in calls:
                result = server.answer(call)["result"]
                if result.get("isError"):
                    error = mcp.failure(result)
                    self.assertEqual("worker_failed", error["code"], error)
                    self.assertRegex(error["details"]["reason"], "descriptor|open files")
                    self.assertNotIn(program.BUILD, result["content"][0]["text"])
            self.assertTrue(program.wait_until(lambda: not server.call("lab_nothing").get("isError")))
            self.assertEqual(0, server.finish())

    def test_they_run_out(self):
        if not shutil.which("prlimit"):
            self.skipTest("there is no prlimit")
        for level in LEVELS:
            for most in (32, 40, 64):
                with self.subTest(level, most=most):
                    self.hold(most, level)
        self.assert_nothing_left()

    def test_the_path_of_a_worker_is_no_answer(self):
        if not shutil.which("prlimit"):
            self.skipTest("there is no prlimit")
        options = self.options(LAB)
        self.run_program("list", *options)
        for most in range(12, 20):
            result = self.run_by(["prlimit", "--nofile=%d" % most], "call", *options, "--json", "lab_nothing")
            with self.subTest(most):
                if result.status:
                    self.assertEqual("worker_failed", result.error["code"])
                    self.assertNotIn(program.BUILD, result.out)


class Turns(Base):
    def test_a_call_that_never_had_its_turn_says_so(self):
        """Those that run have a time of their own, and so are not answered before it."""
        with mcp.Server(self, *self.options(LAB), "--max-workers", "1", "--timeout", "0.5") as server:
            server.initialize()
            server.call("lab_nothing")
            begin = time.monotonic()
            calls = [server.post_call("lab_wait", {"seconds": 5}) for _ in range(60)]
            ran = 0
            for call in calls:
                error = mcp.failure(server.answer(call)["result"])
                self.assertEqual("timeout", error["code"])
                ran += error["details"]["phase"] == "run"
            self.assertLessEqual(ran, 1 + (time.monotonic() - begin) / 0.5)
            self.assertEqual(0, server.finish())


class Processes(Base):
    def granted(self):
        """Options that give a pack subprocesses; it has been scanned, and called once, without a limit."""
        if not shutil.which("prlimit"):
            self.skipTest("there is no prlimit")
        if os.geteuid():
            self.skipTest("the limit would count all processes of this user")
        config = self.write("granted.conf", 'pack "wishes" { subprocess = true }\n')
        options = [*self.options(WISHES), "--config", config]
        first = self.run_program("call", *options, "--json", "wish_run", '{"text": "true"}')
        if first.status == 4 and "doctor" in first.error["message"]:
            self.skipTest(first.error["message"])
        return options

    def test_they_run_out(self):
        """Whoever lacks one: the host, the supervisor, the launcher, or the keeper of one call."""
        options = self.granted()
        for most in range(1, 9):
            result = self.run_by(["prlimit", "--nproc=%d" % most], "call", *options, "--json", "wish_run",
                                 '{"text": "true"}')
            with self.subTest(most):
                if result.status == 4:
                    self.assertRegex(result.error["message"], "no more processes|temporarily unavailable")
                    self.assertTrue(result.error["details"]["reason"], result)
                else:
                    self.assertIn(result.status, (0, 1), result)
        self.assert_nothing_left()

    def test_one_call_lacks_one_and_the_others_go_on(self):
        options = [*self.granted(), "--spare-workers", "0"]
        for most in range(6, 10):
            command = ["prlimit", "--nproc=%d" % most, program.TOOLHOST, "serve", "--stdio", *options]
            with self.subTest(most), mcp.Server(self, command=command) as server:
                server.initialize()
                long = server.post_call("wish_run", {"text": "sleep 0.7; exit 3"})
                time.sleep(0.2)
                others = [server.call("wish_run", {"text": "true"}) for _ in range(2)]
                result = server.answer(long)["result"]
                if result.get("isError"):  # it lacked one itself
                    self.assertIn(mcp.failure(result)["code"], ("tool_error", "worker_failed"))
                    self.assertNotIn("launcher", mcp.failure(result)["message"], others)
                for other in others:
                    if other.get("isError"):
                        self.assertRegex(mcp.failure(other)["message"], "no more processes|temporarily unavailable")
                self.assertEqual(0, server.finish())


class Hidden(Base):
    """/proc tells only of processes that one could trace, which are fewer than those of one's own user."""

    def setUp(self):
        if os.geteuid():
            self.skipTest("only root mounts another /proc")
        self.hide = ["unshare", "-m", "-p", "-f", "sh", "-c", HIDE, "sh"]
        if not shutil.which("unshare") or subprocess.run([*self.hide, "true"], capture_output=True, check=False).returncode:
            self.skipTest("no other /proc can be mounted here")

    def test_verdicts(self):
        for level in LEVELS:
            options = ["--json", *self.options("abort", "exec-true", "fork-bomb", "kill-self", "thread-exit", level=level)]
            for tool, code, detail in (("abort", "crashed", 6), ("exec_true", "blocked", "execve"),
                                       ("fork_bomb", "blocked", "clone"), ("kill_self", "crashed", 9)):
                with self.subTest(tool, level=level):
                    error = self.run_by(self.hide, "call", *options, tool).error
                    self.assertEqual(code, error["code"], error)
                    self.assertIn(detail, error["details"].values())
            result = self.run_by(self.hide, "call", *options, "thread_exit")
            self.assertEqual((0, {"ended": True}), (result.status, result.json.get("result")), result)

    def test_it_cannot_be_helped(self):
        less = ["setpriv", "--bounding-set=-sys_admin"]
        if not shutil.which("setpriv"):
            self.skipTest("there is no setpriv")
        result = self.run_by([*self.hide, *less], "call", *self.options("abort"), "--json", "abort")
        self.assertEqual("worker_failed", result.error["code"], result)
        self.assertIn("hidepid", result.error["message"])


if __name__ == "__main__":
    program.main(__name__)
