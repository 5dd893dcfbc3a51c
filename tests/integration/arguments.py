# SPDX-License-Identifier: MIT
"""Arguments as models and clients send them: what is repaired, what is refused, and what the refusal says."""
import json
import os

import mcp
import program


class Base(mcp.Lab):
    def call(self, tool, arguments):
        return self.run_program("call", *self.options, "--json", tool, json.dumps(arguments))


class Repair(Base):
    def test_a_number_as_text(self):
        with self.serve() as server:
            result = server.call("summary", {"values": [1, 2, 3], "trim": "0.1"})
            self.assertEqual(0.1, result["structuredContent"]["trim"])
            self.assertIs(True, result["structuredContent"]["trim_given"])
            self.assertEqual(["/trim"], result["_meta"]["toolhost/repaired"])
            error = mcp.failure(server.call("summary", {"values": [1], "trim": "0.6"}))
            self.assertEqual("input_invalid", error["code"], "bounds hold after the repair")

    def test_a_list_as_text(self):
        with self.serve(env={"TOOLHOST_MAX_CELLS": "10"}) as server:
            result = server.call("summary", {"values": "[1,2,3]"})
            self.assertEqual(6, result["structuredContent"]["sum"])
            self.assertEqual(["/values"], result["_meta"]["toolhost/repaired"])
            error = mcp.failure(server.call("summary", {"values": "[1,2,3,4,5,6,7,8,9,10,11]"}))
            self.assertEqual("input_too_large", error["code"], "caps count the items that were parsed")

    def test_not_everything_that_looks_like_it(self):
        with self.serve() as server:
            for arguments in ({"values": [1], "trim": "a tenth"}, {"values": [1], "trim": "0.1."},
                              {"values": [1], "trim": "0,1"}, {"values": [1], "trim": ""}, {"values": "[1,2"},
                              {"values": "1,2,3"}, {"values": "[01]"}, {"values": [1], "trim": "NaN"}):
                with self.subTest(repr(arguments)):
                    self.assertEqual("input_invalid", mcp.failure(server.call("summary", arguments))["code"])

    def test_nothing_is_said_where_nothing_was_repaired(self):
        with self.serve() as server:
            self.assertNotIn("toolhost/repaired", server.call("summary", {"values": [1]}).get("_meta", {}))

    def test_off_by_setting_and_on_the_command_line(self):
        with self.serve(env={"TOOLHOST_REPAIR_ARGUMENTS": "0"}) as server:
            for tool, arguments, path, expected, found in (
                    ("summary", {"values": [1, 2, 3], "trim": "0.1"}, "/trim", "number", "0.1"),
                    ("summary", {"values": "[1,2,3]"}, "/values", "array", "[1,2,3]")):
                with self.subTest(path):
                    problem = mcp.failure(server.call(tool, arguments))["details"]["errors"][0]
                    self.assertEqual((path, "type"), (problem["path"], problem["keyword"]))
                    self.assertIn(expected, problem["expected"])
                    self.assertIn(found, problem["found"])
                    refused = self.call(tool, arguments)
                    self.assertEqual(3, refused.status, refused)
                    self.assertEqual(problem, refused.error["details"]["errors"][0])

    def test_text_is_never_made_of_a_number(self):
        with self.serve() as server:
            error = mcp.failure(server.call("lab_length", {"text": 1}))
            self.assertEqual("input_invalid", error["code"])
            problem = error["details"]["errors"][0]
            self.assertEqual("/text", problem["path"])
            self.assertIn('"1"', problem["hint"] + error["message"])


class Limits(Base):
    """What a client asks for in the _meta of one call."""

    def ask(self, server, tool, arguments, **limits):
        return mcp.failure(server.call(tool, arguments, {"toolhost/limits": limits}))

    def test_less_than_the_settings_allow(self):
        many = {"values": [1, 2, 3, 4]}
        with self.serve() as server:
            for limits, observed in (({"max_cells": 3}, 4), ({"max_keys": 1}, 2), ({"max_key_length": 5}, 6)):
                error = self.ask(server, "summary", {**many, "trim": 0.1}, **limits)
                self.assertEqual(("input_too_large", *limits.values()), (error["code"], error["details"]["limit"]))
                self.assertLessEqual(observed, error["details"]["observed"])
            self.assertEqual(2, self.ask(server, "lab_length", {"text": "abc"}, max_string=2)["details"]["limit"])
            self.assertEqual(1, self.ask(server, "summary", many, max_depth=1)["details"]["limit"])
            error = self.ask(server, "lab_wait", {"seconds": 20}, timeout=0.2)
            self.assertEqual(("timeout", 0.2), (error["code"], error["details"]["timeout"]))
            result = server.call("summary", many, {"toolhost/limits": {"max_cells": 4, "memory_mb": 64}})
            self.assertEqual(10, result["structuredContent"]["sum"])
            self.assertEqual(10, server.call("summary", many)["structuredContent"]["sum"], "only that one call")

    def test_never_more(self):
        with self.serve("--max-cells", "3", "--timeout", "0.2") as server:
            self.assertEqual(3, self.ask(server, "summary", {"values": [1, 2, 3, 4]}, max_cells=10)["details"]["limit"])
            self.assertEqual(0.2, self.ask(server, "lab_wait", {"seconds": 20}, timeout=10)["details"]["timeout"])

    def test_what_cannot_be_asked_for(self):
        with self.serve() as server:
            for limits, word in ((5, "object"), ({"max_cells": 0}, "max_cells"), ({"max_cells": "5"}, "max_cells"),
                                 ({"max_depth": 1.5}, "max_depth"), ({"timeout": -1}, "timeout"),
                                 ({"memory": 5}, "no memory")):
                response = server.answer(server.post_call("summary", {"values": [1]}, {"toolhost/limits": limits}))
                self.assertEqual(-32602, response["error"]["code"])
                self.assertIn("toolhost/limits", response["error"]["message"])
                self.assertIn(word, response["error"]["message"])


class Absent(Base):
    def test_null_is_absent(self):
        with self.serve() as server:
            result = server.call("summary", {"values": [1, 2, 3], "trim": None})["structuredContent"]
            self.assertEqual((0.1, False), (result["trim"], result["trim_given"]))
        result = self.call("summary", {"values": [1, 2, 3], "trim": None})
        self.assertEqual(0.1, result.json["result"]["trim"], result)

    def test_null_is_no_value_for_what_is_required(self):
        with self.serve() as server:
            self.assertEqual("input_invalid", mcp.failure(server.call("summary", {"values": None}))["code"])

    def test_no_arguments_at_all(self):
        with self.serve() as server:
            for arguments in (mcp.ABSENT, None, {}):
                with self.subTest(repr(arguments)):
                    self.assertEqual({"done": True}, server.call("lab_nothing", arguments)["structuredContent"])
                    error = mcp.failure(server.call("summary", arguments))
                    self.assertEqual("input_invalid", error["code"])
                    self.assertIn("values", error["message"])

    def test_all_missing_names_are_told(self):
        with self.serve() as server:
            error = mcp.failure(server.call("lab_nested", {"origin": {}}))
            told = json.dumps(error["details"]["errors"])
            self.assertIn('x', told)
            self.assertIn('y', told)


class UnknownKeys(Base):
    def test_the_allowed_ones_are_named(self):
        with self.serve() as server:
            error = mcp.failure(server.call("summary", {"values": [1], "_sessionID": "u"}))
            for word in ("_sessionID", "values", "trim"):
                self.assertIn(word, error["message"])

    def test_one_setting_drops_those_with_an_underscore(self):
        with self.serve(env={"TOOLHOST_DROP_UNDERSCORE_KEYS": "1"}) as server:
            result = server.call("summary", {"values": [1], "_sessionID": "u"})
            self.assertEqual(1, result["structuredContent"]["sum"])
            error = mcp.failure(server.call("summary", {"values": [1], "sessionID": "u"}))
            self.assertEqual("input_invalid", error["code"])

    def test_a_close_name_is_suggested(self):
        with self.serve() as server:
            error = mcp.failure(server.call("summary", {"valeus": [1]}))
            self.assertTrue(any("values" in problem["hint"] for problem in error["details"]["errors"]), error)


class Integers(Base):
    def test_exact(self):
        with self.serve() as server:
            for value in (9007199254740993, -9223372036854775808, 9223372036854775807, 0):
                with self.subTest(value):
                    result = server.call("lab_whole", {"value": value})
                    self.assertEqual(value, result["structuredContent"]["value"])
                    self.assertIn('"value":%d' % value, result["content"][0]["text"].replace(" ", ""))

    def test_the_text_holds_the_same_digits(self):
        with self.serve() as server:
            result = server.call("lab_whole", {"value": 1})
            self.assertEqual(1915883588174806058, result["structuredContent"]["large"])
            self.assertIn("1915883588174806058", result["content"][0]["text"])

    def test_a_result_that_clients_would_round_is_warned_of(self):
        checked = self.run_program("pack", "check", os.path.join(program.LAB, "lab.so"))
        self.assertEqual(0, checked.status, checked)
        self.assertRegex(checked.out.replace("\n    ", " "), r"warning: .*lab_whole.*2\^53")

    def test_whole_numbers_written_otherwise(self):
        with self.serve() as server:
            self.assertEqual(3, server.call("lab_whole", {"value": 3.0})["structuredContent"]["value"])
            for value in (3.5, 18446744073709551616, True):
                with self.subTest(repr(value)):
                    self.assertEqual("input_invalid", mcp.failure(server.call("lab_whole", {"value": value}))["code"])


class Exits(Base):
    def test_statuses(self):
        for tool, arguments, status, code in (("summary", {"values": [1], "trim": 2}, 3, "input_invalid"),
                                              ("lab_fail", {}, 1, "tool_error"),
                                              ("no_such_tool", {}, 5, "unknown_tool")):
            with self.subTest(tool):
                result = self.call(tool, arguments)
                self.assertEqual((status, code), (result.status, result.error["code"]))

    def test_a_deadline_beyond_that_of_the_config(self):
        config = self.write("short.conf", "tool_timeout = 0.2\n")
        options = [*self.options, "--config", config, "--json"]
        result = self.run_program("call", *options, "lab_wait", '{"seconds":0.5}')
        self.assertEqual((4, "timeout"), (result.status, result.error["code"]))
        result = self.run_program("call", *options, "--timeout", "20", "lab_wait", '{"seconds":0.5}')
        self.assertEqual(0, result.status, result)

    def test_a_deadline(self):
        result = self.run_program("call", *self.options, "--timeout", "1", "--json", "lab_wait", '{"seconds":9}')
        self.assertEqual((4, "timeout"), (result.status, result.error["code"]))
        self.assertLess(result.seconds, 2 + program.SLACK)


if __name__ == "__main__":
    program.main(__name__)
