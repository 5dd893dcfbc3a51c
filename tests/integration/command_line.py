# SPDX-License-Identifier: MIT
"""What the commands print, and where: results on standard output, everything else on standard error."""
import json
import os
import shutil
import re
import resource
import subprocess

import program

BLOCKS = os.path.join(program.LAB, "blocks.so")
LIAR = os.path.join(program.LAB, "liar.so")
ADVICE = os.path.join(program.LAB, "advice.so")


class Base(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab(BLOCKS)

    def run_lab(self, command, *arguments, **keywords):
        return self.run_program(command, *self.options, *arguments, **keywords)


class Call(Base):
    def test_a_result_is_indented_and_alone(self):
        result = self.run_lab("call", "summary", '{"values":[1,2,3]}')
        self.assertEqual((0, ""), (result.status, result.err))
        self.assertTrue(result.out.startswith('{\n  "sum": 6,\n'), result.out)

    def test_blocks_without_a_result(self):
        result = self.run_lab("call", "blocks_only")
        self.assertEqual((0, ""), (result.status, result.err))
        lines = result.out.splitlines()
        self.assertEqual(["first line", "second line"], lines[:2])
        self.assertRegex(lines[2], r"^\[image image/png, \d+ bytes in base64; --json has them\]$")
        self.assertEqual(["[resource_link file:///there text/plain]", "inside"], lines[3:])

    def test_blocks_beside_a_result(self):
        result = self.run_lab("call", "blocks_both")
        self.assertEqual((0, {"number": 7}, "in words\n"), (result.status, result.json, result.err))

    def test_a_file_without_a_name(self):
        result = self.run_lab("call", "summary", "@")
        self.assertEqual((2, "toolhost: usage: @ needs the path of a file: @FILE\n"), (result.status, result.err))

    def test_neither(self):
        result = self.run_lab("call", "blocks_none")
        self.assertEqual((0, {}, ""), (result.status, result.json, result.err))

    def test_the_envelope(self):
        result = self.run_lab("call", "--json", "blocks_both")
        self.assertEqual(1, result.out.count("\n"), "one line")
        self.assertEqual({"result": {"number": 7}, "content": [{"type": "text", "text": "in words"}],
                          "_meta": {"toolhost/strategy": "in-process"}}, result.json)
        drawn = self.run_lab("call", "--json", "lab_draw", "{}").json
        self.assertIsInstance(drawn["_meta"]["toolhost/seed"], int)

    def test_a_seed_is_told(self):
        result = self.run_lab("call", "lab_draw", "{}")
        self.assertRegex(result.err, r"^toolhost: the seed of the random numbers was \d+\n$")

    def test_words_of_a_tool_do_not_steer_the_terminal(self):
        result = self.run_lab("call", "blocks_steer")
        self.assertEqual((1, ""), (result.status, result.out))
        self.assertIn("bell \\x07 and \\x1b]0;title\\x07 and \\x9b31m", result.err)
        self.assertNotRegex(result.err, "[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f]")

    def test_one_problem_is_a_sentence_and_more_are_a_list(self):
        one = self.run_lab("call", "summary", '{"values":"x"}')
        self.assertEqual((3, "", 1), (one.status, one.out, one.err.count("\n")))
        self.assertTrue(one.err.startswith("toolhost: input_invalid: the arguments of summary do not fit: /values: "))
        many = self.run_lab("call", "summary", json.dumps({"values": ["x"] * 5, "wrong": 1}))
        lines = many.err.splitlines()
        self.assertEqual("toolhost: input_invalid: the arguments of summary do not fit:", lines[0])
        self.assertGreaterEqual(len(lines), 3)
        self.assertTrue(all(line.startswith("  ") for line in lines[1:]), many.err)

    def test_by_the_spelling_of_model_services(self):
        (name,) = [tool["name"] for tool in self.run_lab("list", "--format", "anthropic").json
                   if tool["name"].endswith("dotted")]
        self.assertEqual("shape_-_dotted", name)
        for spelling in (name, "shape.dotted"):
            self.assertEqual(0, self.run_lab("call", spelling).status, spelling)
            self.assertIn("shape.dotted", self.run_lab("show", spelling).out)

    def test_a_stream_that_begins_with_a_byte_order_mark(self):
        for source, keywords in (("-", {"text": b'\xef\xbb\xbf{"values":[1]}'}),
                                 ("@" + self.write("mark.json", b'\xef\xbb\xbf{"values":[1]}'), {})):
            self.assertEqual(0, self.run_lab("call", "summary", source, **keywords).status, source)

    def test_a_stream_that_cannot_be_written(self):
        command = [program.TOOLHOST, "call", *self.options, "summary", '{"values":[1]}']
        with open("/dev/full", "wb") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=self.environment(), check=False)
        self.assertEqual(4, done.returncode)
        self.assertIn(b"standard output cannot be written", done.stderr)
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=self.environment(), check=False)
        os.close(writing)
        self.assertEqual((4, b""), (done.returncode, done.stderr), "whoever has seen enough needs no message")

    def test_files_that_may_not_grow(self):
        """A limit on the size of files fails a write, and ends nothing else: the cache only costs time."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        env = self.environment(XDG_CACHE_HOME=os.path.join(self.home, "no-cache"))
        command = [program.TOOLHOST, "call", *self.options, "summary", '{"values":[1]}']
        done = subprocess.run(command, capture_output=True, env=env, check=False, preexec_fn=limit)
        self.assertEqual((0, b""), (done.returncode, done.stderr))
        with open(os.path.join(self.home, "small"), "wb") as small:
            done = subprocess.run(command, stdout=small, stderr=subprocess.PIPE, env=env, check=False, preexec_fn=limit)
        self.assertEqual(4, done.returncode)
        self.assertIn(b"standard output cannot be written: File too large", done.stderr)

    def test_a_working_directory_that_is_gone(self):
        gone = os.path.join(self.home, "gone")
        for arguments, status, words in ((["call", *self.options, "summary", '{"values":[1]}'], 0, ""),
                                         (["list", "--pack-dir", "."], 2, "--pack-dir .: No such file or directory"),
                                         (["list", "--config", "x"], 2, "config file x: No such file or directory")):
            os.makedirs(gone)
            done = subprocess.run(["sh", "-c", 'rmdir "$PWD"; exec "$0" "$@"', program.TOOLHOST, *arguments], cwd=gone,
                                  capture_output=True, env=self.environment(), check=False)
            self.assertEqual(status, done.returncode, done.stderr)
            self.assertIn(words, done.stderr.decode())

    def test_streams_that_are_closed(self):
        for closing, status, words in ((">&-", 4, "cannot be written"), ("2>&-", 0, ""), ("<&-", 0, "")):
            with self.subTest(closing):
                script = "exec %s call %s summary '{\"values\":[1]}' %s" % (program.TOOLHOST, " ".join(self.options), closing)
                done = subprocess.run(["sh", "-c", script], capture_output=True, env=self.environment(), check=False)
                self.assertEqual(status, done.returncode, done.stderr)
                self.assertIn(words, done.stderr.decode())


class List(Base):
    def test_forms_hold_the_same_tools_in_the_same_order(self):
        forms = {form: self.run_lab("list", "--format", form) for form in ("text", "json", "anthropic", "openai", "mcp")}
        for result in forms.values():
            self.assertEqual((0, ""), (result.status, result.err))
        names = [tool["name"] for tool in forms["json"].json]
        self.assertEqual(names, [line.split()[0] for line in forms["text"].out.splitlines()])
        self.assertEqual(names, [tool["name"] for tool in forms["mcp"].json["tools"]])
        spelled = [name.replace(".", "_-_") for name in names]
        self.assertEqual(spelled, [tool["name"] for tool in forms["anthropic"].json])
        self.assertEqual(spelled, [tool["function"]["name"] for tool in forms["openai"].json])
        self.assertEqual(1, forms["mcp"].out.count("\n"), "as on the wire")

    def test_what_the_anthropic_form_holds(self):
        for tool in self.run_program("list", "--format", "anthropic").json:
            with self.subTest(tool["name"]):
                self.assertLessEqual(set(tool), {"name", "description", "input_schema", "category", "rng"})
                self.assertEqual("object", tool["input_schema"]["type"])
                self.assertIn("properties", tool["input_schema"])
                self.assertRegex(tool["description"], r"\n\nExamples\n--------\n(?s:.)*%s\(" % tool["name"])

    def test_rng_where_it_is_declared(self):
        tools = {tool["name"]: tool for tool in self.run_lab("list", "--format", "anthropic").json}
        self.assertIs(True, tools["lab_draw"]["rng"]["uses_rng"])
        self.assertNotIn("rng", tools["summary"])
        self.assertNotIn("category", tools["blocks_none"], "an empty category leaves the key out")

    def test_names(self):
        result = self.run_lab("list", "--format", "json", "--names", "summary,nowhere,blocks_none")
        self.assertEqual(["blocks_none", "summary"], [tool["name"] for tool in result.json], "in the registry's order")
        self.assertEqual('toolhost: there is no tool "nowhere"\n', result.err)
        self.assertEqual([], self.run_lab("list", "--format", "json", "--names", "").json, "an empty list is no list of all")
        for names in (" summary , blocks_none ", "summary,,blocks_none,", "\tsummary, blocks_none"):
            spaced = self.run_lab("list", "--format", "json", "--names", names)
            self.assertEqual((["blocks_none", "summary"], ""), ([tool["name"] for tool in spaced.json], spaced.err), names)
        self.assertEqual([], self.run_lab("list", "--format", "json", "--names", " , ,").json)

    def test_category(self):
        self.assertEqual({"example"}, {tool["category"] for tool in
                                       self.run_program("list", "--format", "json", "--category", "example").json})
        for category in ("", "Example", "exam"):
            self.assertEqual("", self.run_program("list", "--category", category).out, category)
        both = self.run_program("list", "--format", "json", "--category", "example", "--names", "echo,find_elbow").json
        self.assertEqual(["echo"], [tool["name"] for tool in both])

    def test_the_dialect(self):
        for form, schema in (("anthropic", lambda tool: tool["input_schema"]),
                             ("openai", lambda tool: tool["function"]["parameters"])):
            for tool in self.run_lab("list", "--format", form, "--with-schema-key").json:
                self.assertTrue(schema(tool)["$schema"].startswith("http"), tool)

    def test_refused_packs_are_told(self):
        folder = self.folder("ctor-segv", "ok")
        result = self.run_program("list", "--no-default-packs", "--pack-dir", folder)
        self.assertRegex(result.err, r"(?m)^toolhost: 1 pack is refused; `toolhost pack list` says why$")
        self.assertRegex(result.out, r"^ok +ok +")


class Show(Base):
    def test_how_it_would_run(self):
        trusted = self.run_lab("show", "--json", "summary").json["runs"]
        self.assertEqual(("in-process", "sandboxed"), (trusted["trusted"]["strategy"], trusted["untrusted"]["strategy"]))
        tightened = self.run_lab("show", "--json", "--isolation", "isolated", "summary").json["runs"]
        self.assertEqual({"strategy": "isolated", "reason": "--isolation"}, tightened["trusted"])
        text = self.run_lab("show", "summary").out
        self.assertRegex(text, r"runs +from the command line and stdio: in-process \(")
        self.assertIn(trusted["trusted"]["reason"], re.sub(r"\s+", " ", text))

    def test_its_examples_run(self):
        ran = 0
        for tool in self.run_program("list", "--format", "json").json:
            text = self.run_program("show", tool["name"]).out
            for line in re.findall(r"^  (toolhost call %s .*)$" % tool["name"], text, re.MULTILINE):
                env = self.environment(PATH=os.path.dirname(program.TOOLHOST) + ":/usr/bin:/bin")
                done = subprocess.run(["sh", "-c", line], capture_output=True, env=env, check=False)
                self.assertEqual(0, done.returncode, "%s: %s" % (line[:200], done.stderr[-500:]))
                ran += 1
        self.assertGreaterEqual(ran, 5)

    def test_a_tool_that_is_off(self):
        result = self.run_lab("show", "--disabled-tools", "summary", "summary")
        self.assertEqual(0, result.status, result)
        self.assertIn("(off)", result.out.splitlines()[0])

    def test_an_unknown_tool(self):
        result = self.run_lab("show", "sumary")
        self.assertEqual((5, ""), (result.status, result.out))
        self.assertIn("summary", result.err)


class Packs(Base):
    def test_examples_that_do_not_hold(self):
        checked = self.run_program("pack", "check", "--json", LIAR)
        self.assertEqual(1, checked.status, checked)
        (report,) = checked.json
        self.assertIs(False, report["good"])
        self.assertEqual(1, report["examplesNotTried"], "what destroys is not tried")
        faults = {fault.split('"')[1]: fault for fault in report["faults"]}
        self.assertEqual({"liar_double", "liar_large", "liar_lacks", "liar_fails", "liar_crashes"}, set(faults), report)
        self.assertIn("example 2 says another result", faults["liar_double"])
        self.assertIn("breaks the output schema: /y", faults["liar_large"])
        self.assertIn('breaks the output schema: expected the key "y"', faults["liar_lacks"])
        self.assertIn("it never works", faults["liar_fails"])
        if not program.sanitized():
            self.assertIn("crashed", faults["liar_crashes"])

    def test_strict_results(self):
        packs = os.path.join(self.home, "strict")
        os.mkdir(packs)
        shutil.copy(LIAR, packs)
        for level in ("in-process", "isolated", "sandboxed"):
            with self.subTest(level):
                call = ("call", "--no-default-packs", "--pack-dir", packs, "--isolation", level, "--json", "liar_large",
                        '{"x": 5}')
                lax = self.run_program(*call)
                if lax.status != 0 and lax.error["code"] == "worker_failed":
                    self.skipTest("no %s calls here: %s" % (level, lax.error["message"]))
                self.assertEqual((0, level), (lax.status, lax.json["_meta"]["toolhost/strategy"]), lax)
                strict = self.run_program(*call, env={"TOOLHOST_STRICT_RESULTS": "1"})
                self.assertEqual("result_invalid", strict.error["code"], strict)
                self.assertIn('schema at "/y"', strict.error["message"])

    def test_several_at_once(self):
        checked = self.run_program("pack", "check", BLOCKS, LIAR, os.path.join(program.ZOO, "not-elf.so"))
        self.assertEqual(1, checked.status, checked)
        lines = [line for line in checked.out.splitlines() if not line.startswith(" ")]
        self.assertRegex(lines[0], r"blocks\.so: good, 4 tools, 0 examples ran$")
        wishes = self.run_program("pack", "check", os.path.join(program.LAB, "wishes.so"))
        self.assertRegex(wishes.out, r"wishes\.so: good, \d+ tools, 0 examples ran, 1 not tried\n")
        self.assertRegex(lines[1], r"liar\.so: 5 faults$")
        self.assertRegex(lines[2], r"not-elf\.so: 1 fault$")
        self.assertEqual(0, self.run_program("pack", "check", BLOCKS).status)

    def test_shipped_packs_are_good(self):
        names = [pack["name"] for pack in self.run_program("pack", "list", "--json").json if pack["name"] != "toolhost"]
        checked = self.run_program("pack", "check", "--json", *names)
        self.assertEqual(0, checked.status, checked)
        for report in checked.json:
            with self.subTest(report["path"]):
                self.assertEqual([], report["warnings"])
                self.assertGreaterEqual(report["examplesRun"], report["tools"], "every tool has an example")

    def test_info(self):
        by_file = self.run_program("pack", "info", BLOCKS)
        self.assertIn("blocks_steer  Steer", by_file.out)
        manifest = self.run_program("pack", "info", "--json", BLOCKS).json
        self.assertEqual(4, len(manifest["tools"]))
        by_name = self.run_lab("pack", "info", "blocks")
        self.assertEqual(by_file.out.splitlines()[1:], by_name.out.splitlines()[1:])

    def test_info_of_what_is_no_tool(self):
        info = self.run_program("pack", "info", ADVICE)
        self.assertEqual(0, info.status, info)
        self.assertIn("Recipes:\n  advice_good  Count\n", info.out)
        options = ["--no-default-packs", "--pack-dir", self.folder(ADVICE)]
        listed = self.run_program("pack", "list", *options)
        self.assertRegex(listed.out, r"(?m)^advice  ready    1\.0\.0\\x0aforged\\x1b\[2J, 1 tool, /")
        shown = self.run_program("show", "advice_count", *options)
        self.assertIn("  pack       advice 1.0.0\\x0aforged\\x1b[2J\n", shown.out)
        self.assertIn("Resources:\n  advice://fixed\\x1b[2J  Fixed\n  advice://item/{id}  Item\n", info.out)

    def test_names_and_files_that_are_not_there(self):
        for verb in ("info", "check"):
            unknown = self.run_lab("pack", verb, "bloks")
            self.assertEqual((5, ""), (unknown.status, unknown.out), unknown)
            self.assertIn("blocks", unknown.err)
            missing = self.run_lab("pack", verb, "./nowhere.so")
            self.assertEqual((2, ""), (missing.status, missing.out), missing)
            self.assertIn("./nowhere.so", missing.err)

    def test_the_program_s_own_pack(self):
        packs = {pack["name"]: pack for pack in self.run_program("pack", "list", "--json").json}
        self.assertEqual("ready", packs["toolhost"]["state"])
        self.assertNotIn("toolhost", {pack["name"] for pack in self.run_lab("pack", "list", "--json").json})
        off = self.run_program("call", "--disabled-packs", "toolhost", "select_analysis_recipe", '{"query":"x"}')
        self.assertEqual(5, off.status, off)


class Errors(Base):
    def test_the_object_for_programs(self):
        for arguments, status, code in ((["call", "nowhere"], 5, "unknown_tool"), (["lst"], 2, "usage"),
                                        (["list", "--max-cells", "0"], 2, "usage"), (["pack", "info", "nowhere"], 5, "unknown_pack"),
                                        (["bundle", "enable", "nowhere"], 5, "unknown_bundle"),
                                        (["recipe", "show", "nowhere"], 5, "unknown_recipe"),
                                        (["call", "lab_fail"], 1, "tool_error"), (["call", "summary"], 3, "input_invalid")):
            with self.subTest(code):
                result = self.run_program("--json", *self.options, *arguments)
                self.assertEqual((status, ""), (result.status, result.err), result)
                self.assertEqual({"code", "category", "message", "retryable", "retry_after_ms", "details"},
                                 set(result.error))
                self.assertEqual(code, result.error["code"])
                self.assertEqual(1, result.out.count("\n"))

    def test_a_sum_beyond_a_double(self):
        """JSON has no infinity, and null is no number."""
        for sign in ("", "-"):
            result = self.run_program("--json", "call", "add", '{"a":%s1.5e308,"b":%s1e308}' % (sign, sign))
            self.assertEqual((1, "tool_error"), (result.status, result.error["code"]), result)
        result = self.run_program("call", "add", '{"a":1.7e308,"b":-1e308}')
        self.assertEqual((0, {"sum": 1.7e308 - 1e308}), (result.status, result.json), result)


if __name__ == "__main__":
    program.main(__name__)
