# SPDX-License-Identifier: MIT
"""Finding, scanning and loading packs: what is refused and why, what is trusted, what is remembered, what is left behind."""
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import mcp
import program


class Base(program.Case):
    def packs(self, *options, env=None, cached=False):
        """`pack list` as a dict by name."""
        result = self.run_program("pack", "list", "--json", *([] if cached else ["--no-cache"]), *options, env=env)
        self.assertEqual(0, result.status, result)
        return {pack["name"]: pack for pack in result.json}

    def only(self, folder):
        return ["--no-default-packs", "--pack-dir", folder]

    def call(self, folder, tool, *more):
        return self.run_program("call", *self.only(folder), *more, tool)

    def assert_well(self, folder):
        result = self.call(folder, "ok")
        self.assertEqual((0, {"well": True}), (result.status, result.out and result.json), result)


class Symbols(Base):
    def test_a_symbol_of_another_library(self):
        folder = self.folder("borrows-symbol", "ok")
        packs = self.packs(*self.only(folder))
        self.assertEqual("refused", packs["borrows-symbol"]["state"])
        self.assertIn("toolhost_pack_v1", packs["borrows-symbol"]["reason"])
        self.assertEqual("ready", packs["ok"]["state"])
        self.assert_well(folder)

    def test_equal_names_in_two_packs(self):
        with mcp.Server(self, *self.only(self.folder("clash-a", "clash-b"))) as server:
            server.initialize()
            for _ in range(2):
                for tool, answer in (("clash_a", 1), ("clash_b", 2)):
                    self.assertEqual(answer, server.call(tool)["structuredContent"]["helper"])

    def test_a_name_that_the_host_uses(self):
        with mcp.Server(self, *self.only(self.folder("own-jsonc", "ok"))) as server:
            server.initialize()
            self.assertEqual(42, server.call("own_jsonc")["structuredContent"]["own"])
            self.assertEqual({"well": True}, server.call("ok")["structuredContent"])
            self.assertEqual(42, server.call("own_jsonc")["structuredContent"]["own"])

    def test_a_library_that_is_not_installed(self):
        folder = self.folder("missing-dep", "ok")
        packs = self.packs(*self.only(folder))
        self.assertEqual("refused", packs["missing-dep"]["state"])
        self.assertIn("libnotinstalled.so.7", packs["missing-dep"]["reason"])
        checked = self.run_program("pack", "check", os.path.join(folder, "missing-dep.so"))
        self.assertEqual(1, checked.status, checked)
        self.assertIn("libnotinstalled.so.7", checked.out)
        self.assert_well(folder)


class Clashes(Base):
    def test_one_tool_in_two_packs(self):
        for order in (("first", "second"), ("second", "first")):
            folder = self.folder()
            for name in order:
                shutil.copy(os.path.join(program.ZOO, "ok.so"), os.path.join(folder, name + ".so"))
            packs = self.packs(*self.only(folder))
            self.assertEqual(("ready", "refused"), (packs["first"]["state"], packs["second"]["state"]))
            for file in ("first.so", "second.so"):
                self.assertIn(os.path.join(folder, file), packs["second"]["reason"] + packs["second"]["path"])
            self.assert_well(folder)

    def test_one_file_by_two_names(self):
        for link in (os.link, os.symlink):
            with self.subTest(link.__name__):
                folder = self.folder("ok")
                link(os.path.join(folder, "ok.so"), os.path.join(folder, "twin.so"))
                packs = self.packs(*self.only(folder))
                self.assertEqual("ready", packs["ok"]["state"])
                if "twin" in packs:
                    self.assertEqual("refused", packs["twin"]["state"])
                self.assert_well(folder)

    def test_the_order_of_files_does_not_matter(self):
        names = ["ok", "clash-a", "nan", "noisy"]
        lists = set()
        for order in (names, names[::-1], names[2:] + names[:2]):
            folder = self.folder(*order)
            lists.add(self.run_program("list", *self.only(folder)).out)
        self.assertEqual(1, len(lists), lists)

    def test_names_that_are_no_packs(self):
        folder = self.folder("ok")
        for name in (".hidden.so", "ok.so.dpkg-new", "ok.so.1", "readme.txt", "OK.SO"):
            shutil.copy(os.path.join(program.ZOO, "ok.so"), os.path.join(folder, name))
        os.mkdir(os.path.join(folder, "folder.so"))
        packs = self.packs(*self.only(folder))
        self.assertEqual(["ok"], [name for name, pack in packs.items() if pack["state"] == "ready"])
        self.assertLessEqual(set(packs), {"ok", "folder"})

    def test_names_that_no_pack_may_have(self):
        folder = self.folder("ok")
        for name in (b"with space.so", b"new\nline.so", "\u00fc.so".encode(), b"\xff.so", b"x" * 65 + b".so"):
            shutil.copy(os.path.join(program.ZOO, "ok.so"), os.path.join(folder.encode(), name))
            checked = self.run_program("pack", "check", os.path.join(folder.encode(), name))
            self.assertEqual(1, checked.status, checked)
            self.assertIn("rename the file.", checked.out)
        packs = self.packs(*self.only(folder))
        self.assertEqual(6, len(packs))
        for name, pack in packs.items():
            self.assertEqual("ready" if name == "ok" else "refused", pack["state"])
        listed = self.run_program("pack", "list", *self.only(folder)).out
        self.assertIn("new\\x0aline.so", listed)
        self.assertIn("\\xff.so", listed)
        self.assert_well(folder)

    def test_reasons_are_sentences(self):
        folder = self.folder("ok", "ctor-segv", "no-symbol", "ctor-exit", "clash-a", "clash-b", "last-words")
        os.mkdir(os.path.join(folder, "folder.so"))
        os.symlink("/nowhere", os.path.join(folder, "link.so"))
        shutil.copy(os.path.join(program.ZOO, "ok.so"), os.path.join(folder, "a b.so"))
        for pack in self.packs(*self.only(folder)).values():
            if pack["state"] == "refused":
                self.assertRegex(pack["reason"], r"(?s)^[^ ].*[^.][.?!]$")


class Trust(Base):
    """A folder, a file or a parent that others may write: three different messages, and never a call in this process."""

    def reason(self, folder):
        """Why the pack `ok` there is not trusted, as a call of it says."""
        called = self.run_program("call", "--no-cache", "--json", *self.only(folder), "ok")
        if called.status == 0:
            self.assertIn(called.json["_meta"]["toolhost/strategy"], ("isolated", "sandboxed"))
        return called.err + (called.error["message"] if called.status else "")

    def test_a_folder_that_its_group_may_write(self):
        folder = self.folder("ok", mode=0o775)
        reason = self.reason(folder)
        self.assertRegex(reason, re.escape(folder) + r" .*group")
        self.assertIn("0775", reason)
        self.assertIn("chmod go-w %s" % folder, reason)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to give a file away")
    def test_a_pack_of_someone_else(self):
        folder = self.folder("ok")
        path = os.path.join(folder, "ok.so")
        os.chown(path, 65534, 65534)
        reason = self.reason(folder)
        self.assertRegex(reason, re.escape(path) + r" .*belongs to user 65534")
        self.assertIn("root", reason)

    def test_a_parent_that_all_may_write(self):
        parent = self.folder(mode=0o777)
        folder = os.path.join(parent, "packs")
        os.mkdir(folder)
        shutil.copy(os.path.join(program.ZOO, "ok.so"), folder)
        reason = self.reason(folder)
        self.assertRegex(reason, re.escape(parent) + r".*everyone")
        self.assertIn("chmod go-w %s" % parent, reason)

    def test_a_pack_that_others_may_write(self):
        folder = self.folder("ok")
        path = os.path.join(folder, "ok.so")
        os.chmod(path, 0o666)
        self.assertIn("chmod go-w %s" % path, self.reason(folder))

    def test_a_folder_that_is_not_there(self):
        result = self.run_program("list", "--pack-dir", "/nonexistent/packs")
        self.assertEqual(2, result.status, result)
        self.assertIn("/nonexistent/packs", result.err)


class Scan(Base):
    def test_a_pack_that_never_finishes_loading_costs_its_limit_once(self):
        folder = self.folder("ctor-loop", "ok")
        limit = {"TOOLHOST_SCAN_TIMEOUT": "1"}
        begin = time.monotonic()
        packs = self.packs(*self.only(folder), env=limit, cached=True)
        self.assertGreaterEqual(time.monotonic() - begin, 1)
        self.assertEqual(("refused", "ready"), (packs["ctor-loop"]["state"], packs["ok"]["state"]))
        begin = time.monotonic()
        self.assertEqual(packs, self.packs(*self.only(folder), env=limit, cached=True))
        self.assertLess(time.monotonic() - begin, 1)

    def test_a_pack_that_is_off_is_not_scanned(self):
        folder = self.folder("ctor-loop", "ok")
        begin = time.monotonic()
        packs = self.packs(*self.only(folder), env={"TOOLHOST_DISABLED_PACKS": "ctor-loop"})
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual("off", packs["ctor-loop"]["state"])

    def test_a_critical_pack_stops_the_start(self):
        folder = self.folder("ctor-segv", "ok")
        config = self.write("critical.conf", 'pack "ctor-segv" { critical = true }\n')
        result = self.run_program("list", *self.only(folder), "--config", config)
        self.assertEqual(2, result.status, result)
        self.assertIn("ctor-segv", result.err)
        self.assertEqual("", result.out)

    def test_a_file_that_was_replaced_is_scanned_again(self):
        folder = self.folder("ok")
        path = os.path.join(folder, "ok.so")
        self.assertEqual("ready", self.packs(*self.only(folder), cached=True)["ok"]["state"])
        shutil.copy(os.path.join(program.ZOO, "no-symbol.so"), path + ".new")
        os.rename(path + ".new", path)
        self.assertEqual("refused", self.packs(*self.only(folder), cached=True)["ok"]["state"])

    def test_a_damaged_cache_is_made_anew(self):
        folder = self.folder("ok", "nan")
        before = self.packs(*self.only(folder), cached=True)
        files = [os.path.join(path, name) for path, _, names in os.walk(os.path.join(self.home, "cache"))
                 for name in names]
        self.assertTrue(files, "a cache was written")
        for damage in (b"", b"\0" * 100, b"{", os.urandom(4096)):
            for file in files:
                with open(file, "wb") as stream:
                    stream.write(damage)
            self.assertEqual(before, self.packs(*self.only(folder), cached=True))

    def test_a_cache_that_cannot_be_written_only_costs_time(self):
        folder = self.folder("ok")
        result = self.run_program("list", *self.only(folder), env={"XDG_CACHE_HOME": "/proc/nowhere"})
        self.assertEqual(0, result.status, result)
        self.assertIn("ok", result.out)

    def test_two_that_start_at_once(self):
        folder = self.folder("ok", "nan", "clash-a", "clash-b")
        command = [program.TOOLHOST, "list", *self.only(folder)]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment())
                   for _ in range(4)]
        outputs = {process.communicate(timeout=program.PATIENCE)[0] for process in running}
        self.assertEqual(1, len(outputs), outputs)


class Ends(Base):
    def finish(self, pack, tool):
        with mcp.Server(self, *self.only(self.folder(pack))) as server:
            server.initialize()
            server.call(tool)
            server.call(tool)
            self.assertEqual(0, server.finish())
            return server.stderr()

    def test_a_thread_local_destructor(self):
        self.finish("tls-dtor", "tls_dtor")

    def test_last_words_are_said_once(self):
        log = self.finish("last-words", "last_words")
        for words in ("last-words: destructor", "last-words: atexit handler"):
            with self.subTest(words):
                # Twice the tool asked for its handler, in one process.
                self.assertLessEqual(log.count(words), 2 if "atexit" in words else 1, log)

    def test_a_killed_host_leaves_nothing(self):
        folder = self.folder("ctor-loop", os.path.join(program.LAB, "lab.so"))
        with mcp.Server(self, *self.only(folder)) as server:
            server.initialize()
            self.assertTrue(program.wait_until(lambda: program.descendants(server.pid)), "a scan is under way")
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            self.assert_nothing_left()

    def test_a_killed_host_with_a_running_call_leaves_nothing(self):
        with mcp.Server(self, *self.lab()) as server:
            server.initialize()
            server.tools()
            server.post_call("lab_wait", {"seconds": 20, "heed": False})
            server.ping()
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            self.assert_nothing_left()

    def test_an_exception_that_leaves_a_tool(self):
        folder = self.folder("throws", "ok")
        result = self.run_program("call", *self.only(folder), "--isolation", "isolated", "--json", "throws")
        if result.status == 4 and result.error["code"] == "crashed":
            self.assertEqual(6, result.error["details"]["signal"])
            self.assert_well(folder)
        else:
            # Never the host's own death, which would leave no answer.
            self.assertEqual("blocked", result.error["code"], result)
            self.skipTest("isolated calls are not there yet: %s" % result.error["message"])


class Noise(Base):
    def test_what_a_pack_writes_goes_to_stderr(self):
        folder = self.folder("noisy", "ok")
        with mcp.Server(self, *self.only(folder)) as server:
            server.initialize()
            for _ in range(3):
                self.assertEqual({"read": 0}, server.call("noisy")["structuredContent"])
                server.ping()
            self.assertEqual(0, server.finish())
        result = self.call(folder, "noisy")
        self.assertEqual((0, {"read": 0}), (result.status, result.out and result.json), result.err[-500:])
        self.assertIn("noisy: while it is loaded", result.err)

    def test_numbers_that_json_lacks(self):
        with mcp.Server(self, *self.only(self.folder("nan"))) as server:
            server.initialize()
            result = server.call("nan")["structuredContent"]
        nothing = {"nan": None, "up": None, "down": None}
        self.assertEqual({**nothing, "packed": [1.5, None, None, None], "list": [1.5, None, None, None],
                          "nested": nothing}, result)

    def test_good_packs_of_other_ages_and_languages(self):
        with mcp.Server(self, *self.only(self.folder("ok-cxx", "ok-minor-older", "ok-minor-newer"))) as server:
            server.initialize()
            self.assertEqual({"caught": "a sum of 6"}, server.call("ok_cxx")["structuredContent"])
            for tool in ("ok_minor_newer", "ok_minor_newer_too"):
                self.assertEqual({"sum": 42}, server.call(tool)["structuredContent"])
                self.assertEqual({"sum": 3}, server.call(tool, {"first": 1})["structuredContent"])
            older = server.call("ok_minor_older", {"values": [1, 2], "scale": 2})["structuredContent"]
            self.assertEqual({"label": "none", "sum": 6}, older)


if __name__ == "__main__":
    program.main(__name__)
