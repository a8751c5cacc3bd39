"""tests/server/server.py: a real server process and clients for tests."""
import http.client
import json
import os
import signal
import subprocess
import tempfile


class Refused(Exception):
    """The server answered with an error; `name` says which."""

    def __init__(self, error):
        super().__init__(error)
        self.name = error["name"]
        self.error = error


class Server:
    """`terra serve` on a free port, its data in a folder that stays."""

    def __init__(self, terra, data, *options, rate=0, log=os.devnull):
        self.data = data
        self.log = log
        self.root = tempfile.mkdtemp()
        with open(os.path.join(self.root, "index.html"), "w",
                  encoding="utf-8") as page:
            page.write("<!doctype html><title>test</title>")
        self.command = [terra, "serve", "--port", "0", "--local", "--rate",
                        str(rate), "--root", self.root, "--data", data, *options]
        self.process = None
        self.port = 0

    def start(self):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if "http" not in line:
            raise RuntimeError(f"the server did not start: {line!r}")
        self.port = int(line.rsplit(":", 1)[1].strip().rstrip("/"))

    def __del__(self):
        """A test that fails leaves nothing running."""
        if self.process and self.process.poll() is None:
            self.process.kill()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait()
        self.process.stdout.close()
        return status


class Client:
    """One person: commands by POST, with a cookie."""

    def __init__(self, server):
        self.server = server
        self.cookie = None
        self.connection = None

    def request(self, method, path, body=None, headers=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(
                "localhost", self.server.port, timeout=60)
        headers = dict(headers or {})
        if self.cookie:
            headers["Cookie"] = self.cookie
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            data = answer.read()
        except Exception:
            self.connection.close()
            self.connection = None
            raise
        cookie = answer.getheader("Set-Cookie")
        if cookie:
            self.cookie = cookie.split(";")[0]
        return answer.status, data

    def call(self, command, **fields):
        _, data = self.request("POST", f"/api/{command}", json.dumps(fields))
        answer = json.loads(data)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["ok"]

    def forget_connection(self):
        if self.connection:
            self.connection.close()
        self.connection = None
