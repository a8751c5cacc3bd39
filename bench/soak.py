#!/usr/bin/env python3
"""bench/soak.py TERRA [MINUTES [MOVES [WARM]]]: does anything grow with time?

Starts deploy/cluster (two servers, PostgreSQL, nginx, two workers) and lets
people come and go: games begin and end, some against bots, sockets are closed
or simply dropped and opened again at the other server, guests appear, sign out
and do not come back.  MOVES in a second.  Every five seconds all sockets are
there and it reads memory and descriptors of each process, of which it makes a
mean for each minute.  Tables begin at different stages of a game, as they are
after some minutes anyway.

First comes a warm-up of WARM minutes (10): a process that begins empty has not
yet had its longest games and messages.  For the MINUTES (30) after it the end
tells the mean of each sixth, how the last differs from the first, and how much a
straight line through all minutes grows from end to end.  Ends by itself.
"""
import json
import os
import random
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/server"))
from cluster import SERVERS, Cluster, Person, size  # noqa: E402
from sockets import Port, frame, handshake, receive  # noqa: E402

TABLES = 12
PEOPLE = 40
APART = 10  # moves between two tables; a game has some 120
NOVA = "game: nova\nseats: 2\n"


class Guest:
    """A person with a socket at one of the two servers, while at a table."""

    def __init__(self, cluster, name):
        self.cluster, self.side = cluster, 0
        self.person = Person(cluster)
        self.person.insist("guest", name=name)
        self.socket, self.view = None, None

    def ask(self, **fields):
        self.socket.sendall(frame(json.dumps({"id": 1, **fields}).encode()))
        while True:
            heard = receive(self.socket)
            if heard is None:
                raise RuntimeError(f"cut off while asking {fields}")
            if heard.get("event") == "table":
                self.view = heard
            if heard.get("id") == 1:
                return heard

    def come(self, table, side):
        self.side = side
        self.socket = handshake(Port(self.cluster.port(SERVERS[side])),
                                self.person.cookie)
        self.view = self.ask(do="watch", table=table)["ok"]
        self.hear(lambda view: "status" in view)

    def hear(self, good):
        while not good(self.view):
            heard = receive(self.socket)
            if heard is None:
                raise RuntimeError("cut off while listening")
            if heard.get("event") == "table":
                self.view = heard

    def go(self, rng):
        """Says goodbye, or not."""
        if rng.random() < 0.5:
            self.socket.sendall(frame(b"\x03\xe8", opcode=8))
            self.socket.settimeout(10)
            receive(self.socket)
        elif rng.random() < 0.5:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   b"\1\0\0\0\0\0\0\0")
        self.socket.close()
        self.socket = None

    def to_act(self):
        return self.view["status"]["seat"] == self.view["viewer"]


class Table:
    """Two players, or one and a bot, and somebody who looks on.  The second
    and third are always at different servers, so each has as many."""

    def __init__(self, number, people, bot):
        self.people, self.bot = people, bot
        first = people[0].person
        self.id = first.insist("create", setup=NOVA,
                               bots=["random"] if bot else [])["table"]
        if not bot:
            people[1].person.insist("join", table=self.id)
        for i, guest in enumerate(people):
            guest.come(self.id, (number + i) % 2)

    def over(self):
        return self.people[0].view["status"]["over"]

    def play(self, rng):
        players = self.people[:1] if self.bot else self.people[:2]
        seat = [p for p in players if p.to_act()]
        if not seat:
            players[0].hear(lambda v: v["status"]["over"] or
                            v["status"]["seat"] == v["viewer"])
            return
        seq = seat[0].view["seq"]
        action = rng.choice(seat[0].view["scene"]["actions"])["text"]
        answer = seat[0].ask(do="play", table=self.id, line=action, seq=seq,
                             key=f"k{seq}")
        if "error" in answer and answer["error"]["name"] != "stale":
            raise RuntimeError(answer)
        for guest in self.people:
            guest.hear(lambda view: view["seq"] > seq)

    def change_servers(self, rng):
        """Two of them at different servers lose their sockets."""
        pair = [self.people[0], self.people[1]]
        for guest in pair:
            guest.go(rng)
        for guest in pair:
            guest.come(self.id, 1 - guest.side)

    def leave(self, rng):
        for guest in self.people:
            guest.go(rng)


class Soak:
    def __init__(self, cluster, rng):
        self.cluster, self.rng = cluster, rng
        self.idle = [Guest(cluster, f"p{i}") for i in range(PEOPLE)]
        self.made, self.guests, self.moves, self.changes = 0, PEOPLE, 0, 0
        self.tables = [self.sit_down(i) for i in range(TABLES)]
        for i, table in enumerate(self.tables):
            for _ in range(APART * i):
                if not table.over():
                    table.play(rng)

    def sit_down(self, number):
        self.made += 1
        people = [self.idle.pop(self.rng.randrange(len(self.idle)))
                  for _ in range(3)]
        return Table(number, people, number % 4 == 3)

    def stand_up(self, number):
        """And one of them signs out for ever; somebody new appears."""
        table = self.tables[number]
        table.leave(self.rng)
        self.idle += table.people[1:]
        table.people[0].person.insist("logout")
        self.idle.append(Guest(self.cluster, f"g{self.guests}"))
        self.guests += 1
        self.tables[number] = self.sit_down(number)

    def step(self):
        number = self.moves % TABLES
        table = self.tables[number]
        table.play(self.rng)
        self.moves += 1
        if table.over():
            self.stand_up(number)
        elif self.rng.random() < 0.1:
            table.change_servers(self.rng)
            self.changes += 2

    def catch_up(self):
        """Those who were told of moves of others meanwhile."""
        for table in self.tables:
            for guest in table.people:
                guest.ask(do="lobby")


WHAT = ("KB resident", "KB its share", "KB private", "descriptors")


def reading(pid):
    """As WHAT says; its share: a page of a program file that others have in
    memory too is theirs as well."""
    kilobytes = {}
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as rollup:
        for line in rollup.readlines()[1:]:
            kilobytes[line.split(":")[0]] = int(line.split()[1])
    return (kilobytes["Rss"], kilobytes["Pss"],
            kilobytes["Private_Clean"] + kilobytes["Private_Dirty"],
            size(pid)[1])


def sample(pids):
    return {name: reading(pid) for name, pid in pids.items()}


def middle(readings):
    """Of a minute: mean memory, most descriptors."""
    return {name: (*(mean(readings, name, which) for which in range(3)),
                   max(r[name][3] for r in readings)) for name in readings[0]}


def run(cluster, soak, minutes, rate):
    begin = time.monotonic()
    samples, readings, wanted = [], [], begin
    pids = cluster.pids()
    while len(samples) < minutes:
        soak.step()
        wanted += 1 / rate
        time.sleep(max(0, wanted - time.monotonic()))
        passed = time.monotonic() - begin - 60 * len(samples)
        if passed >= 5 * (len(readings) + 1):
            soak.catch_up()
            readings.append(sample(pids))
        if passed >= 60:
            samples.append(middle(readings))
            readings = []
            print(len(samples), soak.made, soak.moves, soak.changes,
                  soak.guests, " ".join(
                      f"{name} {rss:.0f} {pss:.0f} {own:.0f} KB {fds}"
                      for name, (rss, pss, own, fds) in
                      samples[-1].items()), flush=True)
    return samples


def mean(samples, name, which):
    return sum(s[name][which] for s in samples) / len(samples)


def line(values):
    """How much a straight line through them grows from end to end, in per
    cent of its beginning."""
    count = len(values)
    middle_x, middle_y = (count - 1) / 2, sum(values) / count
    slope = (sum((x - middle_x) * y for x, y in enumerate(values)) /
             sum((x - middle_x) ** 2 for x in range(count)))
    return 100 * slope * (count - 1) / (middle_y - slope * middle_x)


def report(samples):
    """The means of each sixth of the time, and both kinds of drift."""
    sixth = len(samples) // 6
    parts = [samples[i * sixth:(i + 1) * sixth] for i in range(6)]
    print("| process | | 1 | 2 | 3 | 4 | 5 | 6 | last to first | line |\n" +
          "|---" * 10 + "|")
    for name in samples[-1]:
        for which, what in enumerate(WHAT):
            means = [mean(part, name, which) for part in parts]
            drift = 100 * (means[5] - means[0]) / means[0]
            cells = " | ".join(f"{m:.0f}" for m in means)
            grown = line([s[name][which] for s in samples])
            print(f"| {name} | {what} | {cells} | {drift:+.2f} % |"
                  f" {grown:+.2f} % |")


def main():
    minutes = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    rate = float(sys.argv[3]) if len(sys.argv) > 3 else 8
    warm = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    cluster = Cluster(sys.argv[1])
    cluster.env.pop("STORE_2")  # straight to the database
    try:
        cluster.do("start")
        soak = Soak(cluster, random.Random(1))
        samples = run(cluster, soak, warm + minutes, rate)
        if minutes >= 6:
            report(samples[warm:])
        print(f"{soak.made} games, {soak.moves} moves, {soak.changes} sockets "
              f"opened anew, {soak.guests} guests")
        print(cluster.admin("check").stdout.strip())
    finally:
        cluster.end()


main()
