#!/usr/bin/env python3
"""tests/server/operate_test.py TERRA: a server as an operator runs it.

Log, figures, restarts; the example for systemd; and, where nginx is installed,
the example for nginx in front of a real server.  Speaks TAP.
"""
import configparser
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
from server import Client, Refused, Server  # noqa: E402
from sockets import frame, handshake, receive  # noqa: E402

TERRA = sys.argv[1]
EXAMPLES = os.path.join(os.path.dirname(__file__), "../../docs/operating")
points = []


def point(good, text):
    points.append(good)
    print(f"{'ok' if good else 'not ok'} {len(points)} - {text}", flush=True)


def ask(s, **fields):
    """One command over a socket; events that come before are skipped."""
    s.sendall(frame(json.dumps({"id": 7, **fields}).encode()))
    while True:
        answer = receive(s)
        if answer is None or answer.get("id") == 7:
            return answer


# ---- log and figures ----

def figures(text):
    """Prometheus' text format: {name: value}, None if it is not."""
    found, typed = {}, set()
    for line in text.splitlines():
        words = line.split()
        if line.startswith("# TYPE "):
            typed.add(words[2])
        elif not line.startswith("#"):
            if len(words) != 2 or words[0] not in typed:
                return None
            found[words[0]] = float(words[1])
    return found


def watch_it(server, log):
    ann = Client(server)
    ann.call("guest", name="Ann")
    status, text = ann.request("GET", "/metrics")
    before = figures(text.decode())
    point(status == 200 and before, "figures in Prometheus' format")
    for _ in range(5):
        ann.call("hello")
    _, text = ann.request("GET", "/metrics")
    after = figures(text.decode())
    point(after["terrarium_messages_total"] ==
          before["terrarium_messages_total"] + 5, "and they count")
    ann.call("report", name="Ann", text="only a test")
    with open(log, encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines]
    point(any(e["event"] == "report" and e["subject"] == "Ann" and e["at"]
              for e in events), "the log is one JSON object per line")
    out = subprocess.run([TERRA, "admin", "--data", server.data, "reports"],
                         capture_output=True, text=True, check=False).stdout
    point("only a test" in out, "reports are shown to the operator")


# ---- looking after it ----

def admin(server, *words):
    done = subprocess.run([TERRA, "admin", "--data", server.data, *words],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def look_after(server, folder):
    """Every task while the server runs."""
    eve = Client(server)
    eve.call("guest", name="Eve")
    table = eve.call("create", setup="game: nova\nseats: 2\n",
                     bots=["random"])["table"]
    status, out = admin(server, "users")
    point(status == 0 and "Eve" in out, "admin users")
    status, out = admin(server, "games")
    point(status == 0 and table in out, "admin games")
    status, out = admin(server, "show", table)
    point(status == 0 and "start 1" in out, "admin show")
    point(admin(server, "check")[0] == 0, "admin check")
    point(admin(server, "vacuum")[0] == 0, "admin vacuum")
    copy = os.path.join(folder, "copy")
    os.mkdir(copy)
    status, _ = admin(server, "backup", os.path.join(copy, "terra.db"))
    again = Server(TERRA, copy)
    again.start()
    back = Client(again)
    back.cookie = eve.cookie
    seen = back.call("watch", table=table)
    point(status == 0 and seen["viewer"] >= 0,
          "admin backup: a server goes on from the copy")
    again.stop()
    shutil.rmtree(again.root)
    admin(server, "ban", "Eve")
    patience = time.monotonic() + 120  # it is fetched within some seconds
    while eve.call("hello")["user"] and time.monotonic() < patience:
        pass
    point(eve.call("hello")["user"] is None, "admin ban: signed out")
    try:
        eve.call("guest", name="Eve")
        point(False, "admin ban: the name came back")
    except Refused as refused:
        point(refused.name == "taken", "admin ban: the name stays taken")
    point(admin(server, "nonsense")[0] == 2, "admin refuses nonsense")


# ---- restarts ----

def restart(server):
    """Stops while people play: what they sent is answered or can be sent
    again, and who was away hears all of it."""
    people = [Client(server), Client(server)]
    for i, person in enumerate(people):
        person.call("guest", name=f"player {i}")
    table = people[0].call("create", setup="game: nova\nseats: 2\n")["table"]
    people[1].call("join", table=table)
    sockets = [handshake(server, p.cookie) for p in people]
    views = [ask(s, do="watch", table=table)["ok"] for s in sockets]
    seen = views[1]["seq"]
    played = []
    for number in range(6):
        if number == 3:
            server.process.terminate()
            for s in sockets:
                while receive(s) is not None:
                    pass
            point(server.process.wait() == 0, "closes sockets and stops")
            server.process.stdout.close()
            server.start()
            for person in people:
                person.forget_connection()
            sockets = [handshake(server, p.cookie) for p in people]
        views = [p.call("watch", table=table) for p in people]
        who = [v["viewer"] for v in views].index(views[0]["status"]["seat"])
        action = views[who]["scene"]["actions"][0]["text"]
        message = {"do": "play", "table": table, "line": action,
                   "key": f"k{number}", "seq": views[who]["seq"]}
        first = ask(sockets[who], **message)
        again = ask(sockets[who], **message)
        if first["ok"] != again["ok"]:
            point(False, f"{first} is not {again}")
        played.append(action)
    late = ask(sockets[1], do="watch", table=table, since=seen,
               viewer=views[1]["viewer"])["ok"]
    point([step["text"] for step in late["log"]] == played,
          "who comes back misses nothing")


# ---- addresses ----

def addresses(folder):
    server = Server(TERRA, os.path.join(folder, "address"), "--address",
                    "127.0.0.1")
    server.command.remove("--local")
    server.start()
    status, _ = Client(server).request("GET", "/health")
    try:
        socket.create_connection(("127.0.0.2", server.port)).close()
        elsewhere = True
    except ConnectionRefusedError:
        elsewhere = False
    point(status == 200 and not elsewhere, "listens on one address only")
    server.stop()
    server.command[server.command.index("--address") + 1] = "203.0.113.77"
    refused = subprocess.run(server.command, capture_output=True, text=True,
                             check=False)
    point(refused.returncode == 1 and "203.0.113.77" in refused.stderr,
          "an address that is not ours is refused")
    shutil.rmtree(server.root)


# ---- the picture of a link ----

def site(folder):
    page = os.path.join(os.path.dirname(__file__), "../../web/index.html")
    server = Server(TERRA, os.path.join(folder, "site"), "--site",
                    "https://example.org")
    index = os.path.join(server.root, "index.html")
    shutil.copy(page, index)
    with open(index + ".gz", "wb") as old:
        old.write(b"the old text")
    server.start()
    status, text = Client(server).request("GET", "/")
    point(status == 200 and b'="og:image" content="https://example.org/social'
          in text, "the page tells the whole address of its picture")
    with open(page, "rb") as file:
        point(text.replace(b"https://example.org", b"") == file.read(),
              "and is otherwise the same")
    server.stop()
    for wrong in ("example.org", "https://", 'https://a"b', "https://a/"):
        server.command[-1] = wrong
        refused = subprocess.run(server.command, capture_output=True,
                                 text=True, check=False)
        point(refused.returncode == 1 and f"not '{wrong}'" in refused.stderr,
              f"{wrong} is no site")
    shutil.rmtree(server.root)


# ---- the examples ----

def unit_file():
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str
    unit.read(os.path.join(EXAMPLES, "terrarium.service"))
    words = unit["Service"]["ExecStart"].split()
    usage = subprocess.run([TERRA, "serve", "--help"], capture_output=True,
                           text=True, check=True).stdout
    options = [word for word in words if word.startswith("--")]
    point(words[1] == "serve" and options and
          all(re.search(rf"{word}\b", usage) for word in options),
          "the unit starts the server with options it has")


def make_certificate(folder):
    files = [os.path.join(folder, name) for name in ("c.pem", "k.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
         "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost", "-out", files[0], "-keyout",
         files[1]], check=True, capture_output=True)
    return files


class Proxy:
    """nginx with the example, changed only where names and ports are."""

    def __init__(self, folder, server):
        self.folder = folder
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        certificate = make_certificate(folder)
        with open(os.path.join(EXAMPLES, "nginx.conf"),
                  encoding="utf-8") as example:
            site = example.read()
        for was, now in (("listen 443", f"listen 127.0.0.1:{self.port}"),
                         ("127.0.0.1:8080", f"127.0.0.1:{server.port}"),
                         ("/etc/ssl/example.org.pem", certificate[0]),
                         ("/etc/ssl/example.org.key", certificate[1])):
            if site.count(was) != 1:
                raise RuntimeError(f"the example has no {was}")
            site = site.replace(was, now)
        temp = "".join(f"{name}_temp_path {folder}/{name};"
                       for name in ("client_body", "proxy", "fastcgi",
                                    "uwsgi", "scgi"))
        main = os.path.join(folder, "nginx.conf")
        with open(main, "w", encoding="utf-8") as out:
            out.write(f"daemon off; worker_processes 1; pid {folder}/pid;"
                      f"error_log {folder}/error.log;"
                      f"events {{}} http {{ access_log off; {temp} {site} }}")
        # The socket is handed over, so that nobody can take its port.
        os.set_inheritable(listening.fileno(), True)
        self.process = subprocess.Popen(
            ["nginx", "-c", main, "-p", folder, "-e", f"{folder}/error.log"],
            env={**os.environ, "NGINX": f"{listening.fileno()};"},
            pass_fds=[listening.fileno()])
        listening.close()

    def connect(self, source="127.0.0.1"):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60,
                                         source_address=(source, 0))
        context = ssl.create_default_context(
            cafile=os.path.join(self.folder, "c.pem"))
        return context.wrap_socket(plain, server_hostname="localhost")

    def request(self, method, path, body=None, source="127.0.0.1", **headers):
        connection = http.client.HTTPConnection("localhost", self.port)
        connection.sock = self.connect(source)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer, data

    def stop(self):
        self.process.terminate()
        self.process.wait()


def with_tls(folder):
    """The server itself speaks TLS."""
    certificate = make_certificate(folder)
    server = Server(TERRA, os.path.join(folder, "tls"), "--tls", *certificate)
    server.start()
    context = ssl.create_default_context(cafile=certificate[0])

    def connect():
        return context.wrap_socket(
            socket.create_connection(("localhost", server.port), timeout=60),
            server_hostname="localhost")

    client = Client(server)
    client.connection = http.client.HTTPConnection("localhost", server.port)
    client.connection.sock = connect()
    client.call("guest", name="Ann")
    s = handshake(server, client.cookie, f"https://localhost:{server.port}",
                  connect())
    point(s and ask(s, do="hello")["ok"]["user"]["name"] == "Ann",
          "TLS: a WebSocket with its session")
    point(server.stop() == 0, "TLS: stops cleanly")
    shutil.rmtree(server.root)


def guesses(send):
    """How many of 40 wrong passwords are not even looked at."""
    body = json.dumps({"name": "Ann", "password": "wrong password"})
    return sum(json.loads(send(body))["error"]["name"] == "flood"
               for _ in range(40))


def behind_nginx(folder):
    server = Server(TERRA, os.path.join(folder, "behind"), "--proxy",
                    "127.0.0.1", "--secure", rate=30)
    server.start()
    proxy = Proxy(folder, server)
    try:
        try_proxy(proxy, server)
    finally:
        proxy.stop()
    point(server.stop() == 0, "stops cleanly behind nginx")
    shutil.rmtree(server.root)


def try_proxy(proxy, server):
    answer, data = proxy.request("GET", "/health")
    point(answer.status == 200 and json.loads(data) == {"ok": True},
          "nginx: the example starts and passes requests on")
    answer, _ = proxy.request("GET", "/metrics")
    point(answer.status == 404, "nginx: figures are not for the world")
    answer, _ = proxy.request("POST", "/api/guest", '{"name":"Ann"}')
    cookie = answer.getheader("Set-Cookie")
    point("; Secure" in cookie and "HttpOnly" in cookie and
          "SameSite=Strict" in cookie, "nginx: the cookie is for https only")
    here = f"https://localhost:{proxy.port}"
    s = handshake(proxy, cookie.split(";")[0], here, proxy.connect())
    point(s and ask(s, do="hello")["ok"]["user"]["name"] == "Ann",
          "nginx: a WebSocket with its session")
    point(handshake(proxy, None, "https://evil.example",
                    proxy.connect()) is None,
          "nginx: a page of another site gets none")

    def through(source, forged):
        return lambda body: proxy.request(
            "POST", "/api/login", body, source,
            **{"X-Forwarded-For": forged} if forged else {})[1]

    point(guesses(through("127.0.0.2", None)) >= 3,
          "nginx: one address guesses too many passwords")
    point(guesses(through("127.0.0.2", "203.0.113.9")) >= 12,
          "nginx: a forged address does not help")
    body = json.dumps({"name": "Ann", "password": "wrong password"})
    fresh = json.loads(through("127.0.0.3", None)(body))
    point(fresh["error"]["name"] == "password",
          "nginx: another address has its own limit")

    def directly(body):
        connection = http.client.HTTPConnection(
            "127.0.0.1", server.port, source_address=("127.0.0.4", 0))
        directly.calls += 1
        connection.request("POST", "/api/login", body, {
            "X-Forwarded-For": f"203.0.113.{directly.calls}"})
        return connection.getresponse().read()

    directly.calls = 0
    point(guesses(directly) >= 3,
          "the header counts only if the proxy sends it")


def main():
    folder = tempfile.mkdtemp()
    log = os.path.join(folder, "log")
    server = Server(TERRA, os.path.join(folder, "data"), log=log)
    server.start()
    watch_it(server, log)
    look_after(server, folder)
    restart(server)
    point(server.stop() == 0, "stops cleanly again")
    shutil.rmtree(server.root)
    addresses(folder)
    site(folder)
    unit_file()
    if shutil.which("openssl"):
        with_tls(folder)
    else:
        print("# skipped: there is no openssl to make a certificate")
    if shutil.which("nginx") and shutil.which("openssl"):
        behind_nginx(folder)
    else:
        print("# skipped: nginx is not installed (tools/setup proxy)")
    shutil.rmtree(folder)
    print(f"1..{len(points)}")
    return 0 if all(points) else 1


try:
    sys.exit(main())
except Refused as refused:
    print(f"not ok - {refused.error}")
    sys.exit(1)
