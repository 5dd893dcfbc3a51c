# SPDX-License-Identifier: MIT
"""Times of the tools that ship, on small and large data, and the growth that they show.

A time is that of a whole call over the standard streams: the arguments are read and checked, the tool works, the answer
is printed. The growth from one size to the next is the exponent of n: 1 is linear, 2 quadratic.
"""
import functools
import json
import math
import os
import random
import select
import statistics
import subprocess
import time

SIZES = (100, 10000, 1000000)
CALLS = {100: 200, 10000: 20, 1000000: 1}  # whose median counts
COLUMNS = 5
BATCHES = 20
PATIENCE = 600

# The caps of a host that is to take a million rows.
CAPS = {"TOOLHOST_MAX_CELLS": "100000000", "TOOLHOST_MAX_KEYS": "10000000", "TOOLHOST_MAX_REGRESSION_POINTS": "10000000",
        "TOOLHOST_MAX_MATRIX_ROWS": "10000000", "TOOLHOST_MAX_MESSAGE_MB": "1024", "TOOLHOST_MAX_RESULT_MB": "1024",
        "TOOLHOST_TOOL_TIMEOUT": str(PATIENCE)}


class Server:
    """A server that answers one call at a time."""

    def __init__(self, command, env):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, bufsize=0)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.exchange(line("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                          "clientInfo": {"name": "bench", "version": "1"}}))
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def close(self):
        self.process.kill()
        self.process.wait()

    def exchange(self, message):
        """Sends a line; answers the one that comes back, and how many seconds that took."""
        poll = select.poll()
        poll.register(self.process.stdout, select.POLLIN)
        poll.register(self.process.stdin, select.POLLOUT)
        view, pieces, start = memoryview(message), [], time.monotonic()
        while not (pieces and pieces[-1].endswith(b"\n")):
            for descriptor, _ in poll.poll(PATIENCE * 1000) or [(None, 0)]:
                if descriptor == self.process.stdin.fileno():
                    view = view[os.write(descriptor, view[:1 << 20]):]
                    if not view:
                        poll.unregister(descriptor)
                    continue
                piece = os.read(descriptor, 1 << 20) if descriptor else b""
                if not piece:
                    raise SystemExit("the server gave no answer to %.200r" % message)
                pieces.append(piece)
        return b"".join(pieces), time.monotonic() - start

    def call(self, tool, arguments, rounds):
        """The structured answer of a tool, or None where it was refused as too large, and the median of the times."""
        message = line("tools/call", {"name": tool, "arguments": arguments})
        times = []
        for _ in range(rounds):
            answer, seconds = self.exchange(message)
            times.append(seconds)
        result = json.loads(answer)["result"]
        if result.get("isError"):
            if "input_too_large" in result["content"][0]["text"]:
                return None, None
            raise SystemExit("%s: %.500s" % (tool, result["content"][0]["text"]))
        return result["structuredContent"], statistics.median(times)


def line(method, params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"


@functools.lru_cache(32)
def sample(count, seed=1):
    stream = random.Random(seed)
    return [round(stream.gauss(20, 3), 4) for _ in range(count)]


def table(count):
    return [list(row) for row in zip(*(sample(count, seed) for seed in range(COLUMNS)))]


def lines(count):
    return {"x": sample(count, 1), "y": sample(count, 2)}


def batches(count):
    return [{"batch": at * BATCHES // count, "t": at, "y": y} for at, y in enumerate(sample(count))]


def pair(count):
    return {"group_a": sample(count, 1), "group_b": sample(count, 2)}


def model(server, tool, **arguments):
    return server.call(tool, {**arguments, "n_components": 2}, 1)[0]["model_params"]


def workloads(server):
    """For each tool what makes its arguments of a size."""
    for tool in ("robust_summary_stats", "detect_outliers", "robust_scale_sn", "median_absolute_deviation",
                 "normality_test", "confidence_interval"):
        yield tool, lambda n: {"values": sample(n)}
    yield "robust_summary_stats, classical", lambda n: {"values": sample(n), "method": "classical"}
    for tool in ("ttest_two_samples", "ttest_paired_samples"):
        yield tool, pair
    yield "within_between_variance", lambda n: {"values": sample(n), "groups": [at % BATCHES for at in range(n)]}
    yield "find_elbow", lambda n: {"x": list(range(n)), "y": [1 / (at + 1) for at in range(n)]}
    for tool in ("robust_regression", "repeated_median"):
        yield tool, lines
    for chart in ("shewhart", "ewma", "cusum", "holt_winters"):
        yield "control_chart, " + chart, lambda n, chart=chart: {"values": sample(n), "chart_type": chart}
    yield "process_capability", lambda n: {"values": sample(n), "lower_spec": 5, "upper_spec": 35}
    yield "extract_batch_features", lambda n: {"data": batches(n), "value_columns": ["y"], "time_column": "t",
                                               "features": ["mean", "median", "std", "area", "slope"]}
    yield "scale_data", lambda n: {"data": table(n)}
    for tool in ("fit_pca", "detect_multivariate_outliers"):
        yield tool, lambda n: {"data": table(n), "n_components": 2}
    yield "fit_pls", lambda n: {"x_data": table(n), "y_data": sample(n, 9), "n_components": 2}
    pca = model(server, "fit_pca", data=table(100))
    yield "pca_predict", lambda n: {"model_params": pca, "new_data": table(n)}
    pls = model(server, "fit_pls", x_data=table(100), y_data=sample(100, 9))
    yield "pls_predict", lambda n: {"model_params": pls, "new_data": table(n)}


def bench_tools(bench, command):
    """Each tool at each size."""
    server = Server(command, {**bench.env, **CAPS})
    print("%-34s %s" % ("tool", "".join("%17s" % "n = {:,}".format(size) for size in SIZES)) + "   growth")
    for name, arguments in workloads(server):
        tool = name.split(",")[0]
        times = [server.call(tool, arguments(size), CALLS[size])[1] for size in SIZES]
        growth = ["%.2f" % (math.log(after / before) / math.log(larger / smaller)) if before and after else "-"
                  for before, after, smaller, larger in zip(times, times[1:], SIZES, SIZES[1:])]
        print("%-34s %s   %s" % (name, "".join("%14.2f ms" % (1e3 * seconds) if seconds else "%17s" % "refused"
                                               for seconds in times), ", ".join(growth)), flush=True)
    server.close()


def numpy_pca(numpy, text, components):
    """The least that answers what fit_pca does, from the same text."""
    data = numpy.array(json.loads(text)["params"]["arguments"]["data"])
    scaled = (data - data.mean(axis=0)) / data.std(axis=0, ddof=1)
    _, values, vectors = numpy.linalg.svd(scaled, full_matrices=False)
    scores = scaled @ vectors[:components].T
    rest = scaled - scores @ vectors[:components]
    return json.dumps({"variance": (values ** 2 / (len(data) - 1)).tolist(), "loadings": vectors[:components].T.tolist(),
                       "t2": (scores ** 2 / scores.var(axis=0, ddof=1)).sum(axis=1).tolist(),
                       "spe": numpy.sqrt((rest ** 2).sum(axis=1)).tolist()})


def bench_pca(bench, command, row):
    """A PCA of 1,000 x 100, beside numpy in this process."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    stream = random.Random(3)
    data = [[round(stream.gauss(0, 1), 4) for _ in range(100)] for _ in range(1000)]
    server = Server(command, bench.env)
    arguments = {"data": data, "n_components": 5}
    _, ours = server.call("fit_pca", arguments, 3 * bench.rounds)
    server.close()
    try:
        import numpy
    except ImportError:
        print("%-34s %10.1f ms    (numpy is not here: no comparison with it)" % ("PCA of 1,000 x 100", 1e3 * ours))
        return
    text, times = line("tools/call", {"name": "fit_pca", "arguments": arguments}), []
    for _ in range(3 * bench.rounds):
        start = time.monotonic()
        numpy_pca(numpy, text, 5)
        times.append(time.monotonic() - start)
    row("PCA of 1,000 x 100", "ms", 1e3 * ours, 1e3 * statistics.median(times), "numpy")
