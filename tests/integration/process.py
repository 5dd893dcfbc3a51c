# SPDX-License-Identifier: MIT
"""toolhost process: the calls of model output, their results in order, and what cannot be made."""
import json
import os
import subprocess

import program

VECTORS = os.path.join(program.SHARED, "data", "parsers", "vectors.json")


def tag(name, arguments="{}", **attributes):
    more = "".join(" %s='%s'" % pair for pair in attributes.items())
    return "<tool name='%s' args='%s'%s/>" % (name, arguments if isinstance(arguments, str) else json.dumps(arguments),
                                             more)


class Base(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab()

    def process(self, text, *options, **keywords):
        text = text if isinstance(text, bytes) else text.encode()
        return self.run_program("process", "--json", *self.options, *options, text=text, **keywords)

    def results(self, text, *options, **keywords):
        return self.process(text, *options, **keywords).json["results"]

    def parse(self, text, *options):
        return self.process(text, "--parse", *options).json


class Vectors(Base):
    """Inputs and the calls that a careful parser reads out of them, which come with the project."""

    def check(self, vector, text):
        result = self.run_program("process", "--parse", "--json", text=text)
        self.assertEqual((0, ""), (result.status, result.err))
        read = result.json
        self.assertEqual(vector["calls"], read["calls"])
        self.assertEqual(vector.get("malformed", []),
                         [{key: entry[key] for key in ("tool", "reason")} for entry in read["malformed"]])
        for entry in read["malformed"]:
            self.assertLess(entry["offset"], len(text))
            self.assertTrue(entry["message"])

    def test_all(self):
        if not os.path.exists(VECTORS):
            self.skipTest("%s is not there" % VECTORS)
        with open(VECTORS, encoding="utf-8") as file:
            vectors = json.load(file)
        self.assertTrue(vectors)
        for vector in vectors:
            given = vector["input"]
            with self.subTest(vector["name"]):
                self.check(vector, (given if isinstance(given, str) else json.dumps(given)).encode())
            if not isinstance(given, str):
                with self.subTest(vector["name"], form="indented"):
                    self.check(vector, json.dumps(given, indent=2, ensure_ascii=False).encode())


class Parse(Base):
    def test_the_form(self):
        text = tag("a", {"x": 1}, id="1", namespace="n") + tag("b", "oops")
        result = self.run_program("process", "--parse", text=text.encode())
        self.assertEqual((0, ""), (result.status, result.err))
        self.assertTrue(result.out.startswith('{\n  "calls": [\n'), result.out)
        self.assertEqual([{"id": "1", "namespace": "n", "tool": "a", "arguments": {"x": 1}}], result.json["calls"])
        (malformed,) = result.json["malformed"]
        self.assertEqual(("b", "arguments_not_json", text.index("<tool name='b'")),
                         (malformed["tool"], malformed["reason"], malformed["offset"]))
        self.assertRegex(malformed["message"], "line 1, column 1 ")

    def test_a_file_and_standard_input(self):
        path = self.write("output.txt", tag("a"))
        expected = {"calls": [{"tool": "a", "arguments": {}}], "malformed": []}
        for arguments, text in (((path,), b""), ((), tag("a").encode()), (("-",), tag("a").encode())):
            with self.subTest(arguments):
                self.assertEqual(expected, self.run_program("process", "--parse", *arguments, text=text).json)

    def test_what_cannot_be_read(self):
        for path, reason in ((os.path.join(self.home, "none"), "cannot be opened"), (self.home, "cannot be read")):
            result = self.process("", "--parse", path)
            self.assertEqual((2, "usage"), (result.status, result.error["code"]))
            self.assertIn(reason, result.error["message"])
        self.assertEqual(2, self.run_program("process", "a", "b").status)

    def test_fences_can_be_turned_off(self):
        text = "```json\n%s\n```\n" % json.dumps({"tool": "a"})
        self.assertEqual(["a"], [call["tool"] for call in self.parse(text)["calls"]])
        self.assertEqual({"calls": [], "malformed": []}, self.parse(text, "--no-fenced-calls"))
        setting = self.run_program("config", "--json", env={"TOOLHOST_FENCED_CALLS": "0"}).json["settings"]["fenced_calls"]
        self.assertIs(False, setting["value"])

    def test_bytes_that_are_no_text(self):
        read = self.parse(b"\xff\xfe" + tag("a").encode() + b"<tool name='b' args='{\"x\":\"\xff\"}'/>" + tag("c").encode())
        self.assertEqual(["a", "c"], [call["tool"] for call in read["calls"]])
        self.assertEqual([("b", "arguments_not_json")], [(m["tool"], m["reason"]) for m in read["malformed"]])

    def test_what_is_too_large(self):
        result = self.process(b" " * (2 << 20), "--max-message-mb", "1")
        self.assertEqual((3, "input_too_large"), (result.status, result.error["code"]))
        self.assertIn("max_message_mb", result.error["message"])
        result = self.process(tag("a") * 65537, "--parse")
        self.assertEqual((3, "input_too_large", 65536),
                         (result.status, result.error["code"], result.error["details"]["limit"]))

    def test_no_pack_is_looked_at(self):
        result = self.run_program("process", "--parse", "--pack-dir", "/nonexistent", text=b"")
        self.assertEqual((0, {"calls": [], "malformed": []}), (result.status, result.json))

    def test_much_of_it(self):
        for piece in (b"<", b"<tool name='a' args='{", b"```json\n{\n", b"[", b"{\"a\":\n", b"`a``b", b"<tool_call>{\"a\":\""):
            with self.subTest(piece):
                result = self.process(piece * ((4 << 20) // len(piece)), "--parse")
                # 3 where it has more malformed calls than are taken.
                self.assertIn(result.status, (0, 3))
                self.assertLess(result.seconds, 10 * program.SLACK)


class Run(Base):
    def test_the_form(self):
        result = self.process(tag("lab_length", {"text": "four"}, id="7"))
        self.assertEqual((0, "", 1), (result.status, result.err, result.out.count("\n")))
        (entry,) = result.json["results"]
        alone = self.run_program("call", "--json", *self.options, "lab_length", '{"text": "four"}').json
        self.assertEqual({"id": "7", "tool": "lab_length", **alone}, entry)
        indented = self.run_program("process", *self.options, text=tag("lab_length", {"text": "four"}, id="7").encode())
        self.assertTrue(indented.out.startswith('{\n  "results": [\n'), indented.out)
        self.assertEqual(result.json, indented.json)

    def test_no_calls(self):
        for text in ("", "I know the answer: 42.", "`%s`" % tag("lab_fail")):
            with self.subTest(text):
                result = self.process(text)
                self.assertEqual((0, {"results": []}), (result.status, result.json))
                self.assertEqual("toolhost: the model output has no calls\n", result.err)

    def test_a_call_that_fails_leaves_the_others(self):
        text = "".join((tag("lab_length", {"text": "a"}), tag("lab_fail"), tag("lab_lenght", {"text": "a"}),
                        tag("lab_length", {"text": 5}), tag("lab_length", "oops"), tag("", {}),
                        tag("lab_length", {"text": "ab"})))
        result = self.process(text)
        codes = [entry.get("error", {}).get("code") for entry in result.json["results"]]
        self.assertEqual([None, "tool_error", "unknown_tool", "input_invalid", "call_malformed", "call_malformed", None],
                         codes)
        self.assertEqual(["call_%d" % i for i in range(1, 8)], [entry["id"] for entry in result.json["results"]])
        self.assertEqual(1, result.status, "that of the first one that failed")
        self.assertIn("lab_length", result.json["results"][2]["error"]["details"]["close"])
        malformed = result.json["results"][4]
        self.assertEqual("lab_length", malformed["tool"])
        self.assertEqual(("arguments_not_json", text.index("<tool name='lab_length' args='oops'")),
                         (malformed["error"]["details"]["reason"], malformed["error"]["details"]["offset"]))
        self.assertIsNone(result.json["results"][5]["tool"])
        told = self.run_program("process", *self.options, text=text.encode()).err.splitlines()
        self.assertEqual(5, len(told))
        self.assertTrue(told[0].startswith("toolhost: call_2, lab_fail: tool_error: "), told[0])

    def test_the_exit_status(self):
        for text, status in ((tag("lab_nothing"), 0), (tag("none") + tag("lab_fail"), 5), (tag("lab_fail") + tag("none"), 1),
                             (tag("lab_nothing", "x") + tag("none"), 3), (tag("lab_nothing", {"x": 1}), 3),
                             ("<tool_call>{\"name\": \"a\", \"argu", 3)):
            with self.subTest(text):
                self.assertEqual(status, self.process(text).status)

    def test_ids(self):
        text = "\n".join((json.dumps({"tool": "lab_nothing", "id": "call_2"}), json.dumps({"tool": "lab_nothing"}),
                          json.dumps({"tool": "lab_nothing"}), json.dumps({"tool": "lab_nothing", "id": 9}),
                          json.dumps({"tool": "lab_fail", "id": "9"}), json.dumps({"tool": "lab_nothing", "id": 9})))
        results = self.results(text)
        self.assertEqual(["call_2", "call_1", "call_3", "9"], [entry["id"] for entry in results[:4]])
        self.assertEqual(5, len(results), "the last is the fourth once more")
        self.assertEqual("duplicate_id", results[4]["error"]["details"]["reason"])

    def test_the_order_is_that_of_the_calls(self):
        waits = (0.6, 0.3, 0)
        result = self.process("".join(tag("lab_wait", {"seconds": wait}) for wait in waits) + tag("lab_length", {"text": "a"}))
        self.assertEqual(0, result.status, result)
        self.assertEqual(["lab_wait"] * 3 + ["lab_length"], [entry["tool"] for entry in result.json["results"]])

    def test_calls_run_at_once(self):
        result = self.process(tag("lab_wait", {"seconds": 1}) * 8)
        self.assertEqual((0, 8), (result.status, len(result.json["results"])))
        self.assertLess(result.seconds, 4 if program.SLACK < 4 else 8)

    def test_waiting_for_others_takes_no_time_of_a_call(self):
        result = self.process(tag("lab_wait", {"seconds": 0.6}) * 6, "--max-calls", "1", "--timeout", "1.5")
        self.assertEqual([0, 6], [result.status, sum("result" in entry for entry in result.json["results"])], result)

    def test_isolation_and_timeout_hold_for_each(self):
        result = self.process(tag("lab_wait", {"seconds": 20}) + tag("lab_nothing"), "--isolation", "isolated", "--timeout", "1")
        slow, quick = result.json["results"]
        self.assertEqual((4, "timeout"), (result.status, slow["error"]["code"]))
        self.assertEqual("isolated", quick["_meta"]["toolhost/strategy"])
        self.assert_nothing_left()

    def test_many(self):
        count = 3000
        results = self.results("\n".join(json.dumps({"tool": "lab_length", "arguments": {"text": "x" * (i % 7)}})
                                         for i in range(count)))
        self.assertEqual([i % 7 for i in range(count)], [list(entry["result"].values())[0] for entry in results])


class Names(Base):
    def codes(self, *calls):
        return [entry.get("error", {}).get("code") for entry in
                self.results("\n".join(json.dumps({"tool": tool, "arguments": {}, **({"namespace": space} if space else {})})
                                       for space, tool in calls))]

    def test_a_name_as_it_is_or_as_services_spell_it(self):
        self.assertEqual([None] * 3, self.codes((None, "shape.dotted"), (None, "shape_-_dotted"), ("default", "lab_nothing")))

    def test_the_only_tool_of_that_name(self):
        self.assertEqual([None, "unknown_tool"], self.codes((None, "dotted"), (None, "shape")))

    def test_a_namespace_is_not_left(self):
        self.assertEqual([None, None, "unknown_tool", "unknown_tool"],
                         self.codes(("shape", "dotted"), ("shape", "shape.dotted"), ("other", "dotted"),
                                    ("other", "lab_nothing")))
        (entry,) = self.results(json.dumps({"tool": "lab_nothing", "arguments": {}, "namespace": "other"}))
        self.assertEqual(("other", "lab_nothing"), (entry["namespace"], entry["tool"]))
        self.assertIn("other.lab_nothing", entry["error"]["message"])

    def test_a_name_with_a_nul_is_none(self):
        self.assertEqual(["unknown_tool"], self.codes((None, "lab_nothing\0x")))

    def test_a_tool_that_is_off(self):
        result = self.process(tag("lab_nothing"), "--disabled-tools", "lab_nothing")
        self.assertEqual(5, result.status)


class Arguments(Base):
    INVOKE = "<invoke name='summary'><parameter name='values'>[1, 2, 3]</parameter></invoke>"

    def test_texts_of_elements_become_what_the_schema_asks_for(self):
        for text in (self.INVOKE, "<tool_call>summary\n<arg_key>values</arg_key><arg_value>[1,2,3]</arg_value></tool_call>",
                     "<function=summary>\n<parameter=values>\n[1,2,3]\n</parameter>\n</function>"):
            with self.subTest(text):
                (entry,) = self.results(text)
                self.assertEqual(6, entry["result"]["sum"])
                self.assertEqual(["/values"], entry["_meta"]["toolhost/repaired"])

    def test_unless_that_is_turned_off(self):
        (entry,) = self.results(self.INVOKE, "--no-repair-arguments")
        self.assertEqual("input_invalid", entry["error"]["code"])

    def test_json_is_taken_as_it_is(self):
        (entry,) = self.results(tag("summary", {"values": "[1, 2, 3]"}))
        self.assertEqual("input_invalid", entry["error"]["code"])


class Examples(Base):
    def test_those_of_the_help_work(self):
        out = self.run_program("process", "--help").out
        lines = [line.strip() for line in out[out.index("Examples:"):].splitlines() if "| toolhost" in line]
        self.assertEqual(2, len(lines))
        for line in lines:
            words, _, command = line.partition(" | ")
            text = words[len("echo '"):-1]
            result = self.run_program(*command.split()[1:], text=text.encode())
            self.assertEqual(0, result.status, result)
            self.assertTrue(result.json.get("results") or result.json.get("calls"))

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program.TOOLHOST, "process", *self.options], input=tag("lab_nothing").encode(),
                                  stdout=full, stderr=subprocess.PIPE, env=self.environment(), check=False)
        self.assertEqual(4, done.returncode)
        self.assertIn(b"standard output cannot be written", done.stderr)


if __name__ == "__main__":
    program.main(__name__)
