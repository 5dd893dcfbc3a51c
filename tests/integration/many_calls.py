# SPDX-License-Identifier: MIT
"""100,000 calls on one connection: every answer is right and matched to its id, and nothing grows."""
import os

import mcp
import program

CALLS = 100000
ROUND = 50  # in flight at once, below the cap on calls in progress
# At rest: the leader, the watcher, the thread that led first, and four that wait for work.
THREADS = 7
# The least that malloc() can keep for a call is 32 bytes, which would be 3,125 KiB in the end.
GROWTH = 2048  # KiB


def resident(pid):
    """Memory that is the process's own, in KiB."""
    with open("/proc/%d/smaps_rollup" % pid, encoding="ascii") as file:
        fields = dict(line.split(":") for line in file.read().splitlines()[1:])
    return sum(int(fields[name].split()[0]) for name in ("Private_Clean", "Private_Dirty"))


def descriptors(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def threads(pid):
    return len(os.listdir("/proc/%d/task" % pid))


class ManyCalls(program.Case):
    def exchange(self, server, first):
        """One round: an echo, a failing argument and a failing tool among sums. Answers how many were right."""
        ids = range(first, first + ROUND)
        lines = []
        for id in ids:
            tool, arguments = [("summary", {"values": [id, 0.5]}), ("lab_fail", {}), ("summary", {"values": "x%d" % id}),
                               ("lab_whole", {"value": id})][(id % 100 == 1) + 2 * (id % 100 == 2) + 3 * (id % 5 == 3)]
            lines.append(mcp.encode({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                                     "params": {"name": tool, "arguments": arguments}}))
        server.send_bytes(b"".join(lines))
        for id in ids:
            result = server.answer(id)["result"]
            if id % 100 == 1:
                self.assertEqual("tool_error", mcp.failure(result)["code"])
            elif id % 100 == 2:
                self.assertEqual("input_invalid", mcp.failure(result)["code"])
            elif id % 5 == 3:
                self.assertEqual(id, result["structuredContent"]["value"])
            else:
                self.assertEqual(id + 0.5, result["structuredContent"]["sum"])

    def warm(self, server):
        """Brings memory and threads to the size that they have from then on: as many calls at once as there may be, and
        more long ones than there are threads."""
        ids = [server.post_call("lab_wait", {"seconds": 0.02 if n % 4 == 0 else 0}) for n in range(64)]
        for id in ids:
            self.assertIn("waited", server.answer(id)["result"]["structuredContent"])

    def test_nothing_grows(self):
        calls = CALLS // 10 if program.sanitized() else CALLS
        with mcp.Server(self, *self.lab()) as server:
            server.initialize()
            server.tools()
            next_id = 1000
            self.warm(server)
            for _ in range(10000 // ROUND // 5):
                self.exchange(server, next_id)
                next_id += ROUND
            before = resident(server.pid), descriptors(server.pid), threads(server.pid)
            for _ in range(calls // ROUND):
                self.exchange(server, next_id)
                next_id += ROUND
            after = resident(server.pid), descriptors(server.pid), threads(server.pid)
            print("private memory %d KiB, then %d; descriptors %d, then %d; threads %d, then %d"
                  % tuple(number for pair in zip(before, after) for number in pair))
            self.assertEqual(before[1], after[1], "descriptors")
            self.assertLessEqual(after[2], THREADS, "threads")
            if not program.sanitized():
                self.assertLess(after[0], before[0] + GROWTH, "private memory in KiB")
            self.assertEqual(({}, [], []), (server.responses, server.notifications, server.orphans))
            self.assertEqual(0, server.finish())


if __name__ == "__main__":
    program.main(__name__)
