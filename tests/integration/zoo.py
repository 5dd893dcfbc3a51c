# SPDX-License-Identifier: MIT
"""Holds every pack of the zoo to its verdict line in tests/zoo/verdicts.txt, and calls a good pack after each.

`pack check`, `pack list` and a call of the pack's tool have to agree with the table. In a reason, {limit} stands for the
time limit of a scan, and {machine} for the kind of this one.
"""
import os
import platform
import re

import program

TABLE = os.path.join(program.SOURCE, "tests", "zoo", "verdicts.txt")
CALLS = os.path.join(program.SOURCE, "tests", "zoo", "calls.txt")
MACHINE = {"x86_64": "x86-64", "aarch64": "AArch64", "riscv64": "RISC-V", "ppc64le": "PowerPC 64"}[platform.machine()]
PLACES = ["/root", "/tmp", "/var/tmp"]
TRACE = "toolhost-zoo-loaded"


def lines(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def verdicts():
    """Each pack with its state and the reason for that."""
    found = {name: (state, *reason, "") for name, state, *reason in lines(TABLE)}
    for name, *_ in lines(CALLS):
        found.setdefault(name, ("good", ""))
    return {name: verdict[:2] for name, verdict in found.items()}


class Zoo(program.Case):
    LIMITS = {"TOOLHOST_SCAN_TIMEOUT": "1" if not program.sanitized() else "4"}

    def run_limited(self, *arguments):
        return self.run_program(*arguments, env=self.LIMITS)

    def hold(self, name, state, reason):
        folder = self.folder(name, "ok")
        path = os.path.join(folder, name + ".so")
        packs = ["--no-default-packs", "--pack-dir", folder]
        reason = reason.replace("{limit}", self.LIMITS["TOOLHOST_SCAN_TIMEOUT"]).replace("{machine}", MACHINE)

        checked = self.run_limited("pack", "check", "--json", path)
        self.assertEqual(0 if state == "good" else 1, checked.status, checked)
        self.assertEqual(["refused: " + reason] if reason else [], checked.json[0]["faults"])

        listed = {pack["name"]: pack for pack in self.run_limited("pack", "list", "--json", *packs).json}
        self.assertEqual("ready" if state == "good" else "refused", listed[name]["state"])
        self.assertEqual(reason, listed[name].get("reason", ""))
        self.assertEqual("ready", listed["ok"]["state"])

        if state == "refused":
            called = self.run_limited("call", *packs, name.replace("-", "_"))
            self.assertEqual((5, ""), (called.status, called.out), called)
        well = self.run_limited("call", *packs, "ok")
        self.assertEqual((0, {"well": True}), (well.status, well.out and well.json), well)

    def test_verdicts(self):
        held = verdicts()
        for name, (state, reason) in held.items():
            with self.subTest(name):
                self.hold(name, state, reason)
        built = {file[:-3] for file in os.listdir(program.ZOO) if re.fullmatch(r"(?!lib).*\.so", file)}
        self.assertEqual(built, set(held), "each pack of the zoo has a line in a table")

    def test_nothing_is_written_by_a_scan(self):
        """A constructor may not leave a file, wherever it tries."""
        places = [*PLACES, self.home]
        for place in places:
            self.assertFalse(os.path.exists(os.path.join(place, TRACE)), "left over in %s: remove it" % place)
        self.run_limited("pack", "list", "--no-default-packs", "--pack-dir", self.folder("ctor-writes-home"))
        for place in places:
            self.assertFalse(os.path.exists(os.path.join(place, TRACE)), "the scan let it write to %s" % place)


if __name__ == "__main__":
    program.main(__name__)
