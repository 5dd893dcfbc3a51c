# SPDX-License-Identifier: MIT
"""MCP on the standard streams: framing, bad lines, large messages, and the end of input."""
import json
import os
import re
import signal
import socket
import subprocess
import time

import mcp
import program

BOM = b"\xef\xbb\xbf"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
# Its answer is 1 MB.
LARGE_CALL = mcp.encode({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                         "params": {"name": "lab_large", "arguments": {"bytes": 1000000}}})


def resident(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) << 10


def blocking(stream):
    os.set_blocking(stream.fileno(), True)
    return stream.fileno()


def numbers(size):
    """Arguments for `summary` of about that many bytes, within the cap on cells."""
    return {"values": [1.2345678901234567] * (size // 19)}


class Base(mcp.Lab):
    def serve(self, *more, **keywords):
        return super().serve(*more, initialized=False, **keywords)


class Framing(Base):
    def test_carriage_returns_and_empty_lines(self):
        with self.serve() as server:
            lines = [mcp.encode({"jsonrpc": "2.0", "id": number, "method": "ping"})[:-1] for number in range(3)]
            server.send_bytes(b"\r\n\r\n" + b"\r\n\r\n".join(lines) + b"\r\n\r\n")
            for number in range(3):
                self.assertEqual({}, server.answer(number)["result"])
            self.assertEqual(0, server.finish())

    def test_a_byte_order_mark_at_the_start_is_skipped(self):
        with self.serve() as server:
            server.send_bytes(BOM + mcp.encode(PING))
            self.assertEqual({}, server.answer(1)["result"])

    def test_a_byte_order_mark_later_is_an_error(self):
        with self.serve() as server:
            server.ping()
            server.send_bytes(BOM + mcp.encode({"jsonrpc": "2.0", "id": 2, "method": "ping"}))
            server.send(dict(PING, id=3))
            self.assertEqual({}, server.answer(3)["result"])
            refused = server.responses.pop("2", None) or server.orphan()
            self.assertEqual(-32700, refused["error"]["code"])

    def test_a_byte_order_mark_in_a_file_of_arguments_and_in_the_config(self):
        arguments = self.write("bom.json", BOM + b'{"values":[1,2]}')
        config = self.write("bom.conf", BOM + b"max_cells = 1000\n")
        result = self.run_program("call", *self.options, "--config", config, "summary", "@" + arguments)
        self.assertEqual(0, result.status, result)
        self.assertEqual(3, result.json["sum"])

    def test_line_separators_are_escaped(self):
        with self.serve() as server:
            server.initialize()
            server.send({"jsonrpc": "2.0", "id": "raw", "method": "tools/call",
                         "params": {"name": "lab_separators"}})
            line = server.read_line()
            for raw in ("\u2028", "\u2029"):
                self.assertNotIn(raw.encode(), line)
            text = program.strict_json(line.decode())["result"]["structuredContent"]["text"]
            self.assertEqual("line\u2028paragraph\u2029next\u0085end", text)

    def test_large_arguments_and_results(self):
        with self.serve() as server:
            server.initialize()
            for size in (129 * 1024, 5 * 1000 * 1000):
                with self.subTest(arguments=size):
                    arguments = numbers(size)
                    result = server.call("summary", arguments)
                    self.assertEqual(len(arguments["values"]), result["structuredContent"]["count"])
                with self.subTest(result=size):
                    result = server.call("lab_large", {"bytes": size})
                    self.assertEqual("x" * size, json.loads(result["content"][0]["text"])["text"])

    def test_a_line_without_end(self):
        with self.serve() as server:
            server.ping()
            piece = b"x" * (1 << 24)
            for _ in range(64):  # a gibibyte in all
                server.send_bytes(piece)
            server.send_bytes(b"\n" + mcp.encode(dict(PING, id=2)))
            self.assertEqual({}, server.answer(2)["result"])
            self.assertIn("max_message_mb", server.orphan()["error"]["message"])
            self.assertEqual([], server.orphans, "one error for one line")
            if not program.sanitized():
                with open("/proc/%d/status" % server.pid, encoding="ascii") as status:
                    peak = int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1))
                self.assertLess(peak, 256 * 1024, "kB")

    def test_nothing_but_messages_on_stdout(self):
        for level in ("error", "warning", "info", "debug"):
            with self.subTest(level), self.serve("-v", env={"TOOLHOST_LOG_LEVEL": level}) as server:
                server.initialize()
                server.tools()
                self.assertTrue(server.call("lab_talk")["structuredContent"]["done"])
                self.assertTrue(server.call("lab_nothing")["structuredContent"]["done"])
                self.assertEqual(0, server.finish())

    def test_a_tool_that_fills_stderr(self):
        with self.serve() as server:
            server.initialize()
            size = 256 * 1024
            self.assertEqual(size, server.call("lab_stderr", {"bytes": size})["structuredContent"]["written"])
            server.ping()

    def test_a_bad_byte_in_a_string(self):
        with self.serve() as server:
            server.send_bytes(b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"a\xffb"}}\n')
            server.send(dict(PING, id=8))
            self.assertEqual({}, server.answer(8)["result"])
            refused = server.responses.pop("7", None) or server.orphan()
            self.assertEqual(-32700, refused["error"]["code"])

    def test_a_refused_line_is_answered_with_its_id(self):
        for name, line in [
                ("before the fault", b'{"jsonrpc":"2.0","id":"me","method":"ping","params":{"x":01}}'),
                ("after the fault", b'{"jsonrpc":"2.0","method":"ping","params":{"x":"a\xff"},"id":"me"}')]:
            with self.subTest(name), self.serve() as server:
                server.send_bytes(line + b"\n")
                self.assertEqual(-32700, server.answer("me")["error"]["code"])
                server.ping()
        for name, line in [
                ("two ids", b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'),
                ("no JSON", b"hello"),
                ("cut short", b'{"jsonrpc":"2.0"')]:
            with self.subTest(name), self.serve() as server:
                server.send_bytes(line + b"\n")
                self.assertEqual(-32700, server.orphan()["error"]["code"])
                server.ping()


class End(Base):
    def test_no_input_at_all(self):
        with self.serve() as server:
            self.assertEqual(0, server.finish(10))
            self.assert_nothing_left()
        result = self.run_program("serve", "--stdio", *self.options)
        self.assertEqual((0, ""), (result.status, result.out), result)
        self.assertLess(result.seconds, 1 * program.SLACK)

    def test_calls_through_a_pipe(self):
        with self.serve() as server:
            server.post("initialize", {"protocolVersion": mcp.NEWEST, "capabilities": {},
                                       "clientInfo": {"name": "tests", "version": "1"}})
            server.notify("notifications/initialized")
            ids = [server.post_call("summary", {"values": [number]}) for number in range(50)]
            self.assertEqual(0, server.finish())
            for number, id in enumerate(ids):
                self.assertEqual(number, server.answer(id)["result"]["structuredContent"]["sum"])

    def test_calls_in_flight_are_finished(self):
        with self.serve() as server:
            server.initialize()
            id = server.post_call("lab_wait", {"seconds": 0.5})
            self.assertEqual(0, server.finish())
            self.assertGreaterEqual(server.answer(id)["result"]["structuredContent"]["waited"], 0.5)

    def test_a_blank_line_and_initialize(self):
        with self.serve() as server:
            server.send_bytes(b"\n")
            id = server.post("initialize", {"protocolVersion": mcp.NEWEST, "capabilities": {},
                                            "clientInfo": {"name": "tests", "version": "1"}})
            self.assertEqual(0, server.finish())
            self.assertEqual(mcp.NEWEST, server.responses.pop(json.dumps(id))["result"]["protocolVersion"])
            self.assertEqual(({}, [], []), (server.responses, server.notifications, server.orphans))

    def test_a_last_line_without_its_end(self):
        with self.serve() as server:
            server.send_bytes(mcp.encode(PING)[:-1])
            self.assertEqual(0, server.finish())
            self.assertEqual({}, server.answer(1)["result"])

    def test_the_reader_leaves_while_a_call_runs(self):
        with self.serve() as server:
            server.initialize()
            server.tools()
            server.post_call("lab_wait", {"seconds": 20})
            os.close(server.process.stdout.fileno())
            server.process.stdout = open(os.devnull, "rb")
            server.process.stdin.write(mcp.encode(PING))
            self.assertGreaterEqual(server.process.wait(10), 0, "ended by a signal")
            self.assert_nothing_left()

    def test_a_reader_that_does_not_read(self):
        # What waits for the reader is bounded, and so is what is asked of us meanwhile.
        with self.serve() as server:
            server.initialize()
            server.tools()
            data = memoryview(LARGE_CALL * 1000)
            end = time.monotonic() + 4
            while time.monotonic() < end and data:
                try:
                    data = data[os.write(server.process.stdin.fileno(), data):]
                except BlockingIOError:
                    time.sleep(0.05)
            if not program.sanitized():
                self.assertLess(resident(server.pid), 600 << 20)
            server.process.stdout.close()
            server.process.stdout = open(os.devnull, "rb")
            self.assertGreaterEqual(server.process.wait(10), 0, "ended by a signal")

    def test_a_slow_reader_gets_every_answer(self):
        with self.serve() as server:
            server.initialize()
            self.assertEqual(100 * len(LARGE_CALL), os.write(server.process.stdin.fileno(), 100 * LARGE_CALL))
            server.process.stdin.close()
            count, until = 0, time.monotonic() + 6
            while line := os.read(blocking(server.process.stdout), 1 << 20):
                count += line.count(b"\n")
                if time.monotonic() < until:
                    time.sleep(0.3)
            self.assertEqual(100, count)
            self.assertEqual(0, server.process.wait(10))

    def test_a_reader_that_takes_nothing_is_given_up(self):
        with self.serve("--timeout", "5") as server:
            server.initialize()
            for _ in range(200):
                server.post_call("lab_large", {"bytes": 1000000})
            server.process.stdin.close()
            begin = time.monotonic()
            self.assertEqual(0, server.process.wait(60))
            self.assertLess(time.monotonic() - begin, 10 + 3 * program.SLACK)

    def test_large_calls_that_wait_are_bounded(self):
        text = "x" * 90000
        with self.serve("--max-calls", "1") as server:
            server.initialize()
            server.tools()
            slow = server.post_call("lab_wait", {"seconds": 3})
            ids = [server.post_call("lab_length", {"text": text}) for _ in range(1500)]
            self.assertGreaterEqual(server.answer(slow)["result"]["structuredContent"]["waited"], 3)
            for id in ids:
                self.assertEqual(90000, server.answer(id)["result"]["structuredContent"]["bytes"])

    def test_a_client_that_never_reads_stderr(self):
        lines = [{"jsonrpc": "2.0", "id": id, "method": "tools/call",
                  "params": {"name": "lab_stderr", "arguments": {"bytes": 1 << 20}}} for id in (1, 2, 3)]
        for level in ("in-process", "isolated"):
            with self.subTest(level), subprocess.Popen(
                    [program.TOOLHOST, "serve", *self.options, "--isolation", level], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment()) as process:
                process.stdin.write(b"".join(mcp.encode(line) for line in lines))
                process.stdin.close()
                answers = [json.loads(line) for line in process.stdout]
                self.assertEqual([1 << 20] * 3, [answer["result"]["structuredContent"]["written"] for answer in answers])
                self.assertEqual(0, process.wait(10))

    def test_one_socket_for_both(self):
        lines = mcp.encode(PING) + LARGE_CALL * 20
        ours, theirs = socket.socketpair()
        with ours, subprocess.Popen([program.TOOLHOST, "serve", *self.options], stdin=theirs, stdout=theirs,
                                    env=self.environment()) as process:
            theirs.close()
            ours.settimeout(program.PATIENCE)
            ours.sendall(lines)
            ours.shutdown(socket.SHUT_WR)  # the end of the input, and not of the output
            count = 0
            while data := ours.recv(1 << 20):
                count += data.count(b"\n")
            self.assertEqual(21, count)
            self.assertEqual(0, process.wait(10))
        ours, theirs = socket.socketpair()
        with subprocess.Popen([program.TOOLHOST, "serve", *self.options], stdin=theirs, stdout=theirs,
                              env=self.environment()) as process:
            theirs.close()
            ours.sendall(mcp.encode({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "lab_wait", "arguments": {"seconds": 20}}}))
            time.sleep(0.5)  # so that the call is under way
            ours.close()
            self.assertEqual(0, process.wait(10))

    def test_hangup(self):
        with self.serve() as server:
            server.initialize()
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(0, server.process.wait(10))
        with self.serve(command=["nohup", program.TOOLHOST, "serve", *self.options]) as server:
            server.initialize()
            server.process.send_signal(signal.SIGHUP)
            server.ping()
            self.assertEqual(0, server.finish())

    def test_termination(self):
        with self.serve() as server:
            server.initialize()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(10)
            self.assert_nothing_left()


if __name__ == "__main__":
    program.main(__name__)
