#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the validator with two others, Python's jsonschema and Ajv, on generated schemas and instances.

	differential.py VERDICTS [--schemas N] [--seed N] [--scratch DIRECTORY]

VERDICTS is the program built from verdicts.c. Both validators are installed from their registries into the scratch
directory, where they are not there yet. Exits with 0 when every difference is explained by a rule of EXPLAINED below,
with 1 when one is not, and with 2 when a validator could not be installed or run.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

DRAFT7 = "http://json-schema.org/draft-07/schema#"
INSTANCES = 8
JSONSCHEMA = "jsonschema==4.23.0"
AJV = "ajv@8.17.1"

KEYS = ["a", "b", "c", "ab", "x1", "b2"]
WORDS = ["", "a", "ab", "abc", "b1", "é", "🐲", "null", "1"]
NUMBERS = [0, 1, 2, 3, -1, 5, 10, 0.5, 1.5, -2.5, 1.0, 100, 1e3, 4294967296]
PATTERNS = ["^a", "b$", "^[a-c]+$", "\\d", "^.$", "^\\w*$", "[^a]", "(a|b)1?"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


def same(a, b):
    """Equality of JSON: 1 is 1.0, and neither is true."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return a == b


# ---- Generation ----------------------------------------------------------------------------------


class Generator:
    """Schemas and instances out of few keys, words and numbers, so that they meet."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.draft7 = False
        self.definitions = 0

    def chance(self, share):
        return self.random.random() < share

    def value(self, depth=3):
        kind = self.random.randrange(9 if depth else 6)
        if kind == 0:
            return None
        if kind == 1:
            return self.chance(0.5)
        if kind in (2, 3):
            return self.random.choice(NUMBERS)
        if kind in (4, 5):
            return self.random.choice(WORDS)
        if kind == 6 and self.chance(0.4):  # long enough to be packed
            return [self.random.choice(NUMBERS) for _ in range(self.random.randrange(8, 14))]
        if kind in (6, 7):
            return [self.value(depth - 1) for _ in range(self.random.randrange(5))]
        return {self.random.choice(KEYS): self.value(depth - 1) for _ in range(self.random.randrange(5))}

    def schema(self, depth, first_definition=0):
        """A schema that may refer to definitions from first_definition on, which keeps references from circling."""
        if depth <= 0 or self.chance(0.08):
            return self.chance(0.8) if self.chance(0.3) else self.leaf()
        result = self.leaf() if self.chance(0.5) else {}
        makers = [self.lists, self.objects, self.applicators, self.references]
        for make in self.random.sample(makers, self.random.randrange(1, 3)):
            make(result, depth - 1, first_definition)
            if self.draft7 and "$ref" in result:
                return result
        if not self.draft7 and self.chance(0.25):
            key = self.random.choice(["unevaluatedProperties", "unevaluatedItems"])
            result[key] = self.random.choice([False, False, {"type": self.random.choice(TYPES)}])
        return result

    def leaf(self):
        result = {}
        for _ in range(self.random.randrange(1, 3)):
            key = self.random.choice(["type", "type", "types", "enum", "const", "number", "text", "pattern"])
            if key == "type":
                result["type"] = self.random.choice(TYPES)
            elif key == "types":
                result["type"] = self.random.sample(TYPES, self.random.randrange(1, 4))
            elif key == "enum":
                result["enum"] = self.distinct(self.random.choice([3, 12]))
            elif key == "const":
                result["const"] = self.value(2)
            elif key == "number":
                keyword = self.random.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
                result[keyword] = self.random.choice(NUMBERS)
                if self.chance(0.3):
                    # Others divide binary fractions; those of these are exact.
                    result["multipleOf"] = self.random.choice([1, 2, 3, 0.5, 0.25, 1.5])
            elif key == "text":
                result[self.random.choice(["minLength", "maxLength"])] = self.random.randrange(4)
            else:
                result["pattern"] = self.random.choice(PATTERNS)
        return result

    def distinct(self, count):
        result = []
        for _ in range(count):
            value = self.value(1)
            if not any(same(value, other) for other in result):
                result.append(value)
        return result

    def lists(self, result, depth, first):
        if self.chance(0.6):
            if self.draft7:
                if self.chance(0.5):
                    result["items"] = self.some(depth, first)
                    if self.chance(0.6):
                        result["additionalItems"] = self.schema(depth, first)
                else:
                    result["items"] = self.schema(depth, first)
            else:
                if self.chance(0.4):
                    result["prefixItems"] = self.some(depth, first)
                result["items"] = self.schema(depth, first)
        if self.chance(0.3):
            result["contains"] = self.schema(depth, first)
            if not self.draft7 and self.chance(0.5):
                result["minContains"] = self.random.randrange(3)
            if not self.draft7 and self.chance(0.3):
                result["maxContains"] = self.random.randrange(1, 4)
        if self.chance(0.3):
            result["uniqueItems"] = self.chance(0.8)
        if self.chance(0.3):
            result[self.random.choice(["minItems", "maxItems"])] = self.random.randrange(5)

    def objects(self, result, depth, first):
        if self.chance(0.7):
            keys = self.random.sample(KEYS, self.random.randrange(1, 5))
            result["properties"] = {key: self.schema(depth, first) for key in keys}
        if self.chance(0.3):
            result["required"] = self.random.sample(KEYS, self.random.randrange(3))
        if self.chance(0.25):
            result["patternProperties"] = {self.random.choice(PATTERNS): self.schema(depth, first)}
        if self.chance(0.35):
            result["additionalProperties"] = self.schema(depth, first) if self.chance(0.6) else False
        if self.chance(0.15):
            result["propertyNames"] = self.schema(0, first)
        if self.chance(0.15):
            result[self.random.choice(["minProperties", "maxProperties"])] = self.random.randrange(4)
        if self.chance(0.15):
            keyword = "dependencies" if self.draft7 else "dependentRequired"
            result[keyword] = {self.random.choice(KEYS): self.random.sample(KEYS, 2)}
        if self.chance(0.15):
            keyword = "dependencies" if self.draft7 else "dependentSchemas"
            result.setdefault(keyword, {})[self.random.choice(KEYS)] = self.schema(depth, first)

    def some(self, depth, first):
        return [self.schema(depth, first) for _ in range(self.random.randrange(1, 4))]

    def applicators(self, result, depth, first):
        kind = self.random.choice(["allOf", "anyOf", "oneOf", "not", "if"])
        if kind == "not":
            result["not"] = self.schema(depth, first)
        elif kind == "if":
            for key in self.random.sample(["then", "else"], self.random.randrange(3)) + ["if"]:
                result[key] = self.schema(depth, first)
        else:
            result[kind] = self.some(depth, first)

    def references(self, result, depth, first):
        if first < self.definitions:
            name = "d%d" % self.random.randrange(first, self.definitions)
            if self.draft7:  # what stands beside it is ignored, but not by Ajv
                result.clear()
            result["$ref"] = ("#/definitions/" if self.draft7 else self.random.choice(["#/$defs/", "#"])) + name
        elif self.chance(0.5):
            # Into the value and back to the whole: the one way in which references may circle.
            result.setdefault("properties", {})["a"] = {"$ref": "#"}

    def whole(self):
        self.draft7 = self.chance(0.35)
        self.definitions = self.random.randrange(4)
        made = {}
        for i in range(self.definitions):
            body = self.schema(self.random.choice([1, 2]), i + 1)
            if not self.draft7:
                body = body if isinstance(body, dict) else {"allOf": [body]}
                body["$anchor"] = "d%d" % i
            made["d%d" % i] = body
        result = self.schema(self.random.choice([1, 2, 2, 3]))
        if not isinstance(result, dict):
            result = {"allOf": [result]}
        if made:
            result["definitions" if self.draft7 else "$defs"] = made
        if self.draft7:
            result["$schema"] = DRAFT7
        return result

    def fitting(self, schema, whole, depth=6):
        """A value that likely fits: by chance alone, most are refused by the first keyword."""
        if depth == 0 or not isinstance(schema, dict) or self.chance(0.15):
            return self.value(2)
        reference = schema.get("$ref", "")
        if reference and reference != "#":
            name = reference.split("/")[-1].lstrip("#")
            schema = whole.get("$defs", whole.get("definitions", {})).get(name, {})
            return self.fitting(schema, whole, depth - 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in schema and self.chance(0.6):
                return self.fitting(self.random.choice(schema[keyword]), whole, depth - 1)
        kinds = schema.get("type", self.random.choice(TYPES))
        kind = self.random.choice(kinds) if isinstance(kinds, list) else kinds
        if "properties" in schema or "required" in schema:
            kind = "object" if "type" not in schema else kind
        elif "items" in schema or "prefixItems" in schema or "contains" in schema:
            kind = "array" if "type" not in schema else kind
        if kind == "object":
            keys = [key for key in schema.get("properties", {}) if self.chance(0.8)] + schema.get("required", [])
            if self.chance(0.3):
                keys.append(self.random.choice(KEYS))
            return {key: self.fitting(schema.get("properties", {}).get(key, {}), whole, depth - 1) for key in keys}
        if kind == "array":
            prefix = schema.get("prefixItems", schema["items"] if isinstance(schema.get("items"), list) else [])
            rest = schema.get("items", schema.get("contains", {}))
            rest = {} if isinstance(rest, list) else rest
            return [self.fitting(item, whole, depth - 1) for item in prefix] + [
                self.fitting(rest, whole, depth - 1) for _ in range(self.random.choice([0, 1, 2, 3, 9]))]
        if kind in ("integer", "number"):
            return self.random.choice([n for n in NUMBERS if kind == "number" or n == int(n)])
        if kind == "string":
            return self.random.choice(WORDS)
        return {"null": None, "boolean": True}.get(kind)

    def case(self):
        schema = self.whole()
        instances = [self.fitting(schema, schema) for _ in range(INSTANCES - 2)] + [self.value(), self.value()]
        return {"schema": schema, "instances": instances}


# ---- The three validators ------------------------------------------------------------------------


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode:
        sys.stderr.write("differential: %s failed:\n%s\n" % (" ".join(command), done.stderr.decode()[-2000:]))
        sys.exit(2)
    return done.stdout.decode()


def install(scratch):
    python = os.path.join(scratch, "venv", "bin", "python")
    if not os.path.exists(python):
        run([sys.executable, "-m", "venv", os.path.join(scratch, "venv")])
    if subprocess.run([python, "-c", "import jsonschema"], stderr=subprocess.DEVNULL).returncode:
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", JSONSCHEMA])
    if not os.path.exists(os.path.join(scratch, "node_modules", "ajv")):
        run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", scratch, AJV])
    return python


def judge_with_jsonschema():
    """The child process that runs in the virtual environment: verdicts of jsonschema, as verdicts.c gives them."""
    import jsonschema

    for line in sys.stdin:
        case = json.loads(line)
        draft7 = case["schema"].get("$schema") == DRAFT7
        kind = jsonschema.Draft7Validator if draft7 else jsonschema.Draft202012Validator
        try:
            kind.check_schema(case["schema"])
            validator = kind(case["schema"])
            print("".join("v" if validator.is_valid(instance) else "i" for instance in case["instances"]))
        except Exception as error:
            print("refused: " + str(error).split("\n")[0])


def verdicts(command, text, **options):
    return run(command, input=text.encode(), **options).splitlines()


# ---- Differences ---------------------------------------------------------------------------------


def mentions(value, keys):
    """Whether any of the keys stands anywhere in a schema."""
    if isinstance(value, dict):
        return any(key in keys for key in value) or any(mentions(v, keys) for v in value.values())
    return isinstance(value, list) and any(mentions(v, keys) for v in value)


def has_pattern(schema, pattern):
    return pattern in json.dumps(schema, ensure_ascii=False)


# Who deviates, where, and why. A rule explains a difference only where the other two validators agree.
EXPLAINED = [
    ("jsonschema", lambda schema: has_pattern(schema, "\\\\d") or has_pattern(schema, "\\\\w"),
     "Python's \\w and \\d go beyond ASCII"),
    ("jsonschema", lambda schema: mentions(schema, ["unevaluatedItems", "unevaluatedProperties"]),
     "jsonschema finds what was evaluated by looking through the schema again, and misses some"),
    ("ajv", lambda schema: mentions(schema, ["unevaluatedItems", "unevaluatedProperties"]),
     "Ajv tells at compile time what is evaluated, which leaves out what references and branches evaluate"),
    ("ajv", lambda schema: mentions(schema, ["contains"]) and mentions(schema, ["items", "prefixItems"]),
     "Ajv leaves contains out for an array that is no longer than the list of its first items"),
]


def explanation(case, ours, python, node):
    """The reason for which one of three verdicts differs, or None."""
    deviant = "jsonschema" if ours == node else "ajv" if ours == python else None
    for who, applies, reason in EXPLAINED:
        if who == deviant and applies(case["schema"]):
            return reason
    return None


def compare(cases, ours, python, node):
    reasons, unexplained, compared = {}, [], 0
    for case, a, b, c in zip(cases, ours, python, node):
        refused = [text.startswith("refused") for text in (a, b, c)]
        pairs = [(None, a, b, c)] if any(refused) else zip(case["instances"], a, b, c)
        for instance, x, y, z in pairs:
            compared += 1
            if any(refused):
                x, y, z = ("refused" if r else "taken" for r in refused)
            if x == y == z:
                continue
            reason = explanation(case, x, y, z)
            if reason:
                reasons[reason] = reasons.get(reason, 0) + 1
            else:
                unexplained.append((case["schema"], instance, a, b, c) if any(refused)
                                   else (case["schema"], instance, x, y, z))
    return compared, reasons, unexplained


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("verdicts", help="the program built from verdicts.c")
    parser.add_argument("--schemas", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scratch", help="where both validators are, or are put")
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))

    with tempfile.TemporaryDirectory() as temporary:
        scratch = os.path.abspath(options.scratch or temporary)
        os.makedirs(scratch, exist_ok=True)
        python = install(scratch)
        generator = Generator(options.seed)
        cases = [generator.case() for _ in range(options.schemas)]
        text = "".join(json.dumps(case) + "\n" for case in cases)
        ours = verdicts([options.verdicts], text)
        theirs = verdicts([python, os.path.abspath(__file__), "--judge"], text)
        node = verdicts(["node", os.path.join(here, "differential.js")], text, cwd=scratch)

    if not len(ours) == len(theirs) == len(node) == len(cases):
        sys.stderr.write("differential: %d, %d and %d verdicts for %d schemas\n"
                         % (len(ours), len(theirs), len(node), len(cases)))
        return 2
    compared, reasons, unexplained = compare(cases, ours, theirs, node)
    valid = sum(line.count("v") for line in ours if not line.startswith("refused"))
    print("seed %d: %d schemas, %d pairs compared, %d of them valid" % (options.seed, len(cases), compared, valid))
    for reason, count in sorted(reasons.items()):
        print("%6d explained: %s" % (count, reason))
    print("%6d unexplained" % len(unexplained))
    for schema, instance, a, b, c in unexplained[:10]:
        print("schema   %s\ninstance %s\n  toolhost %s, jsonschema %s, ajv %s"
              % (json.dumps(schema), json.dumps(instance), a, b, c))
    # Verdicts that are all the same would show nothing.
    return 1 if unexplained or valid * 10 < compared or valid * 10 > compared * 9 else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--judge"]:
        judge_with_jsonschema()
    else:
        sys.exit(main())
