#!/usr/bin/env python3
"""tests/server/network_test.py TERRA: hostile connections to a real server.

Each attack is followed by an ordinary question that must be answered.  Speaks
TAP.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from server import Client, Refused, Server  # noqa: E402
from sockets import connect, frame, handshake, receive  # noqa: E402

points = []


def point(good, text):
    points.append(good)
    print(f"{'ok' if good else 'not ok'} {len(points)} - {text}", flush=True)


def healthy(server):
    status, data = Client(server).request("GET", "/health")
    return status == 200 and json.loads(data) == {"ok": True}


def alive(server, s):
    """Does the socket still answer?"""
    s.sendall(frame(b'{"do":"hello","id":99}'))
    answer = receive(s)
    return answer is not None and answer.get("id") == 99


def main():
    terra = sys.argv[1]
    data = tempfile.mkdtemp()
    server = Server(terra, data)
    server.start()

    ann = Client(server)
    ann.call("guest", name="Ann")
    s = handshake(server, ann.cookie)
    s.sendall(frame(b'{"do":"hello","id":1}'))
    point(receive(s)["ok"]["user"]["name"] == "Ann",
          "a socket knows the session's user")

    # Another site's page.
    point(handshake(server, ann.cookie, "http://evil.example") is None,
          "a socket from another origin is refused")
    point(handshake(server, ann.cookie,
                    f"http://localhost:{server.port}") is not None,
          "a socket from our own origin is not")
    status, _ = ann.request("POST", "/api/export", "{}",
                            {"Origin": "http://evil.example"})
    point(status == 403, "a command from another origin is refused")

    # Messages that are none.
    for bad in (b"", b"{", b"\x00\x01", b'{"do":"hello","do":"x"}',
                b"[" * 5000, b'{"do":"\\ud800"}'):
        s.sendall(frame(bad))
        answer = receive(s)
        if bad and not (answer and answer["error"]["name"] == "message"):
            point(False, f"{bad[:20]!r} was answered with {answer}")
    point(alive(server, s), "malformed messages are answered one by one")

    t = handshake(server)
    t.sendall(frame(b'{"do":"h\xff\xfe"}'))
    answer = receive(t)
    point(answer is None or "error" in answer, "bytes that are not UTF-8")

    t = handshake(server)
    t.sendall(struct.pack("!BBQ", 0x81, 0x80 | 127, 1 << 40) + b"\0\0\0\0")
    try:
        for _ in range(64):
            t.sendall(b"x" * 8192)
    except OSError:
        pass
    point(receive(t) is None, "a frame of a terabyte is cut off")

    t = handshake(server)
    try:
        for _ in range(40):
            t.sendall(frame(b"x" * 8192, opcode=1 if _ == 0 else 0,
                            final=False))
    except OSError:
        pass
    point(receive(t) is None, "fragments without end are cut off")

    t = handshake(server)
    t.sendall(frame(b"{}", masked=False) + os.urandom(200))
    point(receive(t) is None or True, "frames against the protocol")
    point(healthy(server), "healthy after hostile frames")

    # Requests that are too large or never end.
    try:
        status, _ = Client(server).request("POST", "/api/guest",
                                           " " * (200 * 1024))
        point(status == 413, "a body that is too large is refused")
    except OSError:
        point(True, "a body that is too large is cut off")
    loris = []
    for _ in range(300):
        c = connect(server)
        c.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        loris.append(c)
    point(healthy(server), "healthy beside 300 requests that never end")
    for c in loris:
        c.close()
    loris = []
    for _ in range(300):
        c = connect(server)
        c.sendall(b"POST /api/hello HTTP/1.1\r\nHost: localhost\r\n"
                  b"Content-Length: 100\r\n\r\n{")
        loris.append(c)
    point(healthy(server), "healthy beside 300 bodies that never end")
    for c in loris:
        c.close()
    deaf = []
    for _ in range(20):
        c = handshake(server)
        c.setblocking(False)
        try:
            for _ in range(2000):
                c.send(frame(b'{"do":"lobby","id":1}'))
        except BlockingIOError:
            pass
        deaf.append(c)
    point(healthy(server), "healthy beside 20 who ask and never read")
    for c in deaf:
        c.close()
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/" + "y" * 600,
                 "/api/" + "x" * 400):
        status, text = Client(server).request("GET", path)
        if status not in (400, 403, 404, 405, 414) or b"root:" in text:
            point(False, f"{path[:20]} was answered with {status}")
    point(healthy(server), "strange paths")

    # What went wrong, in the reader's language.
    for accepts, words in (("nl-NL,nl;q=0.9,en;q=0.8", "Pagina niet gevonden"),
                           ("sv", "Sidan finns inte"),
                           ("fr,de;q=0.5", "Seite nicht gefunden"),
                           ("fr", "Page not found")):
        status, text = Client(server).request(
            "GET", "/nowhere", headers={"Accept-Language": accepts})
        point(status == 404 and words in text.decode(), words)
    status, text = Client(server).request(
        "PUT", "/", "x", {"Accept-Language": "sv-SE"})
    point(status == 405 and 'lang="sv"' in text.decode(), "another method")

    # Finished games, streamed.
    bob = Client(server)
    for who, name in ((ann, "Ann"), (bob, "Bob")):
        who.call("register", name=name, password="12345678")
    played = []
    for _ in range(30):
        made = ann.call("create", setup="game: nova\nseats: 2\n", rated=True)
        bob.call("join", table=made["table"])
        ann.call("resign", table=made["table"])
        played.append(made["table"])
    status, text = Client(server).request("GET", "/games/nova.txt")
    titles = [line.split()[1] for line in text.decode().splitlines()
              if line.startswith("== ")]
    point(status == 200 and titles == played, "all rated games as text")
    part = text.decode().split("== ")[1].split("\n", 1)[1]
    _, one = ann.request("GET", f"/match/{played[0]}.txt")
    point(one.decode() == part, "one game as text")
    status, none = ann.request("HEAD", f"/match/{played[0]}.txt")
    point(status == 200 and not none, "or only whether it is there")
    running = ann.call("create", setup="game: nova\nseats: 2\n")["table"]
    for path in ("nosuchmatch", running):
        status, text = ann.request("GET", f"/match/{path}.txt")
        point(status == 404 and path.encode() in text, f"no game at {path}")
    replayed = subprocess.run([terra, "replay", "-"], input=one, check=False,
                              capture_output=True)
    point(replayed.returncode == 0, "which replays")
    quitters = []
    for _ in range(20):
        c = connect(server)
        c.sendall(b"GET /games/nova.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
        quitters.append(c)
    for c in quitters:
        c.close()
    point(healthy(server), "healthy after downloads that were given up")
    for _ in range(500):  # until their ends have arrived
        status, text = ann.request("GET", "/games/nova.txt")
        if status != 503:
            break
    point(status == 200 and text.count(b"== ") == 30, "and they go on")

    # Floods: a server with its usual limits.
    server.stop()
    flooded = Server(terra, data, rate=30)
    flooded.start()
    s = handshake(flooded)
    s.sendall(frame(b'{"do":"hello","id":1}') * 1000)
    answers = 0
    while receive(s) is not None:
        answers += 1
    point(answers < 300, "a flood is cut off")
    point(healthy(flooded), "healthy after a flood")
    bob = Client(flooded)
    bob.call("guest", name="Carl")
    refused = 0
    for _ in range(40):
        try:
            bob.call("login", name="Ann", password="wrong password")
        except Refused as error:
            refused += error.name == "flood"
    point(refused >= 3, "guessing passwords is limited")

    point(flooded.stop() == 0, "stops cleanly")
    shutil.rmtree(data)
    shutil.rmtree(server.root)
    shutil.rmtree(flooded.root)
    print(f"1..{len(points)}")
    return 0 if all(points) else 1


sys.exit(main())
