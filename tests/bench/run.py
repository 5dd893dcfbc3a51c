#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures toolhost beside the floors of this machine, in turn in one run, and prints the ratios.

  make bench                          in the build folder
  tests/bench/run.py [--rounds 5] [CASE ...]

Absolute times mean little on a shared machine; what counts is how often the floor fits into what was measured. The
floor of a call is floor.c, a loop that reads a line and writes a canned one; of a start the same, linked with the
libraries of toolhost; of large arrays node-bare.mjs, the least that Node.js does, where Node.js is there.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import tools

SOURCE = os.path.abspath(os.environ.get("TOP_SRCDIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("TOP_BUILDDIR") or os.path.join(SOURCE, "build"))
BENCH = os.path.join(BUILD, "tests", "bench")

SHARED = os.environ.get("SHARED") or os.path.join(SOURCE, "..", "shared")

TOOLHOST = [os.path.join(BUILD, "toolhost"), "serve", "--stdio"]
FLOOR = [os.path.join(BENCH, "floor")]
LINKED = [os.path.join(BENCH, "floor-linked")]
NODE = ["node", os.path.join(SOURCE, "tests", "bench", "node-bare.mjs")]

ECHO = ["-t", "echo", "-a", '{"text":"hello"}', "-x", "hello"]
PATIENCE = 300


def stats(count):
    """The classical method, which is what the peer computes as well."""
    return ["-t", "robust_summary_stats", "-A", '%d,"method":"classical"' % count, "-x", "median"]


class Bench:
    def __init__(self, rounds, home):
        self.rounds = rounds
        self.home = home
        self.env = {"PATH": os.environ["PATH"], "HOME": home, "XDG_CACHE_HOME": os.path.join(home, "cache"),
                    "XDG_CONFIG_HOME": os.path.join(home, "config"), "LC_ALL": "C"}

    def load(self, command, options, **env):
        done = subprocess.run([os.path.join(BENCH, "load"), *options, "--", *command], capture_output=True, text=True,
                              env={**self.env, **env}, timeout=PATIENCE, check=False)
        if done.returncode:
            sys.exit("%s: %s" % (" ".join(command), done.stderr.strip()))
        return json.loads(done.stdout)

    def medians(self, commands, options, key, **env):
        """The median of `key` for each command; the rounds go over all of them in turn."""
        values = [[] for _ in commands]
        for _ in range(self.rounds):
            for command, found in zip(commands, values):
                found.append(self.load(command, options, **env)[key])
        return [statistics.median(found) for found in values]


def row(name, unit, ours, floor, floor_name, promise=""):
    print("%-34s %10.1f %-4s  %8.2f times %-14s (%.1f %s)%s" % (
        name, ours, unit, ours / floor, floor_name, floor, unit, "   promised: " + promise if promise else ""), flush=True)


def bench_echo(bench):
    """A small call over the standard streams."""
    for name, options, key, promise in (
            ("echo, one at a time, pinned", ["-n", "100000", "-w", "5000", "-k", "0"], "lat_p50_us", "at most 1.5"),
            ("echo, one at a time", ["-n", "50000", "-w", "5000"], "lat_p50_us", ""),
            ("echo, processor time of the server", ["-n", "50000", "-w", "5000", "-k", "0"], "server_cpu_us_per_call", "")):
        ours, floor = bench.medians([TOOLHOST, FLOOR], ECHO + options, key)
        row(name, "us", ours, floor, "the bare loop", promise)
    ours, floor = bench.medians([TOOLHOST, FLOOR], ECHO + ["-n", "200000", "-w", "5000", "-d", "64"], "calls_per_s")
    row("echo, 64 in flight, time a call", "us", 1e6 / ours, 1e6 / floor, "the bare loop")


def bench_numbers(bench):
    """Lists of numbers over the standard streams, to robust_summary_stats by the classical method."""
    node = [NODE] if shutil.which("node") else []
    if not node:
        print("node is not installed: no comparison with it")
    for count, calls in ((10, 20000), (10000, 300), (100000, 40)):
        options = stats(count) + ["-n", str(calls), "-w", str(calls // 4)]
        ours, floor, *peer = bench.medians([TOOLHOST, FLOOR, *node], options, "lat_p50_us")
        row("%d numbers" % count, "us", ours, floor, "the bare loop")
        if peer:
            row("%d numbers" % count, "us", ours, peer[0], "node-bare", "below 1" if count == 100000 else "")


def make_packs(folder):
    with open(os.path.join(BENCH, "packs.so"), "rb") as file:
        image = file.read()
    for number in range(1000):
        path = os.path.join(folder, "bench%04d.so" % number)
        with open(path, "wb") as file:
            file.write(image.replace(b"bench_0000_", b"bench_%04d_" % number))


def bench_start(bench):
    """From the start to the first list of tools, with what was scanned before."""
    options = ["-n", "1", *ECHO]
    bench.load(TOOLHOST, options)
    ours, floor = bench.medians([TOOLHOST, LINKED], options, "spawn_to_list_ms")
    row("start to tools/list, shipped packs", "ms", ours, floor, "the linked loop", "at most 3")

    folder = os.path.join(bench.home, "packs")
    os.mkdir(folder)
    make_packs(folder)
    thousand = TOOLHOST + ["--pack-dir", folder]
    cold = bench.load(thousand, options, TOOLHOST_PAGE_SIZE="20000")["spawn_to_list_ms"]
    ours, floor = bench.medians([thousand, LINKED], options, "spawn_to_list_ms", TOOLHOST_PAGE_SIZE="20000")
    row("the same, 1,000 packs of 10 tools", "ms", ours, floor, "the linked loop", "at most 20")
    print("%-34s %10.1f ms    (once: each of the packs is scanned)" % ("the same, nothing scanned before", cold))


def bench_reading(bench):
    """Reading and checking 100,000 numbers, without a server around it."""
    done = subprocess.run([os.path.join(BENCH, "reading")], capture_output=True, text=True, timeout=PATIENCE, check=True,
                          env=bench.env)
    for digits, found in json.loads(done.stdout).items():
        row("reading numbers of %s digits" % digits, "ns", found["reader"], found["strtod"], "strtod")
        row("reading and validating them", "ns", found["gate"], found["strtod"], "strtod", "at most 3")
        row("reading them, beside json-c", "ns", found["reader"], found["json-c"], "json-c")


def bench_validate(bench):
    """Validating against a schema, beside reading the same text."""
    done = subprocess.run([os.path.join(BUILD, "toolhost"), "list", "--format", "json"], capture_output=True, check=True,
                          env=bench.env, timeout=PATIENCE)
    path = os.path.join(bench.home, "tools.json")
    with open(path, "wb") as file:
        file.write(done.stdout)
    done = subprocess.run([os.path.join(BENCH, "validate"), path], capture_output=True, check=True, env=bench.env,
                          timeout=PATIENCE)
    found = json.loads(done.stdout)
    named = ("small arguments", "100,000 numbers", "a table of 10,000 rows")
    for name in named:
        promise = "below 0.33" if name == "100,000 numbers" else ""
        row("validating " + name, "ns", found[name]["validate_ns"], found[name]["read_ns"], "reading them", promise)
    examples = [tool for name, tool in found.items() if name not in named and isinstance(tool, dict)]
    ours, theirs = (statistics.median(tool[key] for tool in examples) for key in ("validate_ns", "json_c_ns"))
    row("validating a tool's example", "ns", ours, theirs, "json-c's parsing")
    print("%-34s %10.1f ns" % ("the same, a node", statistics.median(tool["validate_ns_a_node"] for tool in examples)))


def launcher_floor(bench, spares, depth, gap, calls):
    """What a call in a process of its own costs at least: p50 in us, and calls a second. It comes with the shared bench
    folder, as C source, and is built beside the other tools."""
    source = os.path.join(SHARED, "bench", "launcher_floor.c")
    program = os.path.join(bench.home, "launcher_floor")
    if not os.path.exists(program):
        subprocess.run(["cc", "-O2", "-std=gnu11", "-o", program, source], check=True, capture_output=True,
                       timeout=PATIENCE)
    done = subprocess.run([program, str(spares), str(depth), str(gap), str(calls), "1", "1"], capture_output=True,
                          text=True, timeout=PATIENCE, check=True)
    found = re.search(r"p50 (\d+) us, .* (\d+) calls/s", done.stdout + done.stderr)
    return float(found.group(1)), float(found.group(2))


def bench_isolated(bench):
    """Calls in this process, in a pool, isolated and sandboxed, beside the floor of a process for each call."""
    if not os.path.exists(os.path.join(SHARED, "bench", "launcher_floor.c")):
        print("isolated: left out, since the floor's source is not here")
        return
    places = {"in-process": [], "pooled": ["--isolation", "isolated", "--worker-calls", "1000"],
              "isolated": ["--isolation", "isolated"], "sandboxed": ["--isolation", "sandboxed"]}
    promises = {"isolated": "at most 2", "sandboxed": "at most 3"}
    for name, options, floor_options, key in (
            ("1 ms apart", ["-n", "1000", "-w", "50", "-g", "1000"], (4, 1, 1000, 1000), "lat_p50_us"),
            ("back to back", ["-n", "4000", "-w", "200"], (4, 1, 0, 4000), "calls_per_s"),
            ("8 in flight", ["-n", "8000", "-w", "400", "-d", "8"], (16, 8, 0, 8000), "calls_per_s")):
        index = 0 if key == "lat_p50_us" else 1
        values = {place: [] for place in places}
        floors = []
        for _ in range(bench.rounds):
            floors.append(launcher_floor(bench, *floor_options)[index])
            for place, flags in places.items():
                values[place].append(bench.load(TOOLHOST + flags, ECHO + options)[key])
        floor = statistics.median(floors)
        for place, found in values.items():
            ours = statistics.median(found)
            times = (ours, floor) if index == 0 else (1e6 / ours, 1e6 / floor)
            row("%s, %s" % (place, name), "us", *times, "launcher_floor", promises.get(place, ""))
    for count, calls in ((10000, 200), (100000, 30)):
        for place, flags in places.items():
            ours, floor = bench.medians([TOOLHOST + flags, TOOLHOST], stats(count) + ["-n", str(calls), "-w", "10"],
                                        "lat_p50_us")
            row("%s, %d numbers" % (place, count), "us", ours, floor, "in-process")


CASES = {"echo": bench_echo, "numbers": bench_numbers, "start": bench_start, "reading": bench_reading,
         "isolated": bench_isolated,
         "tools": lambda bench: tools.bench_tools(bench, TOOLHOST),
         "pca": lambda bench: tools.bench_pca(bench, TOOLHOST, row),
         "validate": bench_validate}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("case", nargs="*", metavar="CASE", help="of " + ", ".join(CASES))
    options = parser.parse_args()
    unknown = set(options.case) - set(CASES)
    if unknown:
        parser.error("no such case: " + ", ".join(sorted(unknown)))
    with tempfile.TemporaryDirectory(prefix="toolhost-bench-") as home:
        bench = Bench(options.rounds, home)
        for name in options.case or CASES:
            CASES[name](bench)


if __name__ == "__main__":
    main()
