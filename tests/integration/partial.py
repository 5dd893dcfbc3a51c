# SPDX-License-Identifier: MIT
"""What a tool gives ahead of its end: kept for a call that fails, dropped with a result, shown to who listens."""
import os
import time

import mcp
import program

LIMIT = 4 if program.sanitized() else 1
MIB = 1 << 20
ONE = '{"type":"text","text":""}'
MOST = 10000  # blocks of one call

STRATEGIES = {
    "in-process": [],
    "isolated": ["--isolation", "isolated"],
    "sandboxed": ["--isolation", "sandboxed"],
    "pooled": ["--isolation", "isolated", "--worker-calls", "50"],
}
# How the tool ends, and what has to come of it. The latter half ends the process, which is not done to the host.
ENDS = {"fail": "tool_error", "hang": "timeout", "give up": "timeout", "misuse": "result_invalid",
        "large": "result_too_large"}
DEATHS = {"crash": "crashed", "exit": "exited", "block": "blocked", "hog": "memory_exceeded"}
KINDS = [
    {"type": "text", "text": "\x01<\u00e9>"},
    {"type": "image", "data": "ATzDqT4=", "mimeType": "image/png"},
    {"type": "audio", "data": "ATzDqT4=", "mimeType": "image/png"},
    {"type": "resource", "resource": {"uri": "file:///part", "mimeType": "image/png", "text": "\x01<\u00e9>"}},
    {"type": "resource_link", "uri": "file:///part", "name": "part", "mimeType": "image/png"},
]


def block(number, size=0):
    return {"type": "text", "text": "part %d " % number + "p" * size}


def size_of(blocks):
    return sum(len(mcp.encode(item)) - 1 for item in blocks)


class Partial(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = [*cls.lab(os.path.join(program.LAB, "nasty.so")), "--timeout", str(LIMIT)]

    def serve(self, *options, level=None):
        server = mcp.Server(self, *self.options, *options)
        self.addCleanup(server.__exit__)
        server.initialize()
        if level:
            server.request("logging/setLevel", {"level": level})
        return server

    def ends_well(self, server):
        self.assertEqual(0, server.finish())
        self.assert_nothing_left()

    def ends(self, name):
        ends = dict(ENDS) if name == "in-process" else {**ENDS, **DEATHS}
        if program.sanitized():
            ends.pop("hog", None)
        return ends.items()

    def assert_told(self, error, blocks, more=False):
        told = error["details"]["partial"]
        self.assertEqual({"blocks": len(blocks), "more": more}, {"blocks": told["blocks"], "more": told["more"]})
        return told["bytes"]

    # ---- Every end, everywhere ---------------------------------------------------------------------------------------

    def test_they_stand_behind_the_error(self):
        expected = [block(1), block(2), *KINDS]
        for name, options in STRATEGIES.items():
            server = self.serve(*options)
            for end, code in self.ends(name):
                with self.subTest(name, end=end):
                    result = server.call("lab_parts", {"count": 2, "kinds": True, "end": end})
                    error = mcp.failure(result)
                    self.assertEqual(code, error["code"])
                    self.assertEqual(expected, result["content"][1:])
                    self.assertGreater(self.assert_told(error, expected), size_of(expected[:2]))
                    self.assertNotIn("structuredContent", result)
                    if end == "fail":
                        self.assertIs(True, error["details"]["own"])
                    # The next call knows nothing of it.
                    result = server.call("lab_parts", {"count": 0, "end": "fail"})
                    self.assertEqual({"own": True}, mcp.failure(result)["details"])
                    self.assertEqual(1, len(result["content"]))
            if name == "in-process":
                server.__exit__()  # a thread of it hangs on
            else:
                self.ends_well(server)

    def test_a_result_stands_alone(self):
        for name, options in STRATEGIES.items():
            with self.subTest(name):
                server = self.serve(*options)
                answers = [server.call("lab_parts", {"count": 3, "kinds": True}) for _ in range(3)]
                for answer in answers:
                    answer.pop("_meta")
                    self.assertEqual({"content": [{"type": "text", "text": '{"taken":3,"answer":0}'}],
                                      "structuredContent": {"taken": 3, "answer": 0}}, answer)
                self.assertEqual([], server.notifications, "nobody has asked for them")
                self.ends_well(server)

    def test_on_the_command_line(self):
        expected = [block(1), block(2), *KINDS]
        for name, options in STRATEGIES.items():
            for end, code in self.ends(name):
                with self.subTest(name, end=end):
                    arguments = '{"count": 2, "kinds": true, "end": "%s"}' % end
                    result = self.run_program("call", *self.options, *options, "--json", "lab_parts", arguments)
                    self.assertEqual(code, result.error["code"])
                    self.assertEqual(expected, result.json["content"])
                    self.assertEqual(["error", "content"], list(result.json))
        for options in STRATEGIES.values():
            result = self.run_program("call", *self.options, *options, "lab_parts",
                                      '{"count": 2, "kinds": true, "end": "fail"}')
            self.assertEqual((1, ""), (result.status, result.out))
            self.assertEqual(["toolhost: partial output of the tool, in blocks: 7", "part 1 ", "part 2 ", "\x01<\u00e9>",
                              "[image image/png, 8 bytes in base64; --json has them]",
                              "[audio image/png, 8 bytes in base64; --json has them]", "\x01<\u00e9>",
                              "[resource_link file:///part image/png]",
                              "toolhost: tool_error: no more parts"], result.err.splitlines())
            result = self.run_program("call", *self.options, *options, "lab_parts", '{"count": 2}')
            self.assertEqual((0, ""), (result.status, result.err))

    # ---- While the call runs -----------------------------------------------------------------------------------------

    def test_text_goes_to_a_client_that_listens(self):
        for name, options in STRATEGIES.items():
            with self.subTest(name):
                server = self.serve(*options, level="info")
                id = server.post_call("lab_parts", {"count": 2, "kinds": True, "end": "hang"}, id="the call")
                program.wait_until(lambda: server.ping() or len(server.notifications) >= 3, LIMIT)
                self.assertNotIn('"the call"', server.responses, "they come before the end")
                self.assertEqual(
                    [{"level": "info", "logger": "lab_parts", "data": text, "_meta": {"toolhost/partial": "the call"}}
                     for text in ("part 1 ", "part 2 ", "\x01<\u00e9>")],
                    [message["params"] for message in server.notifications])
                server.answer(id)
                self.assertEqual(3, len(server.notifications))
                for level in ("warning", "emergency"):
                    server.request("logging/setLevel", {"level": level})
                    server.call("lab_parts", {"count": 2})
                self.assertEqual(3, len(server.notifications))

    def test_a_cancelled_call_has_none(self):
        for name, options in STRATEGIES.items():
            with self.subTest(name):
                server = self.serve(*options, level="info")
                id = server.post_call("lab_parts", {"count": 1, "end": "give up"})
                program.wait_until(lambda: server.ping() or server.notifications)
                server.notify("notifications/cancelled", {"requestId": id})
                self.assertEqual({"taken": 1, "answer": 0},
                                 server.call("lab_parts", {"count": 1})["structuredContent"])
                self.ends_well(server)
                self.assertEqual({}, server.responses)

    def test_text_is_shown_as_it_comes(self):
        for options in STRATEGIES.values():
            result = self.run_program("call", *self.options, *options, "-v", "lab_parts", '{"count": 2, "kinds": true}')
            lines = [line for line in result.err.splitlines() if "pack lab: " in line]
            self.assertEqual(["toolhost: info: pack lab: part 1 ", "toolhost: info: pack lab: part 2 ",
                              "toolhost: info: pack lab: \\x01<\u00e9>"],
                             lines)
            self.assertEqual({"taken": 2, "answer": 0}, result.json)

    # ---- Too many and too much ---------------------------------------------------------------------------------------

    def test_they_are_bounded_in_number(self):
        for name, options in STRATEGIES.items():
            with self.subTest(name):
                server = self.serve(*options, "--timeout", "30")
                answer = server.call("lab_parts", {"count": MOST + 5})["structuredContent"]
                self.assertEqual({"taken": MOST, "answer": -5}, answer)
                result = server.call("lab_parts", {"count": MOST + 5, "end": "fail"})
                self.assertEqual([block(i + 1) for i in range(MOST)], result["content"][1:])
                self.assert_told(mcp.failure(result), result["content"][1:], True)
                result = server.call("lab_parts", {"count": MOST, "end": "fail"})
                self.assert_told(mcp.failure(result), result["content"][1:], False)

    def test_they_are_bounded_in_size(self):
        for name, options in STRATEGIES.items():
            with self.subTest(name):
                server = self.serve(*options, "--max-result-mb", "1", "--timeout", "30")
                fit = MIB // (size_of([block(1, 99999)]))
                answer = server.call("lab_parts", {"count": 1000, "bytes": 99999})["structuredContent"]
                self.assertEqual({"taken": fit, "answer": -5}, answer)
                result = server.call("lab_parts", {"count": 1000, "bytes": 99999, "end": "fail"})
                parts = result["content"][1:]
                self.assertEqual([block(i + 1, 99999) for i in range(fit)], parts)
                self.assertEqual(size_of(parts), self.assert_told(mcp.failure(result), parts, True))
                # One that is too large alone.
                result = server.call("lab_parts", {"count": 1, "bytes": MIB, "end": "fail"})
                self.assertEqual({"blocks": 0, "bytes": 0, "more": True}, mcp.failure(result)["details"]["partial"])
                self.assertEqual(1, len(result["content"]))

    def test_a_flood_holds_up_nobody(self):
        """A client that listens and reads gets answers between the lines of calls that never stop to give."""
        for name, options in STRATEGIES.items():
            with self.subTest(name):
                server = self.serve(*options, "--timeout", "30", level="info")
                floods = [server.post_call("lab_parts", {"count": MOST, "bytes": 1000}) for _ in range(4)]
                for _ in range(20):
                    start = time.monotonic()
                    self.assertEqual({"done": True}, server.call("lab_nothing")["structuredContent"])
                    self.assertLess(time.monotonic() - start, program.SLACK)
                for id in floods:
                    self.assertEqual({"taken": MOST, "answer": 0}, server.answer(id)["result"]["structuredContent"])

    def test_a_client_that_does_not_read(self):
        """What it does not take is left out, and not kept for it without end; the error has it all."""
        server = self.serve("--timeout", "30", level="info")
        id = server.post_call("lab_parts", {"count": MOST, "bytes": 1500, "end": "fail"})
        time.sleep(0.5)
        result = server.answer(id)["result"]
        self.assertEqual(MOST, len(result["content"]) - 1)
        self.assertLess(len(server.notifications) * 1500, 4 * MIB)
        self.ends_well(server)

    def test_the_end_comes_while_threads_give(self):
        """A process that dies within a frame of another thread has died, and is no forger."""
        for name in ("isolated", "sandboxed", "pooled"):
            server = self.serve(*STRATEGIES[name], "--timeout", "30", "--max-result-mb", "24")
            for end, code in (*DEATHS.items(), ("fail", "tool_error"), ("well", None)):
                if end == "hog" and program.sanitized():
                    continue
                with self.subTest(name, end=end):
                    for _ in range(5):
                        result = server.call("lab_crowd", {"count": 0, "end": end})
                        if code:
                            self.assertEqual(code, mcp.failure(result)["code"])
                            for part in result["content"][1:]:
                                self.assertEqual("c" * 300000, part["text"])
                        else:
                            self.assertEqual({"done": True}, result["structuredContent"])
            self.ends_well(server)

    # ---- Forgers -----------------------------------------------------------------------------------------------------

    def test_forged_parts(self):
        """A pack that has caught the token of its call sends frames of its own."""
        good, refused, large = "good", "worker_failed", "result_too_large"
        ends = {"good": good, "more": good, "text": good, "empty": refused, "garbage": refused, "kind": refused,
                "long": refused, "many": refused, "large": refused, "half": "exited", "endless": large}
        for options in (STRATEGIES["isolated"], STRATEGIES["pooled"], STRATEGIES["sandboxed"]):
            server = self.serve(*options, "--timeout", str(4 * LIMIT), level="info")
            for what, code in ends.items():
                for leave in (False, True):
                    with self.subTest(what, options=options, leave=leave):
                        result = server.call("nasty_forge_part", {"what": what, "then_exit": leave})
                        if what == "half" and not leave and "--worker-calls" in options:
                            # The rest may come until the deadline, as the process lives on.
                            self.assertEqual("timeout", mcp.failure(result)["code"])
                        elif code != good:
                            self.assertEqual(code, mcp.failure(result)["code"])
                            self.assertLessEqual(len(result["content"]) - 1, MOST)
                        elif leave:
                            self.assertEqual("exited", mcp.failure(result)["code"])
                        else:
                            self.assertEqual({"forged": True}, result["structuredContent"])
                        self.assertEqual({"good": True}, server.call("nasty_echo")["structuredContent"])
            self.ends_well(server)


program.main(__name__)
