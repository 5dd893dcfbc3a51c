# SPDX-License-Identifier: MIT
"""Text that is no text, nesting without end, results past the cap, and patterns that never finish."""
import mcp
import program


class Text(mcp.Lab):
    def test_what_is_no_utf8_in_a_result(self):
        with self.serve() as server:
            result = server.call("lab_broken_text")["structuredContent"]
            for key in ("surrogate", "overlong", "byte"):
                with self.subTest(key):
                    self.assertRegex(result[key], "^a\ufffd+z$")


class Depth(mcp.Lab):
    WHERE = {
        "arguments": '{"name":"lab_nested","arguments":{"origin":{"x":1,"y":2},"free_form":%s}}',
        "_meta": '{"name":"lab_nothing","_meta":{"x.example/y":%s}}',
        "params": "%s",
    }

    def refusal(self, server, params):
        """The code of the refusal, of the protocol or of the tool, and its message."""
        server.send_bytes(('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":%s}\n' % params).encode())
        server.ping()
        answer = server.responses.pop("77", None) or server.orphan()
        error = answer.get("error") or mcp.failure(answer["result"])
        return error["code"], error["message"]

    def test_nested_without_end(self):
        for levels in (10000, 1000000):
            for name, value in (("lists", "[" * levels + "1" + "]" * levels),
                                ("objects", '{"a":' * levels + "1" + "}" * levels)):
                for where, params in self.WHERE.items():
                    with self.subTest(levels=levels, of=name, where=where), self.serve() as server:
                        code, message = self.refusal(server, params % value)
                        self.assertIn(code, (-32700, -32600, "input_too_large"))
                        self.assertRegex(message, "deep|depth|nest")
                        self.assertFalse(server.call("lab_nothing").get("isError", False))


class Size(mcp.Lab):
    def test_a_result_past_the_cap(self):
        with self.serve() as server:
            error = mcp.failure(server.call("lab_large", {"bytes": 31000000}))
            self.assertEqual("result_too_large", error["code"])
            self.assertIn("max_result_mb", error["message"])
            self.assertEqual(16 * 1024 * 1024, error["details"]["limit"])
            self.assertGreater(error["details"]["observed"], error["details"]["limit"])
            server.ping()

    def test_the_cap_can_be_raised(self):
        with self.serve(env={"TOOLHOST_MAX_RESULT_MB": "40"}) as server:
            result = server.call("lab_large", {"bytes": 31000000})
            self.assertEqual(31000000, len(result["structuredContent"]["text"]))

    def test_compact_on_the_wire(self):
        with self.serve() as server:
            server.post_call("summary", {"values": [1]}, id=5)
            line = server.read_line()
            self.assertNotIn(b'": ', line)
            self.assertNotIn(b", ", line.replace(b"\\", b""))

    def test_an_error_does_not_echo_what_was_sent(self):
        with self.serve() as server:
            for arguments in ({"values": [1], "x" * 900: 1}, {"values": ["y" * 50000]},
                              {"values": [1], **{"key%d" % number: 1 for number in range(5000)}}):
                error = mcp.failure(server.call("summary", arguments))
                self.assert_bounded(program.json.dumps(error), 20000)


class Patterns(mcp.Lab):
    def test_they_end(self):
        with self.serve() as server:
            server.call("shape_pattern", {"nested": "aaa"})
            for arguments in ({"nested": "a" * 28 + "!"}, {"optional": "a" * 62}):
                with self.subTest(repr(arguments)):
                    begin = program.processor_seconds(server.pid)
                    result = server.call("shape_pattern", arguments)
                    spent = program.processor_seconds(server.pid) - begin
                    self.assertLessEqual(spent, 1 if program.sanitized() else 0.1)
                    if result.get("isError"):
                        error = mcp.failure(result)
                        self.assertEqual("input_invalid", error["code"])
                        self.assertIn("limit", program.json.dumps(error))
                    else:
                        # The second is a match, should the limit let the search come to it.
                        self.assertIn("optional", arguments)


if __name__ == "__main__":
    program.main(__name__)
