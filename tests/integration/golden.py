# SPDX-License-Identifier: MIT
"""The golden answers of shared/data/golden, asked of the program over MCP on its standard streams.

    python3 tests/integration/golden.py [TOOL ...]

GOLDEN_OPTIONS holds further options of `toolhost serve`; golden_sandboxed.py asks the same of a sandbox. Cases of tools
that the server does not list are skipped. Prints a line a tool, what differs, and `golden: N passed, N failed, N skipped`.
"""
import json
import os
import sys

import golden_compare
import mcp
import program

FOLDER = os.path.join(program.SHARED, "data", "golden")
IN_FLIGHT = 16
SHOWN = 3  # differences of one case
HOST_TOOLS = ("select_analysis_recipe",)  # of no pack, and so always in the host


class Golden(program.Case):
    """Only for the home of its own; the cases are not unittest's."""


def files(names):
    for name in sorted(os.listdir(FOLDER)):
        tool = os.path.splitext(name)[0]
        if name.endswith(".json") and tool != "recipes" and (not names or tool in names):
            with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                yield json.load(file)


def differences(golden, case, result, level):
    """What is wrong with the result of one call. What answers has run, at that level of isolation where one is named."""
    strategy = result["_meta"]["toolhost/strategy"]
    if not result.get("isError") and level not in (None, strategy) and golden["tool"] not in HOST_TOOLS:
        return ["ran %s and should have run %s" % (strategy, level)]
    code = mcp.failure(result)["code"] if result.get("isError") else None
    got = None if code else result.get("structuredContent")
    if "error" in case:
        return list(golden_compare.compare_refusal(case, code, got))
    if code:
        return ["refused with %s: %.200s" % (code, mcp.failure(result)["message"])]
    if got != program.strict_json(result["content"][0]["text"]):
        return ["the text content is another answer than the structured content"]
    return list(golden_compare.compare_answer(case, golden["tool"], golden["tolerance"], got))


def run_tool(server, golden, level):
    """Asks all cases of a tool; answers how many passed, and how many failed."""
    tool, cases, failed = golden["tool"], golden["cases"], 0
    for start in range(0, len(cases), IN_FLIGHT):
        asked = [(case, server.post_call(tool, case["arguments"])) for case in cases[start:start + IN_FLIGHT]]
        for case, id in asked:
            found = differences(golden, case, server.answer(id)["result"], level)
            failed += bool(found)
            for difference in found[:SHOWN]:
                print("  %s %s: %s" % (tool, case["name"], difference))
    return len(cases) - failed, failed


def main(title, names, level=None):
    """Asks all cases, or those of the named tools, at that level of isolation; answers the exit status."""
    options = os.environ.get("GOLDEN_OPTIONS", "").split() + (["--isolation", level] if level else [])
    if not os.path.isdir(FOLDER):
        print("%s: %s is not there" % (title, FOLDER))
        return 77
    passed = failed = skipped = 0
    Golden.setUpClass()
    try:
        with mcp.Server(Golden, *options, env={"TOOLHOST_REPAIR_ARGUMENTS": "0"}) as server:
            server.initialize()
            listed = server.tools()
            for golden in files(names):
                count = len(golden["cases"])
                if golden["tool"] not in listed:
                    print("%-33s %3d skipped: no pack that was loaded offers it" % (golden["tool"], count))
                    skipped += count
                    continue
                good, bad = run_tool(server, golden, level)
                print("%-33s %3d passed, %d failed" % (golden["tool"], good, bad))
                passed += good
                failed += bad
    finally:
        Golden.doClassCleanups()
    print("%s: %d passed, %d failed, %d skipped" % (title, passed, failed, skipped))
    if failed:
        return 1
    return 0 if passed else 77


if __name__ == "__main__":
    sys.exit(main("golden", sys.argv[1:]))
