#!/usr/bin/env python3
"""tests/server/cluster_test.py TERRA: several servers, and what can happen.

Starts deploy/cluster exactly as it is, lets people play through it, and kills,
cuts off, slows down and restarts its parts one after another.  Everybody who got
no answer asks again; in the end every acknowledged play must be there once, in
its place, and the same on both servers; every stored match must replay.  Speaks
TAP.
"""
import json
import os
import re
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from cluster import (SERVERS, Cluster, Pair, Person, doubled,  # noqa: E402
                     faults, out_of_time)
from server import Client, Refused, Server  # noqa: E402
from sockets import Port, frame, handshake, receive  # noqa: E402

PAIRS = 3
points = []


def point(good, text):
    points.append(bool(good))
    print(f"{'ok' if good else 'not ok'} {len(points)} - {text}", flush=True)


def ask(s, **fields):
    s.sendall(frame(json.dumps({"id": 7, **fields}).encode()))
    while True:
        answer = receive(s)
        if answer is None or answer.get("id") == 7:
            return answer


def event(s, kind, good):
    while True:
        e = receive(s)
        if e is None or (e.get("event") == kind and good(e)):
            return e


def across(cluster):
    """Two players and a spectator, on different servers."""
    people = [Person(cluster) for _ in range(3)]
    for i, person in enumerate(people):
        person.insist("guest", name=f"across {i}")
    made = people[0].insist("create", setup="game: nova\nseats: 2\n")["table"]
    people[1].insist("join", table=made)
    ports = [cluster.port(SERVERS[i % 2]) for i in range(3)]
    sockets = [handshake(Port(port), p.cookie)
               for port, p in zip(ports, people)]
    views = []
    for s in sockets:
        view = ask(s, do="watch", table=made)["ok"]
        if "status" not in view:
            view = event(s, "table", lambda e: "status" in e)
        views.append(view)
    point([v["viewer"] for v in views][2] == -1 and
          {v["viewer"] for v in views[:2]} == {0, 1},
          "a session of one server counts on the other")
    who = [v["viewer"] for v in views].index(views[0]["status"]["seat"])
    seq = views[who]["seq"]
    played = ask(sockets[who], do="play", table=made, seq=seq, key="k",
                 line=views[who]["scene"]["actions"][0]["text"])
    heard = [event(s, "table", lambda e: e["seq"] > seq)
             for i, s in enumerate(sockets) if i != who]
    point(played["ok"]["seq"] == seq + 1 and
          all(e["seq"] == seq + 1 for e in heard),
          "a move reaches players and spectators of the other server")
    ask(sockets[0], do="chat", table=made, text="hello there")
    said = event(sockets[1], "chat", lambda e: True)
    point(said["text"] == "hello there", "and what is said")
    for s in sockets:
        s.close()


def with_bot(person, turns):
    """Plays against a bot; every turn of it takes a worker.  The table, or
    None if it takes too long."""
    table = person.insist("create", setup="game: nova\nseats: 2\n",
                          bots=["random"])["table"]
    played = 0
    end = time.monotonic() + 150
    while played < turns and time.monotonic() < end:
        view = person.insist("watch", table=table)
        if "status" not in view or view["status"]["seat"] != view["viewer"]:
            time.sleep(0.02)
            continue
        try:
            person.insist("play", table=table, seq=view["seq"],
                          key=f"b{played}",
                          line=view["scene"]["actions"][0]["text"])
            played += 1
        except Refused as refused:  # the view came from the slower server
            if refused.name not in ("stale", "turn"):
                raise
    return table if played == turns else None


def judged(cluster, person):
    """A finished game is judged step by step, also when a worker is killed."""
    table = with_bot(person, 3)
    try:
        person.insist("analyse", table=table)
        point(False, "of a game in play nobody learns anything")
    except Refused as refused:
        point(refused.name == "state",
              "of a game in play nobody learns anything")
    person.insist("resign", table=table)
    asked(person, table)
    cluster.do("kill", "worker-2")
    end = time.monotonic() + 150
    answers = []
    for name in SERVERS:
        person.direct = name
        answer = asked(person, table)
        while (len(answer["judged"]) < answer["steps"]
               and time.monotonic() < end):
            time.sleep(0.2)
            answer = asked(person, table)
        answers.append(answer)
    person.direct = None
    cluster.do("restart", "worker-2")
    whole = [a for a in answers if len(a["judged"]) == a["steps"] > 3]
    point(len(whole) == 2 and whole[0] == whole[1]
          and all("best" in j for j in whole[0]["judged"][:3]),
          f"workers judge a finished game {[len(a['judged']) for a in answers]}")


def asked(person, table):
    """Until the server knows that it is over."""
    end = time.monotonic() + 60
    while True:
        try:
            return person.insist("analyse", table=table)
        except Refused as refused:
            if refused.name != "state" or time.monotonic() > end:
                raise
        time.sleep(0.02)


def server_of(cluster, place, rate=0):
    """One more of a database."""
    server = Server(cluster.terra, "", rate=rate)
    at = server.command.index("--data")
    server.command[at:at + 2] = ["--store", place]
    server.start()
    return server


def guessing_at_two(cluster):
    """Codes over WebSockets at two servers with limits: the database counts
    for both, ten at once and then one in six seconds."""
    servers = [server_of(cluster, cluster.store(), 30) for _ in range(2)]
    sockets = [handshake(server) for server in servers]
    begin = time.monotonic()
    names = [ask(sockets[i % 2], do="recover", name="nobody", code="wrongcode",
                 password="12345678")["error"]["name"] for i in range(24)]
    most = 11 + (time.monotonic() - begin) / 6
    point(10 <= names.count("password") <= most and "flood" in names,
          f"two servers count guesses together {names.count('password')}")
    for s, server in zip(sockets, servers):
        s.close()
        server.stop()


def guessing(cluster):
    """Passwords through nginx, whose servers set no limit of their own."""
    person, names = Person(cluster), []
    for _ in range(30):
        try:
            person.call("login", name="nobody", password="short")
        except Refused as refused:
            names.append(refused.name)
    point(names[:11] == ["field"] * 11 and "flood" in names,
          f"nginx counts guesses for all servers {names.count('flood')}")


def games_of(folder):
    """The games of a series without their times, in an order of their own."""
    with open(os.path.join(folder, "results.jsonl"), encoding="utf-8") as out:
        lines = out.read().splitlines()[1:]
    return sorted(re.sub(r",[0-9.]*\]", "]", line) for line in lines)


def series(cluster):
    """One series of games, played alone and by two through the database."""
    folders = [os.path.join(cluster.folder, f"series-{i}") for i in range(3)]
    runs = []
    for i, folder in enumerate(folders):
        jobs = ["--jobs", cluster.store()] if i else []
        runs.append(subprocess.Popen(
            [cluster.terra, "arena", "nova", "--seats", "novice,random",
             "--option", "board=islet", "--option", "setup=random",
             "--games", "6", "--out", folder, *jobs],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
    said = [run.communicate()[0] for run in runs]
    games = [games_of(folder) for folder in folders]
    point(all(run.returncode == 0 for run in runs) and len(games[0]) == 6
          and games[0] == games[1] == games[2] and said[1] == said[2],
          "a series is the same, played alone or by two together")


def go_on(pairs):
    """Everybody makes two more plays."""
    before = [p.plays for p in pairs]
    end = time.monotonic() + 60
    while (any(p.plays < b + 2 for p, b in zip(pairs, before))
           and time.monotonic() < end
           and not any(p.trouble for p in pairs)):
        time.sleep(0.02)
    return all(p.plays >= b + 2 for p, b in zip(pairs, before))


def full_disk(cluster, pairs):
    if not cluster.disk:
        print("# skipped: a full disk, only root can have a small one")
        return

    def refused():
        return sum(person.refused for p in pairs for person in p.people)

    before, end = refused(), time.monotonic() + 60
    cluster.fill_disk()
    while (refused() == before and time.monotonic() < end
           and not any(p.trouble for p in pairs)):
        time.sleep(0.02)
    point(refused() > before, "on a full disk a play is refused")
    cluster.free_disk()


def restore(cluster, pair):
    """From a copy into an empty database, and on from there."""
    copy = os.path.join(cluster.folder, "copy.db")
    saved = cluster.admin("backup", copy)
    point(saved.returncode == 0, f"copied to a file {saved.stderr.strip()}")
    cluster.sql("CREATE DATABASE restored")
    place = cluster.store().replace("/postgres?", "/restored?")
    moved = cluster.admin("migrate", "--from", f"sqlite:{copy}", "--to", place)
    point(moved.returncode == 0 and "compared" in moved.stdout,
          f"and into an empty database {moved.stderr.strip()}")
    goes_on(server_of(cluster, place), pair, "a server goes on from there")
    check = cluster.admin("check", store=place)
    point(check.returncode == 0, f"all replay there: {check.stdout.strip()}"
                                 f"{check.stderr.strip()}")
    back = os.path.join(cluster.folder, "back")
    os.mkdir(back)
    moved = cluster.admin("migrate", "--from", place, "--to",
                          f"sqlite:{back}/terra.db")
    point(moved.returncode == 0 and "compared" in moved.stdout,
          f"and back into a file {moved.stderr.strip()}")
    server = Server(cluster.terra, back)
    server.start()
    goes_on(server, pair, "a single server goes on from that")


def goes_on(server, pair, text):
    """It knows all games of the pair, and that they are signed in."""
    person = Client(server)
    person.cookie = pair.people[0].cookie
    same = all(told(person, table) == pair.histories(table)[0]
               for table in pair.promised)
    made = person.call("create", setup="game: nova\nseats: 2\n",
                       bots=["random"])
    point(same and "seq" in made, text)
    server.stop()


def told(person, table):
    view = person.call("watch", table=table)
    return [step.get("text") for step in view.get("log", [])]


def play(cluster):
    cluster.small_disk()
    cluster.can_jump()
    point("ready" in cluster.do("start"), "deploy/cluster starts")
    across(cluster)
    player = Person(cluster)
    player.insist("guest", name="player of bots")
    point(with_bot(player, 3), "workers think for the servers")
    cluster.do("kill", "worker-1")
    point(with_bot(player, 3), "also when one of them was killed")
    cluster.do("restart", "worker-1")
    guessing(cluster)
    guessing_at_two(cluster)
    judged(cluster, player)
    series(cluster)
    pairs = [Pair(cluster, i) for i in range(PAIRS)]
    stop = threading.Event()
    threads = [threading.Thread(target=p.run, args=(stop,)) for p in pairs]
    for thread in threads:
        thread.start()
    for name, happen in faults(cluster):
        happen()
        point(go_on(pairs), f"games go on after {name}")
    full_disk(cluster, pairs)
    point(go_on(pairs), "games go on in the end")
    stop.set()
    for thread in threads:
        thread.join()
    troubles = [repr(p.trouble) for p in pairs if p.trouble]
    point(not troubles, f"nobody was refused what was theirs {troubles}")
    lost = [wrong for p in pairs for wrong in p.lost()]
    plays = sum(len(t) for p in pairs for t in p.promised.values())
    point(plays > 10 and not lost,
          f"{plays} acknowledged plays are there, on both servers {lost[:3]}")
    twice = [key for p in pairs for t in p.promised
             for key in doubled(cluster, t)]
    point(not twice, f"none of them twice {twice[:3]}")
    late = [t for p in pairs for t in p.promised if out_of_time(cluster, t)]
    point(not late, f"nobody's clock ran out {late}")
    check = cluster.admin("check")
    point(check.returncode == 0, f"all replay: {check.stdout.strip()}"
                                 f"{check.stderr.strip()}")
    restore(cluster, pairs[0])


def main():
    cluster = Cluster(sys.argv[1])
    try:
        play(cluster)
    finally:  # a test that fails leaves nothing running
        if sys.exc_info()[0] or not all(points):
            cluster.tell_logs()
        cluster.end()
    print(f"1..{len(points)}")
    return 0 if all(points) else 1


sys.exit(main())
