"""tests/server/sockets.py: WebSockets byte by byte, also wrong ones."""
import base64
import json
import os
import socket
import struct


class Port:
    """A server of which only this is known."""

    def __init__(self, port):
        self.port = port


def connect(server):
    return socket.create_connection(("localhost", server.port), timeout=60)


def handshake(server, cookie=None, origin=None, s=None):
    """A raw WebSocket over `s` or a new connection; None if refused."""
    s = s or connect(server)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = ["GET /socket HTTP/1.1", f"Host: localhost:{server.port}",
             "Upgrade: websocket", "Connection: Upgrade",
             f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    if cookie:
        lines.append(f"Cookie: {cookie}")
    if origin:
        lines.append(f"Origin: {origin}")
    s.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = b""
    while b"\r\n\r\n" not in head:
        more = s.recv(1)
        if not more:
            return None
        head += more
    return s if b" 101 " in head.split(b"\r\n")[0] else None


def frame(payload, opcode=1, final=True, masked=True):
    first = (0x80 if final else 0) | opcode
    bit = 0x80 if masked else 0
    if len(payload) < 126:
        head = struct.pack("!BB", first, bit | len(payload))
    elif len(payload) < 65536:
        head = struct.pack("!BBH", first, bit | 126, len(payload))
    else:
        head = struct.pack("!BBQ", first, bit | 127, len(payload))
    return head + (b"\0\0\0\0" if masked else b"") + payload


def exactly(s, count):
    data = b""
    while len(data) < count:
        more = s.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def receive(s):
    """The next text message; None if the connection is closed."""
    try:
        while True:
            first, length = exactly(s, 2)
            length &= 127
            if length == 126:
                length = struct.unpack("!H", exactly(s, 2))[0]
            elif length == 127:
                length = struct.unpack("!Q", exactly(s, 8))[0]
            payload = exactly(s, length)
            if first & 15 == 8:
                return None
            if first & 15 == 9:  # an unanswered ping ends the connection
                s.sendall(frame(payload, opcode=10))
            if first & 15 == 1:
                return json.loads(payload)
    except (EOFError, OSError):
        return None
