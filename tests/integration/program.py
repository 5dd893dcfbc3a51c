# SPDX-License-Identifier: MIT
"""What every integration test starts from: the program that was built, a home of its own, packs to load, a runner.

A test is a file of unittest cases that ends in `program.main(__name__)`. It runs alone, from anywhere:
`python3 tests/integration/stdio.py`, with TOP_BUILDDIR set where the build is not in build/. It prints
`NAME: N passed, N failed, N skipped` and ends with 0, with 1 where something failed, or with 77 where all was skipped.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.path.abspath(os.environ.get("TOP_SRCDIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("TOP_BUILDDIR") or os.path.join(SOURCE, "build"))
SHARED = os.path.abspath(os.environ.get("SHARED") or os.path.join(SOURCE, "..", "shared"))
TOOLHOST = os.path.join(BUILD, "toolhost")
WORKER = os.path.join(BUILD, "toolhost-worker")
PACKS = os.path.join(BUILD, "packs")
ZOO = os.path.join(BUILD, "tests", "zoo")
LAB = os.path.join(BUILD, "tests", "integration", "packs")

# No test waits longer than this for one thing; a machine under load is slow, but not that slow.
PATIENCE = 60


def sanitized():
    """Whether the program was built with AddressSanitizer, which some limits and measurements cannot bear."""
    if not os.path.exists(TOOLHOST):
        return False
    with open(TOOLHOST, "rb") as file:
        return b"__asan_init" in file.read()


# The parents of the kernel's threads, which have no command line.
KERNEL = (0, 2)

# Limits of time in the tests are those that are promised, times this: the machine has other work, and where each of its
# processors has several processes to run, the more.
SLACK = (10 if sanitized() else 3) * max(1.0, os.getloadavg()[0] / os.cpu_count())


class Result:
    """What one run of the program left behind."""

    def __init__(self, status, out, err, seconds):
        self.status = status
        self.out = out
        self.err = err
        self.seconds = seconds

    @property
    def json(self):
        return strict_json(self.out)

    @property
    def error(self):
        """The error object that --json prints."""
        try:
            return self.json["error"]
        except (ValueError, KeyError) as error:
            raise AssertionError("no error as JSON: %r" % self) from error

    def __repr__(self):
        return "status %s\nstdout %.2000r\nstderr %.2000r" % (self.status, self.out, self.err)


def strict_json(text):
    """JSON as RFC 8259 has it: no NaN, no key twice."""

    def refuse(name):
        raise ValueError("%s is no JSON" % name)

    def once(pairs):
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError("a key stands twice: %s" % keys[:20])
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


class Case(unittest.TestCase):
    """A test case with a home of its own: no config, no cache and no variable of the person who runs it is seen."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix="toolhost-test-")
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)

    @classmethod
    def environment(cls, **more):
        kept = {name: os.environ[name] for name in os.environ if name.endswith("SAN_OPTIONS")}
        env = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": cls.home, **kept}
        for folder in ("config", "cache", "state"):
            env["XDG_%s_HOME" % folder.upper()] = os.path.join(cls.home, folder)
        env.update({name: value for name, value in more.items() if value is not None})
        return env

    @classmethod
    def folder(cls, *paths, mode=0o755):
        """A new folder with copies of these files; a bare name is a pack of the zoo."""
        path = tempfile.mkdtemp(prefix="packs-", dir=cls.home)
        for source in paths:
            source = source if os.sep in source else os.path.join(ZOO, source + ".so")
            shutil.copy(source, path)
            os.chmod(os.path.join(path, os.path.basename(source)), 0o755)
        os.chmod(path, mode)
        return path

    @classmethod
    def lab(cls, *more):
        """The options that offer the tools of tests/integration/packs/ (and `more`) and no others."""
        folder = cls.folder(os.path.join(LAB, "lab.so"), os.path.join(LAB, "shapes.so"), *more)
        return ["--no-default-packs", "--pack-dir", folder]

    @classmethod
    def run_program(cls, *arguments, text=b"", timeout=PATIENCE, cwd=None, env=None):
        """Runs toolhost to its end. `text` is its standard input, `env` what is added to the environment."""
        start = time.monotonic()
        done = subprocess.run([TOOLHOST, *arguments], input=text, capture_output=True, timeout=timeout, cwd=cwd,
                              env=cls.environment(**(env or {})), check=False)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"),
                      time.monotonic() - start)

    @classmethod
    def write(cls, name, content):
        path = os.path.join(cls.home, name)
        with open(path, "wb" if isinstance(content, bytes) else "w") as file:
            file.write(content)
        os.chmod(path, 0o644)
        return path

    def assert_nothing_left(self, seconds=1):
        """No process that was started from here lives on: each has a path of this home on its command line."""
        def left(nameless):
            return [(pid, parent, command) for pid, parent, command in processes() if pid != os.getpid() and
                    (self.home in command or nameless and not command and parent not in KERNEL)]

        # In the midst of an exec a process has no command line yet, so one of those may be from here too.
        wait_until(lambda: not left(nameless=True), seconds * SLACK)
        self.assertEqual([], left(nameless=False))

    def assert_bounded(self, text, limit=2000):
        self.assertLess(len(text), limit, "a message is meant for a person")


def wait_until(condition, seconds=PATIENCE):
    """Waits for something that happens outside this process and announces itself to nobody."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def processes():
    """Every living process: its id, its parent, and its command line."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % entry, encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            with open("/proc/%s/cmdline" % entry, encoding="utf-8", errors="replace") as file:
                command = file.read().replace("\0", " ")
        except OSError:
            continue
        if state != "Z":
            found.append((int(entry), int(parent), command))
    return found


def descendants(pid):
    """The ids of the living processes below `pid`."""
    table = processes()
    found, edge = set(), {pid}
    while edge:
        edge = {child for child, parent, _ in table if parent in edge and child not in found}
        found |= edge
    return found


def processor_seconds(pid):
    """The processor time that a process has used, which does not depend on what else the machine does."""
    with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class _Count(unittest.TextTestResult):
    """Counts the parts of a test (subTest) where it has some, and the test itself where it has none."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.passed = 0
        self.failed = 0
        self._parts = 0

    def startTest(self, test):
        super().startTest(test)
        self._parts = 0

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        self._parts += 1
        if err is None:
            self.passed += 1
        else:
            self.failed += 1

    def addSuccess(self, test):
        super().addSuccess(test)
        if not self._parts:
            self.passed += 1

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.failed += 1

    def addError(self, test, err):
        super().addError(test, err)
        self.failed += 1

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.failed += 1


def main(module):
    """Runs the cases of the calling file, or those named on its command line, and ends the process."""
    name = os.path.splitext(os.path.basename(sys.modules[module].__file__))[0]
    if not os.access(TOOLHOST, os.X_OK):
        print("%s: %s is not there: build it, or set TOP_BUILDDIR" % (name, TOOLHOST))
        sys.exit(1)
    os.umask(0o022)
    loader = unittest.TestLoader()
    if sys.argv[1:]:
        suite = loader.loadTestsFromNames(sys.argv[1:], sys.modules[module])
    else:
        suite = loader.loadTestsFromModule(sys.modules[module])
    runner = unittest.TextTestRunner(stream=sys.stdout, resultclass=_Count, verbosity=2)
    result = runner.run(suite)
    print("%s: %d passed, %d failed, %d skipped" % (name, result.passed, result.failed, len(result.skipped)))
    if result.failed:
        sys.exit(1)
    sys.exit(0 if result.passed or not result.skipped else 77)
