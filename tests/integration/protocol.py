# SPDX-License-Identifier: MIT
"""The protocol of 2024-11-05 to 2025-11-25: the handshake, ids, errors, listing, calling, cancelling, progress, logging."""
import os
import random
import re
import time

import mcp
import program


class Handshake(mcp.Lab):
    def test_every_supported_revision_comes_back(self):
        for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
            with self.subTest(version), self.serve(initialized=False) as server:
                result = server.initialize(version)
                self.assertEqual(version, result["protocolVersion"])
                self.assertEqual({"name", "version"}, {"name", "version"} & set(result["serverInfo"]))
                self.assertIn("tools", result["capabilities"])
                self.assertIn("logging", result["capabilities"])
                self.assertIn("lab_nothing", server.tools())

    def test_an_unknown_revision_gets_one_that_is_supported(self):
        for version in ("2099-01-01", "1999-12-31", ""):
            with self.subTest(version), self.serve(initialized=False) as server:
                self.assertEqual(mcp.NEWEST, server.initialize(version)["protocolVersion"])

    def test_a_list_at_once(self):
        with self.serve(initialized=False) as server:
            first = server.post("initialize", {"protocolVersion": mcp.NEWEST, "capabilities": {},
                                               "clientInfo": {"name": "tests", "version": "1"}})
            second = server.post("tools/list")
            self.assertIn("result", server.answer(first))
            self.assertTrue(server.answer(second)["result"]["tools"])

    def test_a_ping_before_initialize(self):
        with self.serve(initialized=False) as server:
            server.ping()

    def test_initialize_without_what_it_needs(self):
        for params in ({}, {"protocolVersion": 1}, None):
            with self.subTest(repr(params)), self.serve(initialized=False) as server:
                self.assertEqual(-32602, server.request("initialize", params)["error"]["code"])
                server.initialize()


class Messages(mcp.Lab):
    def test_ids_keep_their_type(self):
        with self.serve() as server:
            for id in (0, "", "a", -1, 9007199254740993, "\u00fc\"\\"):
                with self.subTest(repr(id)):
                    self.assertEqual({}, server.request("ping", id=id)["result"])

    def test_what_is_no_id(self):
        with self.serve() as server:
            for id in (None, True, 1.5, [1], {}):
                with self.subTest(repr(id)):
                    server.post("ping", id=id)
                    self.assertEqual(-32600, server.orphan()["error"]["code"])
            server.ping()

    def test_notifications_are_not_answered(self):
        with self.serve(initialized=False) as server:
            server.initialize()
            for method in ("notifications/initialized", "notifications/unknown", "tools/list", "no/such/method"):
                server.notify(method)
            server.ping()
            self.assertEqual(({}, [], []), (server.responses, server.notifications, server.orphans))

    def test_responses_are_not_answered(self):
        with self.serve() as server:
            server.send({"jsonrpc": "2.0", "id": 999, "result": {}})
            server.send({"jsonrpc": "2.0", "id": 998, "error": {"code": 1, "message": "no"}})
            server.ping()
            self.assertEqual(({}, []), (server.responses, server.orphans))

    def test_a_list_of_requests(self):
        with self.serve() as server:
            server.send([{"jsonrpc": "2.0", "id": 1001, "method": "ping"},
                         {"jsonrpc": "2.0", "id": 1002, "method": "ping"}])
            orphan = server.orphan()
            self.assertEqual(-32600, orphan["error"]["code"])
            self.assertNotIn("id", orphan)
            server.ping()
            self.assertEqual(({}, []), (server.responses, server.orphans))

    def test_invalid_requests(self):
        for message in ({"jsonrpc": "2.0", "id": 5}, {"id": 5, "method": "ping"},
                        {"jsonrpc": "1.0", "id": 5, "method": "ping"}, {"jsonrpc": "2.0", "id": 5, "method": 3}):
            with self.subTest(repr(message)), self.serve() as server:
                server.send(message)
                self.assertEqual(-32600, server.answer(5)["error"]["code"])
                server.ping()
        for message in ({}, 1, "ping", None):
            with self.subTest(repr(message)), self.serve() as server:
                server.send(message)
                self.assertEqual(-32600, server.orphan()["error"]["code"])
                server.ping()

    def test_unknown_methods(self):
        with self.serve() as server:
            for params in ({}, mcp.ABSENT):
                error = server.request("invalid/method", params)["error"]
                self.assertEqual(-32601, error["code"])
                self.assertIn("invalid/method", error["message"])

    def test_params(self):
        with self.serve() as server:
            for params in (mcp.ABSENT, None, {}, {"_meta": {"progressToken": 0}}):
                with self.subTest(repr(params)):
                    self.assertTrue(server.request("tools/list", params)["result"]["tools"])
            for params in ([], 1, "x", True):
                with self.subTest(repr(params)):
                    self.assertEqual(-32602, server.request("tools/list", params)["error"]["code"])

    def test_unknown_metadata_is_ignored(self):
        with self.serve() as server:
            result = server.call("summary", {"values": [1]}, {"progressToken": 1, "x.example/y": {}})
            self.assertEqual(1, result["structuredContent"]["sum"])


class Listing(mcp.Lab):
    def test_pages(self):
        with self.serve() as server:
            whole = list(server.tools())
            self.assertNotIn("nextCursor", server.request("tools/list")["result"])
        for size in (1, 3, len(whole), len(whole) + 1):
            with self.subTest(size), self.serve(env={"TOOLHOST_PAGE_SIZE": str(size)}) as server:
                self.assertEqual(min(size, len(whole)), len(server.request("tools/list")["result"]["tools"]))
                self.assertEqual(whole, list(server.tools()))

    def test_bad_cursors(self):
        with self.serve() as server:
            for cursor in ("nonsense", "-1", "99999999999999999999", 5, []):
                with self.subTest(repr(cursor)):
                    self.assertEqual(-32602, server.request("tools/list", {"cursor": cursor})["error"]["code"])

    def test_what_a_tool_says_of_itself(self):
        with self.serve() as server:
            for name, tool in server.tools().items():
                with self.subTest(name):
                    self.assertTrue(tool["description"])
                    self.assertEqual("object", tool["inputSchema"]["type"])
                    self.assertEqual("object", tool.get("outputSchema", {"type": "object"})["type"])
                    self.assertRegex(name, r"^[A-Za-z0-9_.-]{1,64}$")


class Calling(mcp.Lab):
    def test_a_result_with_declared_fields(self):
        with self.serve() as server:
            result = server.call("summary", {"values": [1, 2, 3]})
            self.assertEqual({"sum": 6, "count": 3, "trim": 0.1, "trim_given": False}, result["structuredContent"])
            self.assertEqual(result["structuredContent"], program.strict_json(result["content"][0]["text"]))
            self.assertFalse(result.get("isError", False))

    def test_what_is_an_error_of_the_protocol(self):
        with self.serve() as server:
            for params, word in (({"name": "no_such_tool"}, "no_such_tool"), ({"name": "sumary"}, "summary"),
                                 ({}, "name"), ({"name": 5}, "name"), ({"name": "summary", "arguments": [1]}, "arguments"),
                                 ({"name": "summary", "arguments": 5}, "arguments"), (None, "name")):
                with self.subTest(repr(params)):
                    error = server.request("tools/call", params)["error"]
                    self.assertEqual(-32602, error["code"])
                    self.assertIn(word, error["message"])
                    self.assert_bounded(error["message"])

    def test_no_path_is_told_of_a_tool_that_is_off(self):
        config = self.write("off.conf", 'disabled_tools = { "summary" }\n')
        with self.serve("--config", config) as server:
            error = server.request("tools/call", {"name": "summary"})["error"]
            self.assertEqual(-32602, error["code"])
            self.assertIn("switched off", error["message"])
            self.assertNotIn(self.home, repr(error))
        result = self.run_program("call", *self.options, "--config", config, "summary", "{}")
        self.assertEqual(5, result.status)
        self.assertIn(config, result.err)

    def test_what_is_an_error_of_the_tool(self):
        with self.serve() as server:
            for tool, arguments, code in (("summary", {"values": [1], "trim": 0.9}, "input_invalid"),
                                          ("summary", {"values": []}, "input_invalid"),
                                          ("summary", mcp.ABSENT, "input_invalid"),
                                          ("lab_fail", {}, "tool_error")):
                with self.subTest(tool=tool, arguments=repr(arguments)):
                    error = mcp.failure(server.call(tool, arguments))
                    self.assertEqual(code, error["code"])
                    self.assert_bounded(error["message"])

    def test_a_failure_carries_the_details_of_the_tool(self):
        with self.serve() as server:
            error = mcp.failure(server.call("lab_fail"))
            self.assertEqual("this tool always fails", error["message"])
            self.assertEqual({"advice": "choose another tool"}, error["details"])

    def test_an_error_is_structured_only_where_no_schema_is_listed(self):
        with self.serve() as server:
            self.assertIn("error", server.call("lab_fail")["structuredContent"])
            self.assertNotIn("structuredContent", server.call("summary", {"values": []}))

    def test_answers_come_as_they_are_done(self):
        with self.serve() as server:
            slow = server.post_call("lab_wait", {"seconds": 3})
            begin = time.monotonic()
            server.ping()
            self.assertLess(time.monotonic() - begin, 0.1 * program.SLACK)
            self.assertEqual(1, server.call("summary", {"values": [1]})["structuredContent"]["sum"])
            self.assertLess(time.monotonic() - begin, 0.2 * program.SLACK)
            self.assertGreaterEqual(server.answer(slow)["result"]["structuredContent"]["waited"], 3)

    def test_warnings_travel_beside_the_result(self):
        with self.serve() as server:
            result = server.call("lab_talk")
            self.assertEqual({"done": True}, result["structuredContent"])
            self.assertEqual([{"category": "lab", "message": "lab warns of 2 things"}],
                             result["_meta"]["toolhost/warnings"])

    def test_the_seed_is_told(self):
        with self.serve() as server:
            first = server.call("lab_draw")
            seed = first["_meta"]["toolhost/seed"]
            again = server.call("lab_draw", {"seed": seed})
            self.assertEqual(first["structuredContent"], again["structuredContent"])
            self.assertEqual(seed, again["_meta"]["toolhost/seed"])
            other = server.call("lab_draw", {"seed": seed + 1})
            self.assertNotEqual(first["structuredContent"], other["structuredContent"])

    def test_a_deadline(self):
        with self.serve("--timeout", "1") as server:
            begin = time.monotonic()
            for heed in (True, False):
                error = mcp.failure(server.call("lab_wait", {"seconds": 4, "heed": heed}))
                self.assertEqual("timeout", error["code"])
                self.assertIs(True, error["retryable"])
                self.assertEqual("lab_wait", error["details"]["tool_name"])
            self.assertLess(time.monotonic() - begin, 2 + 1 * program.SLACK)
            server.ping()

    def test_a_tool_that_gives_up_by_itself(self):
        """Whether the tool or the host is first at the deadline makes no difference to what is said."""
        for level in ("in-process", "isolated"):
            with self.subTest(level), self.serve("--timeout", "0.2", "--isolation", level) as server:
                for _ in range(5):
                    error = mcp.failure(server.call("lab_give_up"))
                    self.assertEqual({"tool_name": "lab_give_up", "timeout": 0.2, "phase": "run"}, error["details"])
                    self.assertIn("did not finish within 0.2 seconds", error["message"])


class Cancelling(mcp.Lab):
    def test_a_tool_sees_it(self):
        with self.serve() as server:
            id = server.post_call("lab_wait", {"seconds": 10})
            time.sleep(0.1)  # so that the call is well under way, as the case has it
            server.notify("notifications/cancelled", {"requestId": id, "reason": "enough"})
            begin = time.monotonic()
            server.call("lab_nothing")
            self.assertLess(time.monotonic() - begin, 0.1 * program.SLACK)
            seen = r"cancelled after ([\d.]+) s"
            self.assertTrue(program.wait_until(lambda: re.search(seen, server.stderr())), server.stderr())
            after = float(re.search(seen, server.stderr()).group(1))
            self.assertLess(after, 0.1 + 0.1 * program.SLACK)
            self.assertTrue(server.silent(0.2), "a cancelled call is not answered")

    def test_before_the_scan_has_ended(self):
        folder = self.folder("ctor-loop", os.path.join(program.LAB, "lab.so"))
        with mcp.Server(self, "--no-default-packs", "--pack-dir", folder, "--scan-timeout", "2",
                        "--no-cache") as server:
            server.initialize()
            call, listing = server.post_call("lab_nothing"), server.post("tools/list")
            kept, last = server.post_call("lab_nothing"), server.post("tools/list")
            for id in (call, listing, last):
                server.notify("notifications/cancelled", {"requestId": id})
            more = server.post_call("lab_nothing")
            for id in (kept, more):
                self.assertTrue(server.answer(id)["result"]["structuredContent"]["done"])
            server.ping()
            self.assertEqual({}, server.responses)

    def test_many_near_their_end(self):
        chance = random.Random(20251125)
        with self.serve() as server:
            ids = []
            for _ in range(20):  # in rounds below the cap on calls in progress
                batch = [server.post_call("lab_wait", {"seconds": 0.01}) for _ in range(50)]
                for id in batch:
                    time.sleep(chance.uniform(0, 0.0004))
                    server.notify("notifications/cancelled", {"requestId": id})
                ids += batch
                server.ping()
            server.ping()
            self.assertTrue(server.call("lab_nothing")["structuredContent"]["done"])
            # An id that is answered twice fails in the client.
            self.assertEqual(0, server.finish())
            self.assertLessEqual(set(server.responses), {str(id) for id in ids})

    def test_what_is_not_there(self):
        with self.serve() as server:
            for params in ({"requestId": 987654}, {"requestId": "x"}, {}, {"requestId": None}, mcp.ABSENT):
                server.notify("notifications/cancelled", params)
            server.ping()
            self.assertEqual([], server.orphans)


class Progress(mcp.Lab):
    def progress(self, server, token=mcp.ABSENT):
        server.notifications.clear()
        server.call("lab_steps", {}, None if token is mcp.ABSENT else {"progressToken": token})
        return [message["params"] for message in server.notifications if
                message["method"] == "notifications/progress"]

    def test_tokens_keep_their_type(self):
        with self.serve() as server:
            for token in (0, 7, "7", ""):
                with self.subTest(repr(token)):
                    told = self.progress(server, token)
                    self.assertTrue(told)
                    for params in told:
                        self.assertIs(type(token), type(params["progressToken"]))
                        self.assertEqual(token, params["progressToken"])
            with self.subTest("none"):
                self.assertEqual([], self.progress(server))

    def test_only_what_grows_is_sent(self):
        with self.serve() as server:
            told = self.progress(server, 1)
            self.assertEqual([0.5, 1], [params["progress"] for params in told])
            self.assertEqual([1, 1], [params["total"] for params in told])
            self.assertEqual(["half", "done"], [params["message"] for params in told])


class Logging(mcp.Lab):
    def lines(self, server):
        server.notifications.clear()
        server.call("lab_talk")
        server.ping()
        return {message["params"]["level"]: message["params"] for message in server.notifications
                if message["method"] == "notifications/message"}

    def test_levels(self):
        with self.serve() as server:
            for level, expected in (("debug", {"error", "warning", "info", "debug"}), ("warning", {"error", "warning"}),
                                    ("error", {"error"}), ("emergency", set())):
                with self.subTest(level):
                    self.assertEqual({}, server.request("logging/setLevel", {"level": level})["result"])
                    lines = self.lines(server)
                    self.assertEqual(expected, set(lines))
                    for said, params in lines.items():
                        self.assertIn("lab says %s" % said, str(params["data"]))

    def test_bad_levels(self):
        with self.serve() as server:
            for params in ({"level": "loud"}, {"level": 1}, {}, mcp.ABSENT):
                with self.subTest(repr(params)):
                    self.assertEqual(-32602, server.request("logging/setLevel", params)["error"]["code"])


if __name__ == "__main__":
    program.main(__name__)
