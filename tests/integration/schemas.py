# SPDX-License-Identifier: MIT
"""Schemas and names as clients and model services take them."""
import os

import mcp
import program

EMPTY = {"type": "object", "properties": {}, "additionalProperties": False}


class Base(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab()
        cls.shapes = os.path.join(program.LAB, "shapes.so")

    def listed(self, format, *more):
        result = self.run_program("list", *self.options, "--format", format, *more)
        self.assertEqual(0, result.status, result)
        tools = result.json
        if isinstance(tools, dict):
            tools = tools["tools"]
        return {tool["function"]["name"] if "function" in tool else tool["name"]: tool for tool in tools}

    def schema(self, format, name):
        tool = self.listed(format)[name]
        return {"openai": lambda: tool["function"]["parameters"], "anthropic": lambda: tool["input_schema"],
                "mcp": lambda: tool["inputSchema"]}[format]()

    def check(self, path):
        return self.run_program("pack", "check", path)


def keys(value):
    """Every key that stands anywhere in a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*(keys(item) for item in value.values()))
    return set().union(*(keys(item) for item in value)) if isinstance(value, list) else set()


class Shapes(Base):
    def test_a_combinator_at_the_root(self):
        checked = self.check(self.shapes)
        self.assertRegex(checked.out + checked.err, r"shape_any_of\b.*anyOf")
        with mcp.Server(self, *self.options) as server:
            server.initialize()
            tools = server.tools()
            self.assertIn("anyOf", tools["shape_any_of"]["inputSchema"], "listed as written")
            self.assertIn("shape_plain", tools)
            self.assertEqual("input_invalid", mcp.failure(server.call("shape_any_of", {}))["code"])
            self.assertFalse(server.call("shape_any_of", {"a": 1}).get("isError", False))
        for format in ("openai", "anthropic"):
            with self.subTest(format):
                self.assertLessEqual(keys(self.schema(format, "shape_any_of")) & {"anyOf", "oneOf", "allOf"}, set())

    def test_output_schemas_have_a_type(self):
        with mcp.Server(self, *self.options) as server:
            server.initialize()
            for name, tool in server.tools().items():
                self.assertEqual("object", tool.get("outputSchema", {"type": "object"}).get("type"), name)
        checked = self.check(self.shapes)
        self.assertRegex(checked.out + checked.err, r"shape_loose_output\b")

    def test_a_tool_without_parameters(self):
        with mcp.Server(self, *self.options) as server:
            server.initialize()
            self.assertEqual(EMPTY, server.tools()["lab_nothing"]["inputSchema"])
        self.assertEqual(EMPTY, self.schema("openai", "lab_nothing"))
        self.assertEqual(EMPTY, self.schema("mcp", "lab_nothing"))

    def test_derived_schemas_have_no_reference_and_state_types(self):
        for name in ("summary", "lab_nested", "lab_wait", "lab_draw"):
            with self.subTest(name):
                schema = self.schema("mcp", name)
                self.assertNotIn("$ref", keys(schema))
                self.assertLessEqual(keys(schema) & {"anyOf", "oneOf", "allOf", "$defs"}, set())
                for key, value in schema["properties"].items():
                    if key != "free_form":
                        self.assertIn("type", value, key)

    def test_references_are_inlined_for_vendors(self):
        for format in ("openai", "anthropic"):
            with self.subTest(format):
                schema = self.schema(format, "shape_reference")
                self.assertNotIn("$ref", keys(schema))
                self.assertEqual(0, schema["properties"]["size"]["exclusiveMinimum"])
                self.assertEqual("number", schema["properties"]["size"]["type"])
        checked = self.check(self.shapes)
        self.assertRegex(checked.out + checked.err, r"shape_tree\b")

    def test_a_property_without_a_type(self):
        checked = self.check(self.shapes)
        self.assertRegex(checked.out + checked.err, r"shape_untyped\b.*anything")

    def test_no_dialect_unless_asked_for(self):
        for format in ("openai", "anthropic"):
            with self.subTest(format):
                for name, tool in self.listed(format).items():
                    self.assertNotIn("$schema", keys(tool), name)
        result = self.run_program("call", *self.options, "shape_reference", '{"size":-1}')
        self.assertEqual(3, result.status, "validation is unchanged: %r" % result)


class Names(Base):
    def test_a_dot(self):
        checked = self.check(self.shapes)
        self.assertRegex(checked.out + checked.err, r"shape\.dotted\b")
        self.assertIn("[A-Za-z0-9_-]{1,64}", checked.out + checked.err)
        for name in self.listed("openai"):
            self.assertRegex(name, r"^[A-Za-z0-9_-]{1,64}$")

    def test_shipped_names(self):
        result = self.run_program("list", "--format", "json")
        self.assertEqual(0, result.status, result)
        for name in (tool["name"] for tool in result.json):
            self.assertRegex(name, r"^[A-Za-z0-9_-]{1,64}$")

    def test_a_space(self):
        path = os.path.join(program.ZOO, "bad-name.so")
        checked = self.check(path)
        self.assertEqual(1, checked.status, checked)
        self.assertIn('new tool', checked.out + checked.err)
        self.assertIn("A-Za-z0-9_-", checked.out + checked.err)
        folder = self.folder("bad-name", "ok")
        listed = self.run_program("pack", "list", "--no-default-packs", "--pack-dir", folder)
        self.assertRegex(listed.out, r"(?m)^.*bad-name.*refused")
        with mcp.Server(self, "--no-default-packs", "--pack-dir", folder) as server:
            server.initialize()
            self.assertEqual(["ok"], list(server.tools()))


if __name__ == "__main__":
    program.main(__name__)
