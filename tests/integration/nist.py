# SPDX-License-Identifier: MIT
"""NIST's certified statistics, asked of the program over MCP: how many digits of each are right.

Univariate sets go to robust_summary_stats, those of the analysis of variance to within_between_variance. A value is held
against the exact answer for the data after each was rounded to a double, which tells the algorithm, and against the
certified one, which tells the whole; doubles do not allow more of that than the limit says. Prints a line a set and
`nist: N passed, N failed, N skipped`. The linear sets and the autocorrelations are unit tests (linalg-nist).
"""
import decimal
import fractions
import json
import math
import os
import sys

import mcp
import program

FOLDER = os.path.join(program.SHARED, "data", "nist")

# Of the exact answer for doubles, all digits but the last have to be right; of the certified one, those that doubles
# allow, less what the rounding of a digit may cost.
ALGORITHM = 14.5
ROUNDING = 0.5


class Nist(program.Case):
    """Only for the home of its own; the sets are not unittest's."""


def digits(found, right):
    """The number of correct digits, as the README of the sets counts them."""
    if found == right:
        return 15.0
    error = abs(fractions.Fraction(found) - fractions.Fraction(right))
    if right:
        error /= abs(fractions.Fraction(right))
    return min(max(-math.log10(error), 0.0), 15.0)


def root(value):
    with decimal.localcontext() as context:
        context.prec = 60
        return fractions.Fraction((decimal.Decimal(value.numerator) / decimal.Decimal(value.denominator)).sqrt())


def exact_of(values):
    """Mean and standard deviation of the doubles, without rounding."""
    exact = [fractions.Fraction(float(value)) for value in values]
    mean = sum(exact) / len(exact)
    return mean, root(sum((value - mean) ** 2 for value in exact) / (len(exact) - 1))


def ask(server, tool, arguments):
    result = server.call(tool, arguments)
    if result.get("isError"):
        raise AssertionError(mcp.failure(result))
    return result["structuredContent"]


def univariate(server, data):
    """Yields a set's name and, for each statistic, what was found, the exact and the certified answer."""
    for name, each in data.items():
        answer = ask(server, "robust_summary_stats", {"values": each["values"], "method": "classical"})
        mean, deviation = exact_of(each["values"])
        yield name, [("mean", answer["mean"], mean, each["certified"]["mean"]),
                     ("sd", answer["std_ddof1"], deviation, each["certified"]["sd"])]


def anova(server, data):
    for name, each in data.items():
        values = [value for group in each["groups"] for value in group]
        labels = [label for label, group in enumerate(each["groups"]) for _ in group]
        answer = ask(server, "within_between_variance", {"values": values, "groups": labels})
        found = {"between": answer["between_ms"], "within": answer["within_ms"],
                 "f": answer["between_ms"] / answer["within_ms"]}
        pick = {"between": lambda part: part["between"]["ms"], "within": lambda part: part["within"]["ms"],
                "f": lambda part: part["f"]}
        yield name, [(key, found[key], pick[key](each["from_doubles"]), pick[key](each["certified"]))
                     for key in ("between", "within", "f")]


def judge(name, statistics):
    """Prints the digits of one set; answers how many statistics passed, and how many failed."""
    passed, shown = 0, []
    for key, found, exact, certified in statistics:
        limit = digits(exact, certified)
        right, whole = digits(found, exact), digits(found, certified)
        good = right >= ALGORITHM and whole >= limit - ROUNDING
        passed += good
        shown.append("%s %.1f of %.1f%s" % (key, whole, limit, "" if good else " (FAILED: %r, %.1f)" % (found, right)))
    print("%-10s %s" % (name, ", ".join(shown)))
    return passed, len(statistics) - passed


def main():
    if not os.path.isdir(FOLDER):
        print("nist: %s is not there" % FOLDER)
        return 77
    passed = failed = 0
    Nist.setUpClass()
    try:
        with mcp.Server(Nist) as server:
            server.initialize()
            if not {"robust_summary_stats", "within_between_variance"} <= server.tools().keys():
                print("nist: the univariate pack was not built")
                return 77
            for file, sets in (("univariate.json", univariate), ("anova.json", anova)):
                with open(os.path.join(FOLDER, file), encoding="utf-8") as stream:
                    data = json.load(stream)
                for name, statistics in sets(server, data):
                    good, bad = judge(name, statistics)
                    passed += good
                    failed += bad
    finally:
        Nist.doClassCleanups()
    print("nist: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
