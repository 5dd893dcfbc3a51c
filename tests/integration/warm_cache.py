# SPDX-License-Identifier: MIT
"""With a warm cache, listing the tools loads no pack and starts no process, seen with strace."""
import os
import shutil
import subprocess

import program


class WarmCache(program.Case):
    def trace(self, *arguments):
        """The system calls of opening and starting that a run makes, one a line."""
        if not shutil.which("strace"):
            self.skipTest("strace is not installed")
        path = os.path.join(self.home, "trace")
        done = subprocess.run(["strace", "-f", "-qq", "-o", path, "-e", "trace=open,openat,execve,clone,clone3,fork,vfork",
                               program.TOOLHOST, *arguments], capture_output=True, timeout=program.PATIENCE,
                              env=self.environment(), check=False)
        if done.returncode and b"ptrace" in done.stderr:
            self.skipTest("strace may not trace here: %s" % done.stderr.decode()[:200])
        self.assertEqual(0, done.returncode, done.stderr)
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines(), done.stdout

    def test_list_loads_no_pack(self):
        cold = self.run_program("list")
        self.assertEqual(0, cold.status, cold)
        lines, warm = self.trace("list")
        self.assertEqual(cold.out, warm.decode())
        opened = [line for line in lines if "open" in line and ".so\"" in line.replace(".so.", "")
                  and os.path.join(program.BUILD, "packs") in line]
        self.assertEqual([], opened, "packs are opened")
        started = [line for line in lines if "execve" in line]
        self.assertEqual(1, len(started), "only toolhost itself is started: %s" % started)

    def test_a_call_loads_the_one_pack_it_needs(self):
        self.assertEqual(0, self.run_program("list").status)
        lines, out = self.trace("call", "add", '{"a":1,"b":2}')
        self.assertIn(b'"sum"', out)
        packs = os.path.join(program.BUILD, "packs") + os.sep
        opened = {line.split(packs)[1].split('"')[0] for line in lines if packs in line and '.so"' in line}
        self.assertEqual({"hello.so"}, opened)
        self.assertEqual(1, len([line for line in lines if "execve" in line]))


if __name__ == "__main__":
    program.main(__name__)
