# SPDX-License-Identifier: MIT
"""How an answer is held against a golden one: the rules of shared/data/golden/README.md.

Each function yields differences as sentences; none means that the answer is as good.
"""
import json

ANYTHING = "(any)"

# Keys that our tools add to the answers of the reference, and why a key is no surprise there.
ADDED = {"": {"reason"}, "select_analysis_recipe": {"score", "runner_up", "cues_matched", "reason"}}

# Lists whose order comes from a random stream: rows are compared as a bag.
BAGS = {"generate_design": {"design_coded", "design_actual"}}

# Parts of which only the structure counts: an object or null.
STRUCTURE_ONLY = {"boxplot": {"plotly", "echarts"}}

# What a stricter or an equally good refusal may be.
AS_GOOD = {"input_invalid": {"input_invalid"},
           "input_too_large": {"input_too_large"},
           "tool_error": {"tool_error", "input_invalid"}}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shown(value):
    return "%.80s" % json.dumps(value)


class Comparison:
    def __init__(self, tool, rtol, atol):
        self.tool = tool
        self.rtol = rtol
        self.atol = atol
        self.added = ADDED[""] | ADDED.get(tool, set())

    def values(self, got, wanted, path="$"):
        if wanted == ANYTHING:
            return
        if isinstance(wanted, dict):
            yield from self.objects(got, wanted, path)
        elif isinstance(wanted, list):
            yield from self.lists(got, wanted, path)
        elif is_number(wanted):
            if not is_number(got) or abs(got - wanted) > self.atol + self.rtol * abs(wanted):
                yield "%s is %s and should be %s" % (path, shown(got), shown(wanted))
        elif got != wanted or type(got) is not type(wanted):
            yield "%s is %s and should be %s" % (path, shown(got), shown(wanted))

    def objects(self, got, wanted, path):
        if not isinstance(got, dict):
            yield "%s is %s and should be an object" % (path, shown(got))
            return
        for key in wanted.keys() - got.keys():
            yield "%s/%s is not there" % (path, key)
        for key in got.keys() - wanted.keys() - self.added:
            yield "%s/%s is more than was wanted" % (path, key)
        for key in wanted.keys() & got.keys():
            below = "%s/%s" % (path, key)
            if key in STRUCTURE_ONLY.get(self.tool, ()) and wanted[key] != ANYTHING:
                if isinstance(got[key], dict) != isinstance(wanted[key], dict):
                    yield "%s is %s and should be %s" % (below, shown(got[key]), shown(wanted[key]))
            elif key in BAGS.get(self.tool, ()):
                yield from self.values(in_order(got[key]), in_order(wanted[key]), below)
            else:
                yield from self.values(got[key], wanted[key], below)

    def lists(self, got, wanted, path):
        if not isinstance(got, list):
            yield "%s is %s and should be a list" % (path, shown(got))
            return
        if len(got) != len(wanted):
            yield "%s has %d entries and should have %d" % (path, len(got), len(wanted))
            return
        for at, (one, other) in enumerate(zip(got, wanted)):
            yield from self.values(one, other, "%s/%d" % (path, at))


def in_order(rows):
    """Rows sorted by their cells, where they are rows."""
    if not isinstance(rows, list):
        return rows
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def numbers_in(value, key=""):
    """Every number and null of an answer, but counts."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from numbers_in(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from numbers_in(part, key)
    elif value is None or (is_number(value) and not (key == "n" or key.startswith("n_"))):
        yield value


def is_reasoned_null(answer):
    """Whether an answer on degenerate data is nulls with a reason, which is as good as a refusal."""
    return bool(answer.get("reason")) and all(value is None for value in numbers_in(answer))


def recipe_of(answer):
    return answer["recipe"]["recipe_key"] if answer.get("recipe") else None


def compare_recipes(got, wanted):
    """More recipes ship than the reference has, and the prose is ours: what counts is which recipe a query gets."""
    for part, of in (("matched", lambda answer: answer.get("matched")), ("recipe", recipe_of)):
        if of(got) != of(wanted):
            yield "%s is %s and should be %s" % (part, shown(of(got)), shown(of(wanted)))


def compare_answer(case, tool, tolerance, got):
    """Differences of a result from the one that the case holds."""
    if tool == "select_analysis_recipe":
        return compare_recipes(got, case["result"])
    return Comparison(tool, case.get("rtol", tolerance["rtol"]), case.get("atol", tolerance["atol"])).values(
        got, case["result"])


def compare_refusal(case, code, got):
    """Differences where the case is an error. code: of the refusal, or None; got: the result, or None."""
    wanted = case["error"]["code"]
    if code is None and wanted == "tool_error" and is_reasoned_null(got):
        return
    if code not in AS_GOOD[wanted]:
        yield "%s, and should be refused with %s: %s" % (
            "refused with " + code if code else "answered with " + shown(got), wanted, case["error"]["about"])
