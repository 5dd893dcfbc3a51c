#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what `make check` ran in the build folders named, and ends with 1 where something failed.

A program of CUnit and a test of tests/integration/ tell how many cases they held; any other test is one. Of those that
failed the end of the log follows. The last line is `toolhost: N passed, N failed, N skipped`.
"""
import os
import re
import sys

CUNIT = re.compile(r"^\s*tests\s+\d+\s+(\d+)\s+(\d+)\s+(\d+)\s+\d+\s*$", re.MULTILINE)
CASES = re.compile(r"^[\w., -]+: (\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


LAST_LINES = 30


def results(folder):
    """The .trs files that Automake wrote, but not those of a distribution that was tried out below."""
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not re.match(r"toolhost-\d|\.", name))
        for name in sorted(files):
            if name.endswith(".trs"):
                yield os.path.join(path, name)


def outcome(trs):
    """(passed, failed, skipped) of one test."""
    with open(trs, encoding="utf-8") as file:
        verdict = re.search(r"^:global-test-result: (\w+)", file.read(), re.MULTILINE).group(1)
    with open(trs[:-len(".trs")] + ".log", encoding="utf-8", errors="replace") as file:
        log = file.read()
    if verdict == "SKIP":
        return 0, 0, 1
    passed = failed = skipped = 0
    if match := CUNIT.search(log):
        passed, failed = int(match.group(2)), int(match.group(3))
    elif matches := CASES.findall(log):
        passed, failed, skipped = (sum(int(match[index] or 0) for match in matches) for index in range(3))
    elif verdict in ("PASS", "XFAIL"):
        passed = 1
    if verdict not in ("PASS", "XFAIL") and not failed:
        failed = 1
    return passed, failed, skipped


def last_lines(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()[-LAST_LINES:]


def main(folders):
    found = [(outcome(trs), trs[:-len(".trs")], os.path.relpath(trs, folder)[:-len(".trs")])
             for folder in folders for trs in results(folder)]
    # What failed stands last, where it is seen.
    for counts, test, name in sorted(found, key=lambda result: result[0][1] > 0):
        print("%5d passed %3d failed %3d skipped  %s" % (*counts, name))
        if counts[1]:
            print(*("      | " + line for line in last_lines(test + ".log")), sep="\n")
    total = [sum(result[0][index] for result in found) for index in range(3)]
    print("toolhost: %d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["build"]))
