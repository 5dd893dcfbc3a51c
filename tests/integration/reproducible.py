# SPDX-License-Identifier: MIT
"""Tools that draw random numbers: the host gives them a seed and tells it, and with it the same bytes come again.

Which tools draw is read from what they declare, so that a pack that comes to draw is held to it as well.
"""
import functools
import json
import os
import re

import mcp
import program

LEVELS = ("in-process", "isolated", "sandboxed")
TIMES = 2  # of asking each strategy


class Drawing(program.Case):
    """The packs that ship, and beside them one whose every tool draws."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = ["--pack-dir", cls.folder(os.path.join(program.LAB, "draws.so"))]

    @classmethod
    @functools.lru_cache(None)
    def drawing(cls):
        """The tools that declare that they draw, as `list` has them, by name."""
        tools = cls.run_program("list", "--format", "json", *cls.options).json
        return {tool["name"]: tool for tool in tools if tool.get("rng", {}).get("uses_rng")}

    def example(self, name):
        examples = self.drawing()[name].get("examples")
        self.assertTrue(examples, "%s draws and has no example to ask it with" % name)
        return examples[0]["arguments"]

    def server(self, level):
        server = mcp.Server(self, "--isolation", level, *self.options)
        self.addCleanup(server.__exit__)
        server.initialize()
        server.level = level
        return server

    def ask(self, server, name, arguments):
        """The text of the answer, byte by byte what the tool gave, and the seed that was told."""
        result = server.call(name, arguments)
        self.assertFalse(result.get("isError"), result)
        self.assertEqual(server.level, result["_meta"]["toolhost/strategy"])
        return result["content"][0]["text"], result["_meta"]["toolhost/seed"]

    def run_tool(self, name, arguments, *options):
        return self.run_program("call", *options, *self.options, name, json.dumps(arguments))


class Seeds(Drawing):
    def test_every_tool_that_draws_gives_the_same_bytes_everywhere(self):
        self.assertLessEqual({"draw_numbers", "bootstrap_mean", "draw_afresh"}, self.drawing().keys())
        servers = {level: self.server(level) for level in LEVELS}
        for name, tool in self.drawing().items():
            seed = tool["rng"].get("seed_param")
            if not seed:
                continue
            with self.subTest(tool=name):
                arguments = {**self.example(name), seed: 20240229}
                answers = {self.ask(server, name, arguments) for server in servers.values() for _ in range(TIMES)}
                self.assertEqual(1, len(answers), answers)
                self.assertEqual(20240229, answers.pop()[1])

    def test_the_default_stands_in(self):
        for level in LEVELS:
            server = self.server(level)
            for name, tool in self.drawing().items():
                rng = tool["rng"]
                if "default_seed" not in rng:
                    continue
                with self.subTest(level=level, tool=name):
                    arguments = {key: value for key, value in self.example(name).items() if key != rng["seed_param"]}
                    without = self.ask(server, name, arguments)
                    self.assertEqual(rng["default_seed"], without[1])
                    self.assertEqual(without, self.ask(server, name, {**arguments, rng["seed_param"]: None}))
                    given = {**arguments, rng["seed_param"]: rng["default_seed"]}
                    self.assertEqual(without, self.ask(server, name, given))

    def test_a_given_seed_beats_the_default(self):
        for level in LEVELS:
            server = self.server(level)
            numbers = {}
            for seed in (42, 0, 1, -1, 2 ** 53, -2 ** 63, 2 ** 63 - 1):
                with self.subTest(level=level, seed=seed):
                    numbers[seed], told = self.ask(server, "draw_numbers", {"random_state": seed})
                    self.assertEqual(seed, told)
            self.assertEqual(7, len(set(numbers.values())), "each seed has numbers of its own")

    def test_without_a_seed_each_call_has_another_and_tells_it(self):
        for level in LEVELS:
            server = self.server(level)
            for name, tool in self.drawing().items():
                if "default_seed" in tool["rng"]:
                    continue
                with self.subTest(level=level, tool=name):
                    answers = [self.ask(server, name, self.example(name)) for _ in range(20)]
                    self.assertEqual(20, len({seed for _, seed in answers}))
                    self.assertEqual(20, len({numbers for numbers, _ in answers}))
                    self.assertTrue(all(0 <= seed < 2 ** 53 for _, seed in answers), "as every reader of JSON holds it")

    def test_a_told_seed_gives_the_numbers_again(self):
        """What draw_afresh drew is what draw_numbers draws with the seed that was told."""
        for level in LEVELS:
            server = self.server(level)
            with self.subTest(level=level):
                numbers, seed = self.ask(server, "draw_afresh", {})
                self.assertEqual((numbers, seed), self.ask(server, "draw_numbers", {"random_state": seed}))

    def test_calls_at_once_do_not_share_a_stream(self):
        for level in LEVELS:
            server = self.server(level)
            with self.subTest(level=level):
                alone = [self.ask(server, "draw_numbers", {"count": 1000, "random_state": seed}) for seed in range(8)]
                asked = [server.post_call("draw_numbers", {"count": 1000, "random_state": seed}) for seed in range(8)]
                results = [server.answer(id)["result"] for id in asked]
                self.assertEqual([numbers for numbers, _ in alone], [each["content"][0]["text"] for each in results])


class CommandLine(Drawing):
    def test_the_seed_is_told_on_stderr(self):
        for level in LEVELS:
            for arguments, seed in (({}, 42), ({"random_state": 7}, 7), ({"random_state": -7}, -7)):
                with self.subTest(level=level, **arguments):
                    result = self.run_tool("draw_numbers", arguments, "--isolation", level)
                    self.assertEqual((0, "toolhost: the seed of the random numbers was %d\n" % seed),
                                     (result.status, result.err))
                    self.assertEqual(["numbers"], list(result.json))

    def test_a_seed_that_the_host_chose_is_of_use(self):
        told = self.run_tool("draw_afresh", {})
        seed = int(re.search(r"was (\d+)$", told.err).group(1))
        self.assertEqual(told.out, self.run_tool("draw_numbers", {"random_state": seed}).out)

    def test_the_envelope_has_the_seed(self):
        for seed in (-1, 5, 2 ** 63 - 1):
            result = self.run_tool("draw_numbers", {"random_state": seed}, "--json")
            self.assertEqual((seed, ""), (result.json["_meta"]["toolhost/seed"], result.err))


if __name__ == "__main__":
    program.main(__name__)
