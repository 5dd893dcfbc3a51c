# SPDX-License-Identifier: MIT
"""Random arguments, good and bad, for every tool that ships, shaped after its input schema.

A call answers with a result that its output schema holds for, or with a refusal from the catalogue: of arguments by the
host, or by the tool. A crash, an exit, a timeout, a worker that went missing, a result that breaks its schema or what is
no JSON fails the test, and the arguments that led there are printed. FUZZ_CALLS is how many calls a tool gets (150), and
FUZZ_SEED where the random numbers start (1).
"""
import collections
import json
import math
import os
import random

import mcp
import program

CALLS = int(os.environ.get("FUZZ_CALLS", "150"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
IN_FLIGHT = 32
FRESH_MOST = 200  # calls of a tool that get a process each; all others share workers

REFUSALS = {"input_invalid", "input_too_large", "tool_error"}

NAMES = ["batch", "y", "t", "lot", "", "ß", "\U0001d518", "\u2028", "x" * 300, "1", "NaN", "null"]
STRANGE = ["NaN", "Infinity", "-inf", "1e999", "0x10", "1,5", "10 237,65", "", " ", "null", "[1,2]", "\u0000", True, False,
           None, {}, [], [[]], [None], {"": None}, 2 ** 63, -2 ** 70, 1e308, -0.0, 5e-324, "x" * 5000]


def deep(levels):
    """A list in a list, and so on: text, since Python's own printer stops much earlier."""
    return json.loads("[" * levels + "]" * levels)


class Arguments:
    """Draws arguments for one tool. Lists of one call mostly have a length in common, as lists that belong together do."""

    def __init__(self, tool, stream):
        self.schema = tool["inputSchema"]
        self.examples = [example["arguments"] for example in tool.get("examples", [])]
        # Hardly any random model fits together, so that tools that take one get those of their examples more often.
        takes_object = any(part.get("type") == "object" for part in self.schema["properties"].values())
        self.example_share = 0.6 if takes_object else 0.2
        self.random = stream
        self.count = self.width = 0
        self.names = []

    def chance(self, share):
        return self.random.random() < share

    # ---- Numbers ---------------------------------------------------------------------------------------------------

    def series(self, count):
        """Numbers that a column of data may hold, well-behaved ones and others."""
        pick = self.random
        kinds = [
            lambda at: pick.gauss(20, 3),
            lambda at: pick.gauss(20, 3) if pick.random() < 0.9 else pick.gauss(0, 1000),
            lambda at: pick.randint(0, 3),
            lambda at: constant,
            lambda at: constant if at else constant + 1,
            lambda at: at * constant,
            lambda at: 10 ** 12 + at % 7,
            lambda at: pick.gauss(0, 1) * 1e300,
            lambda at: pick.gauss(0, 1) * 1e-310,
            lambda at: pick.choice([1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0, -0.0, 1]),
            lambda at: pick.uniform(-1, 1) * 10 ** pick.randint(-320, 308),
            lambda at: pick.choice([2 ** 53 + 1, -2 ** 63, 2 ** 63 - 1, 0]),
        ]
        constant = pick.choice([0, 1, 0.1, -5.5, 1e-300, 1e300])
        kind = pick.choice(kinds[:2] if self.chance(0.4) else kinds)
        return [kind(at) for at in range(count)]

    def number(self, schema):
        low = schema.get("minimum", schema.get("exclusiveMinimum"))
        high = schema.get("maximum", schema.get("exclusiveMaximum"))
        if low is None and high is None:
            return self.series(1)[0]
        if high is None:
            high = low + self.random.choice([1, 10, 1e6])
        if low is None:
            low = high - self.random.choice([1, 10, 1e6])
        edge = [low] * ("exclusiveMinimum" not in schema) + [high] * ("exclusiveMaximum" not in schema)
        if edge and self.chance(0.2):
            return self.random.choice(edge)
        return low + (high - low) * self.random.uniform(1e-9, 1 - 1e-9)

    def integer(self, schema):
        low = schema.get("minimum", -10)
        high = schema.get("maximum", max(low, 0) + self.random.choice([1, 5, 60, 2 ** 40]))
        return self.random.randint(low, high)

    # ---- Values that fit a schema ----------------------------------------------------------------------------------

    def list(self, schema):
        items = schema.get("items", {})
        count = self.count if self.chance(0.97) else self.random.randint(0, 12)
        if "enum" in items or schema.get("uniqueItems"):
            count = self.random.randint(1, 3)
        count = max(count, schema.get("minItems", 0))
        if items.get("type") == "number" and not items.keys() & {"minimum", "exclusiveMinimum", "maximum"}:
            return self.series(count)
        if items.get("type") == "array":
            return self.matrix(count, items)
        if items.get("type") == "object" and "additionalProperties" in items and "properties" not in items:
            return self.table(count)
        values = [self.value(items) for _ in range(count)]
        return list({json.dumps(value): value for value in values}.values()) if schema.get("uniqueItems") else values

    def matrix(self, rows, items):
        columns = max(self.width, items.get("minItems", 0))
        table = [list(row) for row in zip(*(self.series(rows) for _ in range(columns)))]
        if table and self.chance(0.03):
            table[-1] = table[-1][:-1]
        return table

    def table(self, rows):
        """Rows of named cells: most columns are numbers, and those of some tables have gaps or texts among them."""
        columns = {name: self.series(rows) for name in self.random.sample(NAMES, self.random.randint(1, 4))}
        self.names = list(columns)
        columns["batch"] = [self.random.choice("abc") for _ in range(rows)]
        columns["y"] = self.series(rows)
        table = [dict(zip(columns, row)) for row in zip(*columns.values())]
        for row in table if self.chance(0.3) else []:
            if self.chance(0.05):
                row[self.random.choice(list(row))] = self.random.choice([None, "NA", True])
            if self.chance(0.02):
                row.popitem()
        return table

    def object(self, schema):
        required = schema.get("required", [])
        found = {}
        for name, part in schema.get("properties", {}).items():
            if name in required or self.chance(0.5):
                found[name] = self.value(part)
            elif self.chance(0.05):
                found[name] = None
        return found

    def value(self, schema):
        if "anyOf" in schema:
            return self.value(self.random.choice(schema["anyOf"]))
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kind = schema.get("type")
        kind = self.random.choice(kind) if isinstance(kind, list) else kind
        if kind == "string":
            return self.random.choice(self.names if self.names and self.chance(0.9) else NAMES)
        if kind in (None, "null"):
            return None
        if kind == "boolean":
            return self.chance(0.5)
        return {"array": self.list, "object": self.object, "number": self.number, "integer": self.integer}[kind](schema)

    # ---- Arguments -------------------------------------------------------------------------------------------------

    def example(self):
        """The arguments of an example with some of its numbers moved, which fits together as no random draw does."""
        arguments = json.loads(json.dumps(self.random.choice(self.examples)))
        for _ in range(self.random.randint(0, 3)):
            place, key = self.place(arguments)
            if place and isinstance(place[key], (int, float)) and not isinstance(place[key], bool):
                value = place[key]
                moved = self.random.choice([value * 2, -value, 0, 1, value * 1e200, value / 1e200])
                place[key] = moved if math.isfinite(moved) else 0
        return arguments

    def place(self, value):
        """A container within `value` and a key of it, at any depth; (None, None) where there is none."""
        found = (None, None)
        while isinstance(value, (dict, list)) and value:
            key = self.random.choice(list(value)) if isinstance(value, dict) else self.random.randrange(len(value))
            found = (value, key)
            value = value[key]
            if self.chance(0.25):
                break
        return found

    def good(self):
        self.names = []
        self.count = self.random.choice([0, 1, 2, 3, 5, 8, 12, 13, 30, 100])
        self.width = self.random.choice([1, 2, 3, 5, 8, 20])
        return self.example() if self.examples and self.chance(self.example_share) else self.object(self.schema)

    def spoilt(self):
        """Arguments with a fault, and whether no schema of ours can let it pass."""
        arguments = self.good()
        required = self.schema.get("required", [])
        fault = self.random.choice(["missing", "unknown", "kind", "strange", "strange", "strange", "deep", "moved"])
        if fault == "missing" and required:
            del arguments[self.random.choice(required)]
            return arguments, True
        if fault == "unknown":
            arguments[self.random.choice(["value", "Values", "_x", "__proto__", "\ufffe", "k" * 2000])] = 1
            return arguments, True
        if fault == "kind" and required:
            name = self.random.choice(required)
            text = self.schema["properties"][name].get("type") == "string"
            arguments[name] = self.random.choice([[], {}, 7, None, True]) if text else "seven"
            return arguments, True
        if fault == "deep":
            name = self.random.choice(list(self.schema["properties"]))
            arguments[name] = deep(self.random.choice([9, 10, 11, 60, 400]))
            return arguments, True
        place, key = self.place(arguments)
        if place is not None:
            place[key] = self.random.choice(STRANGE if fault == "strange" else [-1, 0, 0.5, 2, 51, 1e9, -1e-9])
        return arguments, False


class Fuzz(program.Case):
    @classmethod
    def tools(cls):
        """All tools that ship, as `list` has them."""
        return cls.run_program("list", "--format", "json").json

    def server(self, *options):
        """What a tool says wrongly of its result is for this setting to find."""
        server = mcp.Server(self, "--isolation", "isolated", *options,
                            env={"TOOLHOST_STRICT_RESULTS": "1", "TOOLHOST_REPAIR_ARGUMENTS": "0"})
        self.addCleanup(server.__exit__)
        server.initialize()
        return server

    def judge(self, response, refused):
        """What the call came to: "answered", or the code of its refusal."""
        self.assertIn("result", response)
        result = response["result"]
        if result.get("isError"):
            code = mcp.failure(result)["code"]
            self.assertIn(code, REFUSALS, mcp.failure(result))
            self.assert_bounded(mcp.failure(result)["message"])
            if refused:
                self.assertNotEqual("tool_error", code, "the schema has to refuse this")
            return code
        self.assertFalse(refused, "the schema has to refuse this")
        self.assertEqual(result["structuredContent"], program.strict_json(result["content"][0]["text"]))
        return "answered"

    def fuzz(self, server, tool, calls, seed):
        """Sends that many calls; answers how many came to what."""
        draw = Arguments(tool, random.Random(seed))
        found = collections.Counter()
        for start in range(0, calls, IN_FLIGHT):
            asked = []
            for _ in range(min(IN_FLIGHT, calls - start)):
                arguments, refused = draw.spoilt() if draw.chance(0.4) else (draw.good(), False)
                asked.append((server.post_call(tool["name"], arguments), arguments, refused))
            for id, arguments, refused in asked:
                try:
                    found[self.judge(server.answer(id), refused)] += 1
                except AssertionError as error:
                    raise AssertionError("%s: %s %s" % (error, tool["name"], json.dumps(arguments)[:20000])) from None
        return found

    def test_every_tool(self):
        pooled, fresh = self.server("--worker-calls", "200"), self.server()
        tools = self.tools()
        self.assertTrue(tools)
        print()
        for tool in tools:
            with self.subTest(tool=tool["name"]):
                alone = min(CALLS // 10, FRESH_MOST)
                seed = "%d %s" % (SEED, tool["name"])
                found = self.fuzz(fresh, tool, alone, seed + " fresh") + self.fuzz(pooled, tool, CALLS - alone, seed)
                print("%-28s %s" % (tool["name"], ", ".join("%d %s" % (found[key], key) for key in sorted(found))),
                      flush=True)
                if CALLS >= 100:
                    self.assertGreater(found["answered"], 0, "no arguments were good enough to reach a result")
        for server in (pooled, fresh):
            self.assertNotRegex(server.stderr(), r"Sanitizer|runtime error")


if __name__ == "__main__":
    program.main(__name__)
