# SPDX-License-Identifier: MIT
"""Bad input on the command line: each kind has a clear error of its own, exit status 3, and nothing on stdout."""
import json

import program


def deep(levels):
    """Arguments whose innermost value lies `levels` below the arguments object."""
    return b'{"origin":{"x":1,"y":2},"free_form":' + b"[" * (levels - 1) + b"1" + b"]" * (levels - 1) + b"}"


# What it is called, tool, input, code, and what the message has to name.
CASES = [
    ("missing key", "summary", b'{"trim":0.1}', "input_invalid", ["values"]),
    ("unknown key", "summary", b'{"values":[1],"trimm":0.1}', "input_invalid", ["trimm", "trim"]),
    ("nested unknown key", "lab_nested", b'{"origin":{"x":1,"y":2,"z":3}}', "input_invalid", ["/origin", "z"]),
    ("quoted number", "summary", b'{"values":[1],"trim":"0.1"}', "input_invalid", ["trim", "number", "\"0.1\""]),
    ("quoted number in a list", "summary", b'{"values":[1,"2"]}', "input_invalid", ["/values/1", "number"]),
    ("NaN", "summary", b'{"values":[NaN]}', "input_invalid", ["12"]),
    ("a point without digits", "summary", b'{"values":[1.]}', "input_invalid", ["digit"]),
    ("leading zero", "summary", b'{"values":[01]}', "input_invalid", ["zero"]),
    ("trailing comma", "summary", b'{"values":[1,]}', "input_invalid", ["comma"]),
    ("single quotes", "summary", b"{'values':[1]}", "input_invalid", ["quote"]),
    ("200,000-character string", "lab_length", b'{"text":"' + b"x" * 200000 + b'"}', "input_too_large",
     ["200000", "100000", "max_string"]),
    ("11 levels", "lab_nested", deep(11), "input_too_large", ["10", "max_depth"]),
    ("1,000,001 cells", "summary", b'{"values":[' + b"1," * 1000000 + b"1]}", "input_too_large",
     ["1000001", "1000000", "max_cells"]),
    ("duplicate key", "summary", b'{"values":[1],"values":[2]}', "input_invalid", ["twice", "values"]),
    ("invalid UTF-8", "lab_length", b'{"text":"a\xff"}', "input_invalid", ["UTF-8"]),
    ("lone surrogate", "lab_length", b'{"text":"\\ud800"}', "input_invalid", ["surrogate"]),
    ("NUL byte", "lab_length", b'{"text":"a\x00b"}', "input_invalid", ["NUL"]),
    ("truncated JSON", "summary", b'{"values":[1,2', "input_invalid", ["end"]),
    ("1e999", "summary", b'{"values":[1e999]}', "input_invalid", ["double"]),
    ("empty", "summary", b"", "input_invalid", ["empty"]),
    ("2^64 for an integer", "lab_whole", b'{"value":18446744073709551616}', "input_invalid", ["value", "64"]),
]


class BadInput(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab()

    def call(self, tool, text, *more):
        return self.run_program("call", *self.options, *more, tool, "-", text=text)

    def test_each_has_its_own_error(self):
        messages = {}
        for name, tool, text, code, words in CASES:
            with self.subTest(name):
                result = self.call(tool, text)
                self.assertEqual(3, result.status, result)
                self.assertEqual("", result.out)
                self.assertTrue(result.err.startswith("toolhost: %s: " % code), result)
                self.assert_bounded(result.err)
                for word in words:
                    self.assertIn(word, result.err)
                self.assertNotIn(result.err, messages, "the same message as for %s" % messages.get(result.err))
                messages[result.err] = name

    def test_the_error_for_programs(self):
        for name, tool, text, code, _ in CASES:
            with self.subTest(name):
                result = self.call(tool, text, "--json")
                self.assertEqual(3, result.status, result)
                error = result.error
                self.assertEqual(code, error["code"])
                self.assertEqual("validation", error["category"])
                self.assertIs(False, error["retryable"])
                self.assert_bounded(result.out, 20000)

    def test_the_largest_that_is_taken(self):
        for name, tool, text in [
                ("10 levels", "lab_nested", deep(10)),
                ("1,000,000 cells", "summary", b'{"values":[' + b"1," * 999998 + b'1],"trim":0}'),
                ("100,000 characters", "lab_length", json.dumps({"text": "\u00e9" * 100000}).encode()),
                ("2^63-1 for an integer", "lab_whole", b'{"value":9223372036854775807}')]:
            with self.subTest(name):
                result = self.call(tool, text)
                self.assertEqual(0, result.status, result)
                result.json

    def test_an_argument_and_a_file(self):
        path = self.write("arguments.json", '{"values":[1,2,3]}')
        for source in ('{"values":[1,2,3]}', "@" + path):
            with self.subTest(source):
                result = self.run_program("call", *self.options, "summary", source)
                self.assertEqual(0, result.status, result)
                self.assertEqual(6, result.json["sum"])

    def test_a_file_that_is_not_there(self):
        result = self.run_program("call", *self.options, "summary", "@/nonexistent/file.json")
        self.assertEqual(2, result.status, result)
        self.assertIn("/nonexistent/file.json", result.err)
        self.assertEqual("", result.out)


if __name__ == "__main__":
    program.main(__name__)
