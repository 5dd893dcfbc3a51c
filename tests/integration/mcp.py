# SPDX-License-Identifier: MIT
"""A small client of MCP over the standard streams, for tests: it can be correct, and it can be as wrong as a test likes.

Every line that comes in is held to the rules: one JSON message, UTF-8, ended by a line feed alone.
"""
import json
import os
import select
import signal
import subprocess
import tempfile
import time

import program

NEWEST = "2025-11-25"
ABSENT = object()


class Timeout(AssertionError):
    """The server did not say in time what was waited for."""


class Server:
    """A running `toolhost serve --stdio`. Use it with `with`: it is ended there, whatever happens."""

    def __init__(self, case, *options, env=None, cwd=None, command=None, limit=program.PATIENCE):
        self._log = tempfile.TemporaryFile()
        self._limit = limit
        self._next_id = 1
        self._buffer = bytearray()
        self._ended = False
        self.responses = {}
        self.notifications = []
        self.orphans = []  # errors without an id
        self.process = subprocess.Popen(
            command or [program.TOOLHOST, "serve", "--stdio", *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._log, env=case.environment(**(env or {})), cwd=cwd, bufsize=0,
            start_new_session=True)
        os.set_blocking(self.process.stdin.fileno(), False)
        os.set_blocking(self.process.stdout.fileno(), False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self._log):
            stream.close()

    @property
    def pid(self):
        return self.process.pid

    def stderr(self):
        """What the server has written to standard error so far."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    # ---- Bytes and lines -------------------------------------------------------------------------------------------

    def _exchange(self, data, until, seconds):
        """Writes `data` while it reads, so that neither side waits for the other; stops when until() is true."""
        end = time.monotonic() + (seconds or self._limit)
        view = memoryview(data)
        poll = select.poll()
        poll.register(self.process.stdout, select.POLLIN)
        if view:
            poll.register(self.process.stdin, select.POLLOUT)
        while view or not until():
            if self._ended and not view:
                return
            left = end - time.monotonic()
            if left <= 0:
                raise Timeout("nothing came within %s s; stderr: %s" % (seconds or self._limit, self.stderr()[-2000:]))
            for descriptor, events in poll.poll(left * 1000):
                if descriptor == self.process.stdout.fileno():
                    piece = os.read(descriptor, 1 << 20)
                    self._buffer += piece
                    if not piece:
                        self._ended = True
                        poll.unregister(descriptor)
                elif events & select.POLLERR:
                    raise BrokenPipeError("the server has closed its input")
                else:
                    view = view[os.write(descriptor, view[:1 << 20]):]
                    if not view:
                        poll.unregister(descriptor)

    def send_bytes(self, data, seconds=None):
        self._exchange(data, lambda: True, seconds)

    def send(self, message, seconds=None):
        """One message, as compact JSON on a line."""
        self.send_bytes(encode(message), seconds)

    def read_line(self, seconds=None):
        """The next line without its end, or None at the end of output."""
        self._exchange(b"", lambda: b"\n" in self._buffer, seconds)
        at = self._buffer.find(b"\n")
        if at < 0:
            if self._buffer:
                raise AssertionError("the output ended within a line: %.200r" % bytes(self._buffer))
            return None
        line = bytes(self._buffer[:at])
        del self._buffer[:at + 1]
        return line

    def receive(self, seconds=None):
        """The next message, or None at the end of output."""
        line = self.read_line(seconds)
        if line is None:
            return None
        if b"\r" in line or not line:
            raise AssertionError("not a line of the protocol: %.200r" % line)
        message = program.strict_json(line.decode("utf-8"))
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise AssertionError("not a message of JSON-RPC 2.0: %.200r" % line)
        return message

    def silent(self, seconds):
        """Whether nothing comes for that long."""
        try:
            self._exchange(b"", lambda: b"\n" in self._buffer, seconds)
        except Timeout:
            return True
        return self._ended

    # ---- Messages --------------------------------------------------------------------------------------------------

    def _sort(self, message):
        if "method" in message:
            self.notifications.append(message)
        elif "id" not in message:
            self.orphans.append(message)
        else:
            key = json.dumps(message["id"])
            if key in self.responses:
                raise AssertionError("id %s was answered twice" % key)
            self.responses[key] = message

    def post(self, method, params=ABSENT, id=ABSENT, seconds=None):
        """Sends a request and answers its id."""
        if id is ABSENT:
            id, self._next_id = self._next_id, self._next_id + 1
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        if params is not ABSENT:
            message["params"] = params
        self.send(message, seconds)
        return id

    def notify(self, method, params=ABSENT):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not ABSENT:
            message["params"] = params
        self.send(message)

    def answer(self, id, seconds=None):
        """The response to that id; what comes before it is kept in responses, notifications and orphans."""
        key = json.dumps(id)
        end = time.monotonic() + (seconds or self._limit)
        while key not in self.responses:
            message = self.receive(max(end - time.monotonic(), 0.001))
            if message is None:
                raise AssertionError("the output ended before the answer to %s; stderr: %s" % (key, self.stderr()))
            self._sort(message)
        return self.responses.pop(key)

    def orphan(self, seconds=None):
        """The next error without an id."""
        end = time.monotonic() + (seconds or self._limit)
        while not self.orphans:
            message = self.receive(max(end - time.monotonic(), 0.001))
            if message is None:
                raise AssertionError("the output ended; stderr: %s" % self.stderr())
            self._sort(message)
        return self.orphans.pop(0)

    def request(self, method, params=ABSENT, id=ABSENT, seconds=None):
        return self.answer(self.post(method, params, id, seconds), seconds)

    def initialize(self, version=NEWEST, capabilities=None):
        """The handshake; answers the result of initialize."""
        response = self.request("initialize", {"protocolVersion": version, "capabilities": capabilities or {},
                                               "clientInfo": {"name": "tests", "version": "1"}})
        self.notify("notifications/initialized")
        return response["result"]

    def tools(self):
        """All tools, page by page, by name."""
        found, cursor = {}, ABSENT
        while True:
            result = self.request("tools/list", ABSENT if cursor is ABSENT else {"cursor": cursor})["result"]
            for tool in result["tools"]:
                if tool["name"] in found:
                    raise AssertionError("%s is listed twice" % tool["name"])
                found[tool["name"]] = tool
            if "nextCursor" not in result:
                return found
            cursor = result["nextCursor"]

    def post_call(self, tool, arguments=ABSENT, meta=None, id=ABSENT):
        params = {"name": tool}
        if arguments is not ABSENT:
            params["arguments"] = arguments
        if meta is not None:
            params["_meta"] = meta
        return self.post("tools/call", params, id)

    def call(self, tool, arguments=ABSENT, meta=None, seconds=None):
        """The result of one call; a tool's failure is a result as well."""
        response = self.answer(self.post_call(tool, arguments, meta), seconds)
        if "result" not in response:
            raise AssertionError("not a result: %.1000r" % response)
        return response["result"]

    def ping(self, seconds=None):
        response = self.request("ping", seconds=seconds)
        if response.get("result") != {}:
            raise AssertionError("not the answer to a ping: %.200r" % response)

    # ---- The end ---------------------------------------------------------------------------------------------------

    def finish(self, seconds=None):
        """Ends the input, reads what is still to come, and answers the exit status."""
        self.process.stdin.close()
        while (message := self.receive(seconds)) is not None:
            self._sort(message)
        return self.process.wait(seconds or self._limit)


class Lab(program.Case):
    """Tests of a server of the packs in tests/integration/packs/."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = cls.lab()

    def serve(self, *more, initialized=True, **keywords):
        """A server that has shaken hands, unless it is to be new, and has scanned: the first listing waits for that."""
        server = Server(self, *self.options, *more, **keywords)
        if initialized:
            server.initialize()
            server.tools()
        return server


def encode(message):
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def failure(result):
    """The error object that a result with isError carries as text."""
    if not result.get("isError"):
        raise AssertionError("not an error: %.1000r" % result)
    return program.strict_json(result["content"][0]["text"])["error"]
