# SPDX-License-Identifier: MIT
"""Eight clients make isolated calls, one in ten of a pack that crashes, hangs on to something or cheats; then the same
while launchers are killed. Every good call is answered right, and nothing stays behind or grows.

TOOLHOST_TEST_SOAK is the number of calls of each client, 500 where it is not set; the full soak has 10000.
"""
import os
import random
import signal
import threading
import time

import mcp
import program
import zoo_calls
from many_calls import descriptors, resident

CLIENTS = 8
CALLS = int(os.environ.get("TOOLHOST_TEST_SOAK", "50" if program.sanitized() else "500"))
IN_FLIGHT = 10
LAB = os.path.join(program.LAB, "lab.so")
# Those of the second shelf that come to their end at once, and neither fill a disk nor a log.
QUICK = ["abort", "bpf", "exec-true", "exit0", "exit3", "fork-bomb", "fork-twice", "frame-forger", "keyctl", "kill-parent",
         "no-answer", "ptrace-parent", "segv", "setsid", "stack-overflow", "thread-left", "two-answers", "userns"]
# Of bytes kept for each call 100 would be seen in the full soak; the rest is for the size that memory has to find.
KIB_ALLOWED = 1024
# Those that are killed for a call that fails where nobody supervises them, and that then answer.
FORBIDDEN = ["keyctl", "setsid", "userns"]


def zombies(pids):
    """Ended processes that one of `pids` has not waited for."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % entry, encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue
        if entry.isdigit() and state == "Z" and int(parent) in pids:
            found.append(int(entry))
    return found


def children(pid):
    """Of a host, the supervisors."""
    return [child for child, parent, _ in program.processes() if parent == pid]


class Client(threading.Thread):
    """One server and its calls. What went wrong is in `error` once it has ended."""

    def __init__(self, case, number, may_fail=False):
        super().__init__()
        self.case = case
        self.random = random.Random(number)
        self.may_fail = may_fail
        self.error = None
        self.good = self.bad = self.failed = 0
        self.server = mcp.Server(case, *case.options)
        self.server.initialize()

    def check(self, tool, number, result):
        """Whether the answer is the right one; `worker_failed` is, too, where launchers are killed."""
        error = mcp.failure(result) if result.get("isError") else None
        code = error["code"] if error else "answer"
        if self.may_fail and code == "worker_failed" and code not in self.case.codes.get(tool, []):
            self.failed += 1
        elif tool == "summary":
            self.case.assertIsNone(error)
            self.case.assertEqual(number + 0.5, result["structuredContent"]["sum"])
            self.good += 1
        else:
            self.case.assertIn(code, self.case.codes[tool], tool)
            self.bad += 1

    def exchange(self, tools):
        calls = []
        for tool in tools:
            number = self.random.randrange(1 << 20)
            arguments = {"values": [number, 0.5]} if tool == "summary" else {}
            calls.append((tool, number, self.server.post_call(tool, arguments)))
        for tool, number, id in calls:
            self.check(tool, number, self.server.answer(id)["result"])

    def draw(self):
        """The tools of one round."""
        tools = ["summary"] * (IN_FLIGHT - 1) + [self.random.choice(sorted(self.case.codes))]
        self.random.shuffle(tools)
        return tools

    def rounds(self, calls):
        for _ in range(max(calls // IN_FLIGHT, 1)):
            self.exchange(self.draw())

    def run(self):
        try:
            self.rounds(CALLS)
        except Exception as error:  # of any kind: it is told by the thread that waits for this one
            self.error = error

    def measure(self):
        """Descriptors and private memory, once what a rush of calls has started has ended."""
        least = [descriptors(self.server.pid), resident(self.server.pid)]
        for _ in range(20):
            time.sleep(0.1)
            least = [min(least[0], descriptors(self.server.pid)), min(least[1], resident(self.server.pid))]
        return least


class ForbiddenClient(Client):
    def draw(self):
        return self.random.choices(FORBIDDEN, k=IN_FLIGHT)


class Soak(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        packs = cls.folder(LAB, *QUICK)
        cls.options = ["--no-default-packs", "--pack-dir", packs, "--isolation", "isolated", "--spare-workers", "1",
                       "--log-level", "error"]
        verdicts = {name: codes for name, level, codes, _ in zoo_calls.table() if level == "isolated"}
        cls.codes = {name.replace("-", "_"): verdicts[name] for name in QUICK}
        cls.run_program("list", *cls.options)

    def clients(self, kind=Client, **more):
        clients = [kind(self, number, **more) for number in range(CLIENTS)]
        for client in clients:
            self.addCleanup(client.server.__exit__)
        return clients

    def join(self, clients):
        for client in clients:
            client.join()
        for client in clients:
            if client.error:
                raise client.error

    def finish(self, clients):
        pids = {client.server.pid for client in clients}
        pids |= {pid for client in clients for pid in program.descendants(client.server.pid)}
        self.assertTrue(program.wait_until(lambda: not zombies(pids), 5), "no zombie: %s" % zombies(pids))
        for client in clients:
            self.assertEqual(0, client.server.finish())
            self.assertEqual(({}, []), (client.server.responses, client.server.orphans))
        self.assert_nothing_left()

    def test_nothing_grows(self):
        clients = self.clients()
        for client in clients:
            client.exchange([*self.codes])  # every launcher is there
            client.rounds(min(CALLS, 500))
        before = [client.measure() for client in clients[:2]]
        start = time.monotonic()
        for client in clients:
            client.good = client.bad = 0
            client.start()
        self.join(clients)
        seconds = time.monotonic() - start
        after = [client.measure() for client in clients[:2]]
        good, bad = sum(client.good for client in clients), sum(client.bad for client in clients)
        print("%d good and %d bad calls of %d clients in %.1f s; descriptors and private KiB of two hosts: %s, then %s"
              % (good, bad, CLIENTS, seconds, before, after))
        self.assertEqual(CLIENTS * max(CALLS // IN_FLIGHT, 1) * IN_FLIGHT, good + bad)
        for early, late in zip(before, after):
            # A thread that has made an isolated call keeps one, and there may be as many more as calls in flight.
            self.assertLessEqual(late[0], early[0] + IN_FLIGHT, "descriptors")
            if not program.sanitized():
                self.assertLess(late[1], early[1] + KIB_ALLOWED, "memory")
        self.finish(clients)

    def kill_while_they_run(self, clients, victims_of):
        """Of a host at a time, one of the processes that `victims_of` finds; answers how many were killed."""
        chance = random.Random(len(clients))
        killed = 0
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            time.sleep(0.01)
            victims = sorted(victims_of(chance.choice(clients).server.pid))
            if victims:
                try:
                    os.kill(chance.choice(victims), signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
        self.join(clients)
        self.assertGreater(killed, 0)
        return killed

    def test_while_launchers_are_killed(self):
        clients = self.clients(may_fail=True)
        killed = self.kill_while_they_run(clients, program.descendants)
        good, failed = sum(client.good for client in clients), sum(client.failed for client in clients)
        print("%d processes killed; %d good calls answered right, %d calls of any kind worker_failed"
              % (killed, good, failed))
        # One kill takes the calls in flight of one pack along, and no others.
        self.assertLessEqual(failed, killed * IN_FLIGHT)
        for client in clients:
            client.may_fail = False
            client.exchange([*self.codes, *["summary"] * 20])
        self.finish(clients)

    def test_no_call_goes_unseen_while_supervisors_are_killed(self):
        """To the call, what the supervisor held fails as soon as that has ended, and it may answer."""
        clients = self.clients(ForbiddenClient, may_fail=True)
        killed = self.kill_while_they_run(clients, children)
        print("%d supervisors killed; of forbidden calls, %d were blocked and %d worker_failed"
              % (killed, sum(client.bad for client in clients), sum(client.failed for client in clients)))
        self.finish(clients)


if __name__ == "__main__":
    program.main(__name__)
