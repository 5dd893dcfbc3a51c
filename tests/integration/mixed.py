# SPDX-License-Identifier: MIT
"""Everything at once on one connection: calls of every strategy, cancelled at random, late, failing, giving parts and
progress. Each answer is right and matched to its id, nothing is said of a call after its answer, and nothing leaks.

MIXED_CALLS says how many calls, MIXED_SEED where the random numbers start; a failure prints the seed.
"""
import collections
import os
import random
import time

import mcp
import program

CALLS = int(os.environ.get("MIXED_CALLS", "600"))
SEED = int(os.environ.get("MIXED_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 30)
IDLE_THREADS = 4
FLIGHT = 24  # calls in progress
# The same tools in packs of three names, each with its strategy.
PACKS = {"lab": "in-process", "iso": "isolated", "box": "sandboxed"}
DEATHS = {"crash": "crashed", "exit": "exited", "block": "blocked"}
ENDS = {"fail": "tool_error", "misuse": "result_invalid", "large": "result_too_large"}


def descriptors(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


class Call:
    """One request: what it asks, and what may come of it."""

    def __init__(self, pack, tool, arguments, code=None, value=None, parts=0, steps=False):
        self.tool = tool if pack == "lab" else tool.replace("lab_", pack + "_")
        self.strategy = PACKS[pack]
        self.arguments = arguments
        self.code = code
        self.value = value
        self.parts = parts
        self.steps = steps
        self.progress = -1.0
        self.told = 0  # the last part
        self.cancelled = False
        self.done = False


def make(rng, id):
    pack = rng.choice(list(PACKS))
    kind = rng.randrange(100)
    if kind < 30:
        return Call(pack, "lab_whole", {"value": id}, value={"value": id, "large": 1915883588174806058})
    if kind < 40:
        return Call(pack, "lab_steps", {}, value={"done": True}, steps=True)
    if kind < 50:
        return Call(pack, "lab_length", {"text": "t" * rng.randrange(50000)}, value=...)
    if kind < 60:
        return Call(pack, "lab_wait", {"seconds": rng.choice([0, 0.001, 0.02, 0.05])}, value=...)
    if kind < 63:
        return Call(pack, "lab_late", {"count": 2, "bytes": 0, "end": "give up" if pack == "lab" else "hang"},
                    code="timeout", parts=2)
    if kind < 68:
        return Call(pack, "lab_whole", {"value": "x%d" % id}, code="input_invalid")
    if kind < 72:
        return Call(pack, "lab_fail", {}, code="tool_error")
    count = rng.choice([0, 1, 3, 40])
    ends = {"well": None, **ENDS} if pack == "lab" else {"well": None, **ENDS, **DEATHS}
    end = rng.choice(list(ends)) if rng.random() < 0.5 else "well"
    return Call(pack, "lab_parts", {"count": count, "bytes": rng.choice([0, 10, 5000]), "end": end}, code=ends[end],
                value={"taken": count, "answer": 0}, parts=count)


class Mixed(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.packs = cls.folder()
        with open(os.path.join(program.LAB, "lab.so"), "rb") as file:
            lab = file.read()
        for name in PACKS:
            # Their names lie in the file as they are, and stay as long.
            data = lab.replace(b"lab_", b"%s_" % name.encode())
            if name != "lab":
                data = data.replace(b"\0summary\0", b"\0%smary\0" % name.encode())
            path = os.path.join(cls.packs, name + ".so")
            with open(path, "wb") as file:
                file.write(data)
            os.chmod(path, 0o755)
        folder = os.path.join(cls.home, "config", "toolhost")
        os.makedirs(folder)
        with open(os.path.join(folder, "toolhost.conf"), "w", encoding="ascii") as file:
            for name, strategy in PACKS.items():
                file.write('pack "%s" { isolation = %s }\n' % (name, strategy))

    def setUp(self):
        self.rng = random.Random(SEED)
        self.calls = {}
        self.open = set()
        self.ended = collections.Counter()

    # ---- What comes --------------------------------------------------------------------------------------------------

    def take_notification(self, message):
        params = message["params"]
        if message["method"] == "notifications/progress":
            call = self.calls[params["progressToken"]]
            self.assertTrue(call.steps)
            self.assertGreater(params["progress"], call.progress)
            call.progress = params["progress"]
        elif message["method"] == "notifications/message":
            if "_meta" not in params:
                return  # a line of a log, which belongs to no request
            call = self.calls[params["_meta"]["toolhost/partial"]]
            word, number, rest = params["data"].split(" ")
            self.assertEqual((call.tool, "part", "p" * call.arguments["bytes"]), (params["logger"], word, rest))
            # In order, though not all: the level changes.
            self.assertTrue(call.told < int(number) <= call.parts, params["data"][:100])
            call.told = int(number)
        else:
            self.fail("a notification that nobody has asked for: %.300r" % message)
        self.assertFalse(call.done, "said after the answer: %.300r" % message)

    def take_answer(self, message):
        id = message["id"]
        call = self.calls[id]
        self.assertFalse(call.done, "answered twice: %.300r" % message)
        call.done = True
        self.open.discard(id)
        result = message["result"]
        code = mcp.failure(result)["code"] if result.get("isError") else None
        self.ended[code] += 1
        self.assertEqual(call.code, code, "%s %.100r: %.500r" % (call.tool, call.arguments, result))
        if code != "input_invalid":
            self.assertEqual(call.strategy, result["_meta"]["toolhost/strategy"])
        if code is None and call.value is not ...:
            self.assertEqual(call.value, result["structuredContent"])
        elif code is None and "text" in call.arguments:
            self.assertEqual({"bytes": len(call.arguments["text"])}, result["structuredContent"])
        elif code == "timeout" and mcp.failure(result)["details"]["phase"] == "queue":
            self.assertEqual(1, len(result["content"]))
        elif code and call.parts:
            size = call.arguments["bytes"]
            self.assertEqual(["part %d " % (i + 1) + "p" * size for i in range(call.parts)],
                             [block["text"] for block in result["content"][1:]])
        elif code:
            self.assertEqual(1, len(result["content"]))

    def take(self, server, seconds=None):
        message = server.receive(seconds)
        self.assertIsNotNone(message, "the output ended; stderr: %s" % server.stderr()[-2000:])
        if "method" in message:
            self.take_notification(message)
        elif message.get("id") == "level" or message.get("id") == "ping":
            self.assertEqual({}, message["result"])
        else:
            self.take_answer(message)

    # ---- What goes ---------------------------------------------------------------------------------------------------

    def post(self, server, id):
        call = self.calls[id] = make(self.rng, id)
        self.open.add(id)
        meta = {"progressToken": id} if call.steps else None
        server.post_call(call.tool, call.arguments, meta, id)

    def cancel(self, server, id):
        self.calls[id].cancelled = True
        server.notify("notifications/cancelled", {"requestId": id})

    def disturb(self, server):
        what = self.rng.randrange(12)
        if what < 3 and self.open:
            self.cancel(server, self.rng.choice(sorted(self.open)))
        elif what == 3:
            done = [id for id, call in self.calls.items() if call.done]
            server.notify("notifications/cancelled", {"requestId": self.rng.choice(done or [-1])})
        elif what == 4:
            server.notify("notifications/cancelled", {"requestId": self.rng.choice(["1", -7, 1 << 40])})
        elif what == 5:
            server.post("logging/setLevel", {"level": self.rng.choice(["info", "debug", "emergency"])}, "level")
        elif what == 6:
            server.post("ping", id="ping")

    def settle(self, server):
        """Waits for every answer that has to come: a cancelled call may have been answered before it was."""
        end = time.monotonic() + program.PATIENCE
        while any(not self.calls[id].cancelled for id in self.open):
            self.take(server, max(end - time.monotonic(), 0.001))
        # Answers that were on their way would come in front of this one.
        server.post("ping", id="ping")
        while True:
            message = server.receive()
            if message.get("id") == "ping":
                break
            if "method" in message:
                self.take_notification(message)
            else:
                self.take_answer(message)
        self.open.clear()

    def run_calls(self, server, ids):
        for id in ids:
            while len([id for id in self.open if not self.calls[id].cancelled]) >= FLIGHT:
                self.take(server)
            self.post(server, id)
            self.disturb(server)
            while not server.silent(0.0001 if self.rng.random() < 0.9 else 0.01):
                self.take(server)
        self.settle(server)

    # ---- The tests ---------------------------------------------------------------------------------------------------

    def check(self, *options):
        server = mcp.Server(self, "--no-default-packs", "--pack-dir", self.packs, "--max-result-mb", "1",
                            "--replay-records", "0", *options,
                            env={"TOOLHOST_TOOL_TIMEOUT": str(program.PATIENCE // 2)})
        self.addCleanup(server.__exit__)
        server.initialize()
        with self.subTest(options=options, seed=SEED):
            self.run_calls(server, range(1, 251))
            before = self.at_rest(server)
            self.run_calls(server, range(251, CALLS + 1))
            self.assertTrue(program.wait_until(lambda: self.has_not_grown(server, before), 20 * program.SLACK),
                            "descriptors, threads, processes: %s before, %s now" % (before, self.holds(server)))
            # Chance decides, so not every end need be among them.
            self.assertLess(0, self.ended[None])
            self.assertLess(0, sum(self.ended.values()) - self.ended[None])
            self.assertEqual(0, server.finish())
            self.assert_nothing_left()

    @staticmethod
    def holds(server):
        return (descriptors(server.pid), len(os.listdir("/proc/%d/task" % server.pid)),
                len(program.descendants(server.pid)))

    def has_not_grown(self, server, before):
        """A few idle threads come and go, and a thread that has waited for a worker has a descriptor for that."""
        descriptors_now, threads_now, processes_now = self.holds(server)
        return (processes_now <= before[2] and threads_now <= before[1] + IDLE_THREADS
                and descriptors_now <= before[0] + IDLE_THREADS)

    def at_rest(self, server):
        """What it holds once that has stayed the same for a while."""
        seen, since = None, time.monotonic()
        while time.monotonic() - since < 0.5:
            now = self.holds(server)
            if now != seen:
                seen, since = now, time.monotonic()
            time.sleep(0.02)
        return seen

    def test_fresh_workers(self):
        self.check()

    def test_pooled_workers(self):
        self.check("--worker-calls", "10")

    def test_no_spare_workers(self):
        self.check("--spare-workers", "0", "--max-workers", "4")


program.main(__name__)
