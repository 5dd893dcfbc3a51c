# SPDX-License-Identifier: MIT
"""A pack that switches the process to a locale with a decimal comma: numbers are read and written with a point.

Whether the pack's own thread sees the comma is the host's choice; what crosses the border never has it.
"""
import json
import os
import shutil
import subprocess

import mcp
import program


class CommaLocale(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = ["--no-default-packs", "--pack-dir", cls.folder("setlocale", os.path.join(program.LAB, "lab.so"))]

    def german(self):
        """The variables with which de_DE.UTF-8 can be had, though the system may not have it."""
        if not shutil.which("localedef") or not os.path.exists("/usr/share/i18n/locales/de_DE"):
            self.skipTest("the sources of locales are not installed (Debian: locales)")
        folder = os.path.join(self.home, "locales")
        os.makedirs(folder, exist_ok=True)
        target = os.path.join(folder, "de_DE.UTF-8")
        if not os.path.exists(target):
            subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", target], check=True, capture_output=True,
                           timeout=program.PATIENCE)
        return {"LOCPATH": folder}

    def test_over_mcp(self):
        for env in ({}, {"LC_ALL": "de_DE.UTF-8"}):
            with self.subTest(repr(env)), mcp.Server(self, *self.options, env={**self.german(), **env}) as server:
                server.initialize()
                for trim in (0.1, "0.1", 0.25):
                    result = server.call("setlocale", {"trim": trim})
                    self.assertEqual("de_DE.UTF-8", result["structuredContent"]["locale"], "it was switched")
                    self.assertEqual(float(trim), result["structuredContent"]["trim"])
                    self.assertIn('"trim":%s' % float(trim), result["content"][0]["text"])
                self.assertEqual("input_invalid", mcp.failure(server.call("setlocale", {"trim": "0,1"}))["code"])
                values = [0.5, 1.25, -3.75]
                result = server.call("summary", {"values": values, "trim": 0.1})["structuredContent"]
                self.assertEqual((-2, 0.1), (result["sum"], result["trim"]))

    def test_on_the_command_line(self):
        result = self.run_program("call", *self.options, "setlocale", '{"trim":0.1}',
                                  env={**self.german(), "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(0, result.status, result)
        self.assertEqual(("de_DE.UTF-8", 0.1), (result.json["locale"], result.json["trim"]))
        refused = self.run_program("call", *self.options, "setlocale", '{"trim":"0.1"}', env=self.german())
        self.assertEqual((3, ""), (refused.status, refused.out))

    def test_settings_and_options_have_a_point(self):
        env = {**self.german(), "LC_ALL": "de_DE.UTF-8", "TOOLHOST_SCAN_TIMEOUT": "2.5"}
        result = self.run_program("config", "--json", "--tool-timeout", "1.5", env=env)
        self.assertEqual(0, result.status, result)
        self.assertIn("1.5", json.dumps(result.json))
        self.assertIn("2.5", json.dumps(result.json))


if __name__ == "__main__":
    program.main(__name__)
