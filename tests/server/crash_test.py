#!/usr/bin/env python3
"""tests/server/crash_test.py TERRA [ROUNDS]: nothing acknowledged is lost.

A real server is killed with SIGKILL at a random moment while people play, and
started again; every play that was answered with "ok" must be there, in its
place, and at the end the file must be whole.  Speaks TAP.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from server import Client, Refused, Server  # noqa: E402

TERRA = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else int(
    {"quick": 10, "long": 300}.get(os.environ.get("TERRA_TEST", ""), 100))
TABLES = 3


class Pair:
    """Two people at one table after another, and what they were promised."""

    def __init__(self, server, number):
        self.people = [Client(server) for _ in range(2)]
        self.number = number
        self.table = None
        self.promised = {}  # by table: {step: text}
        self.plays = 0
        self.made = False

    def prepare(self):
        """A crash may come in between: whatever was not answered is asked
        again."""
        if not self.made:
            for i, person in enumerate(self.people):
                if not person.cookie:
                    name = f"p{self.number}-{i}-{random.randrange(10**9)}"
                    person.call("guest", name=name)
            self.made = True
        if self.table is None:
            opened = self.people[0].call(
                "create", setup="game: nova\nseats: 2\n")
            self.people[1].call("join", table=opened["table"])
            self.table = opened["table"]
            self.promised[self.table] = {}

    def play_one(self):
        views = [p.call("watch", table=self.table) for p in self.people]
        status = views[0]["status"]
        if status["over"]:
            self.table = None
            self.prepare()
            return
        who = [v["viewer"] for v in views].index(status["seat"])
        action = random.choice(views[who]["scene"]["actions"])["text"]
        self.plays += 1
        self.people[who].call(
            "play", table=self.table, line=action, seq=views[who]["seq"],
            key=f"k{self.plays}_{random.randrange(10**9)}")
        self.promised[self.table][status["count"]] = action

    def run(self, stop):
        try:
            self.prepare()
            while not stop.is_set():
                self.play_one()
        except (OSError, ValueError, Refused) as trouble:
            if isinstance(trouble, Refused) and trouble.name not in (
                    "restarting", "stale", "turn"):
                self.trouble = trouble
        except Exception as trouble:  # http.client's own
            if type(trouble).__module__ != "http.client":
                self.trouble = trouble

    trouble = None

    def verify(self, tables):
        lost = []
        for table in tables:
            log = self.people[0].call("watch", table=table)["log"]
            for step, text in self.promised[table].items():
                there = log[step]["text"] if step < len(log) else None
                if there != text:
                    lost.append((table, step, text, there))
        return lost


def main():
    data = tempfile.mkdtemp()
    server = Server(TERRA, data)
    pairs = [Pair(server, i) for i in range(TABLES)]
    lost, troubles = [], []
    rng = random.Random(1)
    for round_number in range(ROUNDS):
        server.start()
        for pair in pairs:
            for person in pair.people:
                person.forget_connection()
            if pair.table:
                lost += pair.verify([pair.table])
            for person in pair.people:
                person.forget_connection()
        stop = threading.Event()
        threads = [threading.Thread(target=p.run, args=(stop,)) for p in pairs]
        for thread in threads:
            thread.start()
        time.sleep(rng.uniform(0.0, 0.35))  # the moment is chance, not a wait
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        troubles += [p.trouble for p in pairs if p.trouble]
    server.start()
    for pair in pairs:
        for person in pair.people:
            person.forget_connection()
        lost += pair.verify(list(pair.promised))
    status = server.stop()
    check = subprocess.run([TERRA, "admin", "--data", data, "check"],
                           capture_output=True, text=True)
    plays = sum(len(t) for p in pairs for t in p.promised.values())
    shutil.rmtree(data)
    shutil.rmtree(server.root)
    print("1..4")

    def point(good, number, text):
        print(f"{'ok' if good else 'not ok'} {number} - {text}")
        return good

    good = [
        point(plays > ROUNDS // 4, 1, f"{plays} plays acknowledged in {ROUNDS} "
                                 "rounds of kill -9"),
        point(not lost, 2, f"none lost {lost[:3]}"),
        point(not troubles, 3, f"no other trouble {troubles[:3]}"),
        point(status == 0 and check.returncode == 0, 4,
              f"stops cleanly, whole file {check.stderr.strip()}"),
    ]
    return 0 if all(good) else 1


sys.exit(main())
