#!/usr/bin/env python3
"""bench/scale.py TERRA [held]: figures of several servers with one database,
or only those of connections that are held.

Starts PostgreSQL of its own (deploy/postgres), one or two servers, and plays
over real WebSockets from one thread.  Prints a table for
bench/results/scaling.md.
"""
import json
import os
import random
import resource
import selectors
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/server"))
from server import Client, Server  # noqa: E402
from sockets import frame, handshake, receive  # noqa: E402

POSTGRES = os.path.join(HERE, "../deploy/postgres")
TERRA = sys.argv[1]
LIVE = 10000
OVER = 100000
HELD = 5000


def figure(name, value):
    print(f"| {name} | {value} |", flush=True)


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def resident(server):
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) for line in lines
                    if line.startswith("VmRSS"))


def servers_start(store, count):
    made = []
    for _ in range(count):
        server = Server(TERRA, "")
        at = server.command.index("--data")
        server.command[at:at + 2] = ["--store", store, "--quiet"]
        server.start()
        made.append(server)
    return made


class Seat:
    """A player with a socket at one table."""

    def __init__(self, server, name):
        self.person = Client(server)
        self.person.call("guest", name=name)
        self.socket = handshake(server, self.person.cookie)
        self.view = None
        self.sent = None

    def ask(self, **fields):
        self.socket.sendall(frame(json.dumps({"id": 1, **fields}).encode()))
        while True:
            answer = receive(self.socket)
            if answer.get("id") == 1:
                return answer["ok"]

    def watch(self, table):
        self.view = self.ask(do="watch", table=table)
        while "status" not in self.view:
            event = receive(self.socket)
            if event.get("event") == "table":
                self.view = event

    def to_act(self):
        return self.view["status"]["seat"] == self.view["viewer"]

    def play(self, table, rng):
        action = rng.choice(self.view["scene"]["actions"])["text"]
        body = {"id": 2, "do": "play", "table": table, "line": action,
                "seq": self.view["seq"], "key": f"k{self.view['seq']}"}
        self.socket.sendall(frame(json.dumps(body).encode()))
        self.sent = time.monotonic()


def sit(servers, name):
    seats = [Seat(servers[i % len(servers)], f"{name}-{i}") for i in range(2)]
    table = seats[0].ask(do="create", setup="game: nova\nseats: 2\n")["table"]
    seats[1].ask(do="join", table=table)
    for seat in seats:
        seat.watch(table)
    return table, seats


def latency(servers, moves):
    """How long until the player on the other server sees it."""
    rng, seen, stored, number = random.Random(1), [], [], 0
    while len(seen) < moves:
        table, seats = sit(servers, f"l{number}")
        number += 1
        while not seats[0].view["status"]["over"] and len(seen) < moves:
            who = 0 if seats[0].to_act() else 1
            seq = seats[who].view["seq"]
            seats[who].play(table, rng)
            for i in (who, 1 - who):
                while seats[i].view["seq"] <= seq:
                    event = receive(seats[i].socket)
                    if event.get("id") == 2:
                        stored.append(time.monotonic() - seats[who].sent)
                    if event.get("event") == "table":
                        seats[i].view = event
            seen.append(time.monotonic() - seats[who].sent)
    return stored, seen


def moves_per_second(servers, tables, seconds):
    """All tables at once; players of a table on one server."""
    rng, selector, count = random.Random(2), selectors.DefaultSelector(), 0
    games = {}
    for i in range(tables):
        server = servers[i % len(servers)]
        table, seats = sit([server], f"m{len(servers)}-{i}")
        for seat in seats:
            games[seat.socket] = (table, seat)
            selector.register(seat.socket, selectors.EVENT_READ)
            if seat.to_act():
                seat.play(table, rng)
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        for key, _ in selector.select(1):
            table, seat = games[key.fileobj]
            event = receive(seat.socket)
            count += event.get("id") == 2
            if event.get("event") == "table":
                seat.view = event
                if seat.to_act() and not event["status"]["over"]:
                    seat.play(table, rng)
    return count / (time.monotonic() - begin)


def many_games(store, servers):
    """Live games with clocks, copied from one that was played a little."""
    rng = random.Random(3)
    table, seats = sit(servers, "many")
    for _ in range(12):
        who = 0 if seats[0].to_act() else 1
        seq = seats[who].view["seq"]
        seats[who].play(table, rng)
        for seat in seats:
            while seat.view["seq"] <= seq:
                event = receive(seat.socket)
                if event.get("event") == "table":
                    seat.view = event
    copy = f"""
        INSERT INTO record SELECT kind, 'live' || i, version,
            replace(text, '"pace":"none"', '"pace":"slow"')
            FROM record, generate_series(1, {LIVE}) AS i
            WHERE kind = 'match' AND key = '{table}';
        INSERT INTO line SELECT 'match:live' || i, sequence, at, text
            FROM line, generate_series(1, {LIVE}) AS i
            WHERE log = 'match:{table}'"""
    subprocess.run(["psql", "-q", store, "-c", copy], check=True)


def many_over(store):
    """As many heads of games that are over."""
    copy = f"""
        INSERT INTO record SELECT kind, 'over' || i, version,
            replace(text, '"status":"running"', '"status":"over"')
            FROM record, generate_series(1, {OVER}) AS i
            WHERE kind = 'match' AND key = 'live1';
        ANALYZE record"""
    subprocess.run(["psql", "-q", store, "-c", copy], check=True)


def start_again(server):
    begin = time.monotonic()
    server.start()
    ready = time.monotonic() - begin
    person = Client(server)
    person.call("watch", table="live77")
    return ready, time.monotonic() - begin


def held(servers, each):
    """Sockets that ask now and then: how many, what they take, how long an
    answer takes then.  The best of both is not enough: the worse counts."""
    before = [resident(server) for server in servers]
    begin = time.monotonic()
    lines = [handshake(server) for _ in range(each) for server in servers]
    opened = time.monotonic() - begin
    for line in lines:
        line.sendall(frame(b'{"id": 1, "do": "lobby"}'))
    answered = sum(receive(line) is not None for line in lines)
    taken = max((resident(server) - b) / each
                for server, b in zip(servers, before))
    waits = []
    for line in lines[::max(1, len(lines) // 500)]:
        begin = time.monotonic()
        line.sendall(frame(b'{"id": 2, "do": "lobby"}'))
        receive(line)
        waits.append(time.monotonic() - begin)
    for line in lines:
        line.close()
    return answered, len(lines) / opened, taken, waits


def held_figures(store):
    for count in (1, 2):
        servers = servers_start(store, count)
        answered, rate, taken, waits = held(servers, HELD // count)
        name = f"{count} process{'es' if count > 1 else ''}"
        figure(f"connections held, {name}", answered)
        figure(f"... opened per second, {name}", f"{rate:.0f}")
        figure(f"... resident per connection, {name}", f"{taken:.1f} KB")
        for share in (0.5, 0.99):
            figure(f"... round trip meanwhile, {100 * share:.0f} of 100",
                   f"{1000 * part(waits, share):.2f} ms")
        for server in servers:
            server.stop()
            shutil.rmtree(server.root)


def figures(store):
    one = servers_start(store, 1)
    empty = resident(one[0])
    alone = moves_per_second(one, 16, 10)
    two = one + servers_start(store, 1)
    both = moves_per_second(two, 16, 10)
    figure("durable moves/s, 16 tables, one process", f"{alone:.0f}")
    figure("durable moves/s, 16 tables, two processes", f"{both:.0f}")
    figure("ratio", f"{both / alone:.2f}")
    stored, seen = latency(two, 300)
    for name, values in (("move acknowledged", stored),
                         ("seen by a player on the other server", seen)):
        figure(f"{name}, median", f"{1000 * part(values, 0.5):.1f} ms")
        figure(f"{name}, 99 of 100", f"{1000 * part(values, 0.99):.1f} ms")
    many_games(store, two)
    two[0].stop()
    ready, answered = start_again(two[0])
    full = resident(two[0])
    figure(f"restart with {LIVE} live games, until it accepts",
           f"{ready:.2f} s")
    figure("... until one of them is shown", f"{answered:.2f} s")
    figure("resident per live game that nobody looks at",
           f"{(full - empty) / LIVE:.2f} KB")
    many_over(store)
    two[0].stop()
    ready, answered = start_again(two[0])
    figure(f"... and {OVER} that are over, until it accepts", f"{ready:.2f} s")
    figure("... until one is shown", f"{answered:.2f} s")
    for server in two:
        server.stop()
        shutil.rmtree(server.root)


def main():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    folder = tempfile.mkdtemp()
    store = subprocess.run([POSTGRES, "start", folder], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.strip()
    try:
        print("| figure | measured |\n|---|---|")
        if sys.argv[2:] != ["held"]:
            figures(store)
        held_figures(store)
    finally:
        subprocess.run([POSTGRES, "stop", folder], check=True)
        shutil.rmtree(folder)


main()
