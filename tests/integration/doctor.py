# SPDX-License-Identifier: MIT
"""What the machine can isolate, and what comes of it where a wall is missing: told, and refused where it was demanded."""
import ctypes
import os
import platform
import struct
import subprocess

import program

# Numbers of system calls, by machine; these are new enough to be the same on most.
LANDLOCK_CREATE_RULESET = 444
UNSHARE = {"x86_64": 272, "aarch64": 97}.get(platform.machine())
SECCOMP = {"x86_64": 317, "aarch64": 277}.get(platform.machine())
ENOSYS, EPERM = 38, 1


def without(number, failure):
    """A preexec_fn: the system call of that number fails, as on a kernel that does not have or allow it."""
    def filter_calls():
        code = struct.pack("HBBI" * 4,
                           0x20, 0, 0, 0,                     # load the number
                           0x15, 0, 1, number,                # is it this one?
                           0x06, 0, 0, 0x00050000 | failure,  # fail
                           0x06, 0, 0, 0x7FFF0000)            # or go on
        buffer = ctypes.create_string_buffer(code)
        filters = struct.pack("HL", 4, ctypes.addressof(buffer))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, filters, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
    return filter_calls


class Base(program.Case):
    def run_without(self, number, failure, *arguments):
        done = subprocess.run([program.TOOLHOST, *arguments], capture_output=True, timeout=program.PATIENCE,
                              env=self.environment(), check=False, preexec_fn=without(number, failure))
        return program.Result(done.returncode, done.stdout.decode(), done.stderr.decode(), 0)

    def findings(self, result, section):
        return {finding["name"]: finding for finding in result.json[section]}

    def call(self, level):
        return ["call", "--isolation", level, "--json", "add", '{"a": 1, "b": 2}']

    def assert_sum(self, result, level):
        self.assertEqual(({"sum": 3}, level), (result.json.get("result"), result.json.get("_meta", {})
                                               .get("toolhost/strategy")), result)


class Machine(Base):
    def test_all_is_well(self):
        result = self.run_program("doctor", "--json")
        if result.status:
            faults = [finding for section in result.json.values() if isinstance(section, list)
                      for finding in section if finding["finding"] == "fault"]
            self.skipTest("this machine lacks something: %s" % faults)
        self.assertEqual(0, result.json["faults"])
        self.assertEqual({"isolated": "good", "sandboxed": "good"},
                         {name: finding["finding"] for name, finding in self.findings(result, "calls").items()})
        self.assertIn("no faults", self.run_program("doctor").out)
        self.assert_nothing_left()

    def test_without_landlock(self):
        lack = (LANDLOCK_CREATE_RULESET, ENOSYS)
        result = self.run_without(*lack, "doctor", "--json")
        self.assertEqual(1, result.status, result)
        wall = self.findings(result, "machine")["files"]
        self.assertEqual("fault", wall["finding"])
        self.assertIn("Landlock", wall["text"])
        self.assertIn("lsm=landlock", wall["cure"])
        levels = self.findings(result, "levels")
        self.assertNotEqual("fault", levels["isolated"]["finding"])
        self.assertEqual("fault", levels["sandboxed"]["finding"])
        # Demanded, it is refused and named; without the demand the call runs.
        refused = self.run_without(*lack, *self.call("sandboxed"))
        self.assertEqual((4, "worker_failed"), (refused.status, refused.error["code"]))
        self.assertIn("Landlock", refused.error["message"])
        self.assert_sum(self.run_without(*lack, *self.call("isolated")), "isolated")
        shown = " ".join(self.run_without(*lack, "show", "--isolation", "sandboxed", "add").out.split())
        self.assertIn("this machine lacks: files", shown)
        self.assertIn("sandboxed calls are refused", shown)

    def test_without_seccomp(self):
        lack = (SECCOMP, ENOSYS)
        result = self.run_without(*lack, "doctor", "--json")
        self.assertEqual(1, result.status, result)
        self.assertEqual("fault", self.findings(result, "levels")["isolated"]["finding"])
        refused = self.run_without(*lack, *self.call("isolated"))
        self.assertEqual((4, "worker_failed"), (refused.status, refused.error["code"]))
        self.assertIn("seccomp", refused.error["message"])

    def test_without_namespaces(self):
        lack = (UNSHARE, EPERM)
        result = self.run_without(*lack, "doctor", "--json")
        self.assertEqual(0, result.status, result)
        for name in ("network", "shared memory", "processes"):
            wall = self.findings(result, "machine")[name]
            self.assertEqual("note", wall["finding"])
            self.assertIn("user namespaces", wall["cure"])
        for level in ("isolated", "sandboxed"):
            self.assertEqual("note", self.findings(result, "levels")[level]["finding"])
            called = self.run_without(*lack, "-v", *self.call(level))
            self.assert_sum(called, level)
            self.assertIn("a worker without a wall: namespaces", called.err)


class Faults(Base):
    def test_a_config_that_cannot_be_read(self):
        config = self.write("fault.conf", "max_cels = 5\n")
        result = self.run_program("doctor", "--json", "--config", config)
        self.assertEqual(1, result.status, result)
        finding = self.findings(result, "configuration")["config"]
        self.assertEqual("fault", finding["finding"])
        self.assertIn("%s:1" % config, finding["text"])
        result = self.run_program("doctor", "--json", env={"TOOLHOST_MAX_CELLS": "many"})
        self.assertEqual(1, result.status, result)
        self.assertIn("TOOLHOST_MAX_CELLS", self.findings(result, "configuration")["config"]["text"])

    def test_packs(self):
        folder = self.folder("ctor-segv", "ok", os.path.join(program.LAB, "wishes.so"))
        os.chmod(os.path.join(folder, "ok.so"), 0o777)
        result = self.run_program("doctor", "--json", "--no-default-packs", "--pack-dir", folder)
        self.assertEqual(1, result.status, result)
        packs = self.findings(result, "packs")
        self.assertEqual("fault", packs["ctor-segv"]["finding"])
        self.assertEqual("note", packs["ok"]["finding"])
        self.assertIn("chmod go-w", packs["ok"]["cure"])
        self.assertIn("network, subprocess", packs["wishes"]["text"])
        self.assertIn('pack "wishes" { network = true', packs["wishes"]["cure"])
        self.assertEqual(1, result.json["faults"])


if __name__ == "__main__":
    program.main(__name__)
