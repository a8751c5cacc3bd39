"""tests/server/cluster.py: deploy/cluster, people who play through it, and what
they were promised.  For tests/server/cluster_test.py and bench/faults.py."""
import http.client
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from server import Client, Refused

CLUSTER = os.path.join(os.path.dirname(__file__), "../../deploy/cluster")
SERVERS = ("server-1", "server-2")


class Cluster:
    """All parts on this machine, their files in a folder of their own."""

    def __init__(self, terra):
        self.folder = tempfile.mkdtemp()
        self.root = tempfile.mkdtemp()
        self.terra = os.path.abspath(terra)
        self.disk = None  # where small_disk() was mounted
        with open(os.path.join(self.root, "index.html"), "w",
                  encoding="utf-8") as page:
            page.write("<!doctype html><title>test</title>")
        self.cut = Cut(os.path.join(self.folder, "socket/.s.PGSQL.5432"))
        self.env = {**os.environ, "TERRA": self.terra,
                    "STORE_2": self.cut.address,
                    "OPTIONS": f"--rate 0 --root {self.root}"}
        self.jumps = None  # where jumps of clocks are told

    def can_jump(self):
        """Before the start: clocks can jump, see tests/server/jump.c."""
        module = os.path.join(os.path.dirname(self.terra),
                              "tests/server/jump.so")
        if os.path.exists(module):
            self.jumps = os.path.join(self.folder, "jumps")
            os.mkdir(self.jumps)
            self.env |= {"LD_PRELOAD": module, "TERRA_JUMPS": self.jumps}

    def jump(self, name, seconds):
        """From now on that server's time of day is another one; 0: no more."""
        pid = self.pids()[name]
        told = os.path.join(self.jumps, str(pid))
        with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
            if "jump.so" not in maps.read():
                raise RuntimeError("its clock cannot jump")
        if seconds:
            with open(told + ".new", "w", encoding="utf-8") as out:
                out.write(str(seconds))
            os.rename(told + ".new", told)
        else:
            os.unlink(told)

    def do(self, what, *more):
        done = subprocess.run([CLUSTER, what, self.folder, *more],
                              env=self.env, check=False, text=True,
                              stdout=subprocess.PIPE)
        if done.returncode:
            raise RuntimeError(f"deploy/cluster {what} {more} failed")
        return done.stdout

    def pids(self):
        return {name: int(pid) for name, pid in
                (line.split() for line in self.do("status").splitlines())
                if pid != "-"}

    def port(self, name):
        with open(os.path.join(self.folder, f"{name}.out"),
                  encoding="utf-8") as out:
            return int(out.read().rsplit(":", 1)[1].strip().rstrip("/"))

    def store(self):
        return f"postgresql://terra@/postgres?host={self.folder}/socket"

    def admin(self, *words, store=None):
        return subprocess.run([self.terra, "admin", "--store",
                               store or self.store(), *words],
                              capture_output=True, text=True, check=False)

    def small_disk(self):
        """The database on a disk of its own; only root can have that."""
        self.disk = os.path.join(self.folder, "postgres")
        os.mkdir(self.disk)
        mounted = os.getuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=192m", "tmpfs", self.disk],
            check=False, stderr=subprocess.DEVNULL).returncode == 0
        if not mounted:
            self.disk = None
        return mounted

    def sql(self, command, *more):
        subprocess.run(["psql", "-q", "-o", os.devnull, self.store(), "-c",
                        command, *more], check=True)

    def fill_disk(self):
        """All of it but the piece of the journal that is written now: when
        that is full too PostgreSQL stops, and is started by hand."""
        self.sql("SELECT pg_switch_wal()")
        with open(os.path.join(self.disk, "ballast"), "wb",
                  buffering=0) as ballast:
            try:
                while True:
                    ballast.write(b"x" * 4096)
            except OSError:
                pass

    def free_disk(self):
        os.unlink(os.path.join(self.disk, "ballast"))

    def tell_logs(self):
        """What the servers had to say, for whoever looks into a failure."""
        for name in SERVERS:
            with open(os.path.join(self.folder, f"{name}.log"),
                      encoding="utf-8") as log:
                for line in log.read().splitlines()[-40:]:
                    print(f"# {name}: {line}")

    def end(self):
        self.do("stop")
        self.cut.close()
        if self.disk:
            subprocess.run(["umount", self.disk], check=True)
        shutil.rmtree(self.folder)
        shutil.rmtree(self.root)


class Cut:
    """Stands between a server and its database: lets through, delays, holds
    back or cuts off."""

    def __init__(self, behind):
        self.behind = behind
        self.folder = tempfile.mkdtemp()
        self.address = f"postgresql://terra@/postgres?host={self.folder}"
        self.delay, self.held, self.refused = 0, False, False
        self.pairs = []
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(os.path.join(self.folder, ".s.PGSQL.5432"))
        self.listening.listen(50)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                if self.refused:
                    raise OSError
                far.connect(self.behind)
            except OSError:
                near.close()
                continue
            self.pairs.append((near, far))
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(a, b),
                                 daemon=True).start()

    def carry(self, a, b):
        try:
            while True:
                data = a.recv(65536)
                while self.held:
                    time.sleep(0.01)
                time.sleep(self.delay)
                if not data:
                    break
                b.sendall(data)
        except OSError:
            pass
        for s in (a, b):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut_off(self):
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for s in pair:
                try:
                    s.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.listening.close()
        shutil.rmtree(self.folder)


class Person(Client):
    """Comes through nginx, or to one server, each time anew: any of them must
    do.  What gets no answer is asked again."""

    def __init__(self, cluster):
        super().__init__(None)
        self.cluster = cluster
        self.direct = None  # the name of a server
        self.refused = 0    # times the store could not

    def request(self, method, path, body=None, headers=None):
        if self.direct:
            self.connection = http.client.HTTPConnection(
                "localhost", self.cluster.port(self.direct), timeout=60)
        else:
            self.connection = http.client.HTTPConnection("localhost",
                                                         timeout=60)
            self.connection.sock = socket.socket(socket.AF_UNIX)
            self.connection.sock.settimeout(60)
            self.connection.sock.connect(
                os.path.join(self.cluster.folder, "web"))
        try:
            return super().request(method, path, body,
                                   {**(headers or {}), "Connection": "close"})
        finally:
            self.forget_connection()

    def insist(self, command, patience=90, **fields):
        """Until it is answered with yes, or with a no that is final."""
        end = time.monotonic() + patience
        while True:
            try:
                return self.call(command, **fields)
            except Refused as refused:
                # All people are one address to nginx, which may have enough.
                if refused.name not in ("store", "restarting", "busy",
                                        "flood"):
                    raise
                self.refused += refused.name == "store"
                trouble = refused
            except (OSError, ValueError, http.client.HTTPException) as broken:
                trouble = broken  # nginx says 502 in its own words
            if time.monotonic() > end:
                raise RuntimeError(f"{command}: {trouble!r}")
            time.sleep(0.02)


class Pair:
    """Two people at one table after another, and what they were promised."""

    def __init__(self, cluster, number):
        self.people = [Person(cluster) for _ in range(2)]
        self.number = number
        self.table, self.trouble = None, None
        self.promised = {}  # by table: {step: text}
        self.tried = 0
        self.plays = 0  # that were acknowledged
        for i, person in enumerate(self.people):
            person.insist("guest", name=f"p{number}-{i}")

    def sit_down(self):
        made = self.people[0].insist("create", setup="game: nova\nseats: 2\n",
                                     pace="move", base=1200, timeout="resign")
        try:
            self.people[1].insist("join", table=made["table"])
        except Refused as refused:  # the first answer may have been lost
            if refused.name != "state":
                raise
        self.table = made["table"]
        self.promised[self.table] = {}

    def play_one(self, rng):
        if self.table is None:
            self.sit_down()
        views = [p.insist("watch", table=self.table) for p in self.people]
        if "status" not in views[0] or "status" not in views[1]:
            return  # a server has not heard of the beginning yet
        status = max((v["status"] for v in views), key=lambda s: s["count"])
        if status["over"]:
            self.table = None
            return
        who = [v["viewer"] for v in views].index(status["seat"])
        view = views[who]
        if view["status"]["count"] != status["count"]:
            return
        action = rng.choice(view["scene"]["actions"])["text"]
        self.tried += 1
        try:
            self.people[who].insist("play", table=self.table, line=action,
                                    seq=view["seq"], key=f"k{self.tried}")
        except Refused as refused:
            # Both views may be old: the game has gone on, or has ended.
            if refused.name not in ("stale", "turn", "state"):
                raise
            return
        self.promised[self.table][status["count"]] = action
        self.plays += 1

    def run(self, stop):
        rng = random.Random(self.number)
        try:
            while not stop.is_set():
                self.play_one(rng)
        except Exception as trouble:  # pylint: disable=broad-except
            self.trouble = trouble

    def histories(self, table):
        """The match as each server tells it."""
        logs = []
        for name in SERVERS:
            self.people[0].direct = name  # must not be told less
            view = self.people[0].insist("watch", table=table)
            logs.append([step.get("text") for step in view.get("log", [])])
        self.people[0].direct = None
        return logs

    def lost(self, tables=None):
        """What was promised and is not there, or is not the same everywhere."""
        wrong = []
        for table in tables or self.promised:
            logs = self.histories(table)
            end = time.monotonic() + 30
            while len(logs[0]) != len(logs[1]) and time.monotonic() < end:
                logs = self.histories(table)  # one has not heard of all yet
            if logs[0] != logs[1]:
                wrong.append((table, "two histories"))
            for step, text in self.promised[table].items():
                if step >= len(logs[0]) or logs[0][step] != text:
                    wrong.append((table, step, text))
        return wrong


def stored(cluster, table):
    """The words of each line of a match."""
    shown = cluster.admin("show", table).stdout.splitlines()[1:]
    return [line.split()[1:] for line in shown]


def doubled(cluster, table):
    """Keys that stand twice in a stored match."""
    keys = [tuple(words[:3]) for words in stored(cluster, table)
            if words[0] == "play" and words[2] != "-"]
    return [key for key in set(keys) if keys.count(key) > 1]


def out_of_time(cluster, table):
    """Everybody has twenty minutes for a move: did a clock run out?"""
    return any(words[0] == "time" for words in stored(cluster, table))


def size(pid):
    """Resident kilobytes, open descriptors."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        for line in status:
            if line.startswith("VmRSS"):
                return int(line.split()[1]), len(os.listdir(f"/proc/{pid}/fd"))
    return 0, 0


def faults(cluster):
    """Each leaves the cluster whole again."""
    def killed(part):
        cluster.do("kill", part)
        time.sleep(0.3)  # people play on meanwhile
        cluster.do("restart", part)

    def slow():
        cluster.cut.delay = 0.05
        time.sleep(2)
        cluster.cut.delay = 0

    def cut():
        cluster.cut.held = True
        time.sleep(1)
        cluster.cut.refused = True
        cluster.cut.held = False
        cluster.cut.cut_off()
        time.sleep(1.5)
        cluster.cut.refused = False

    def jump(seconds):
        cluster.jump("server-1", seconds)
        time.sleep(1.5)
        cluster.jump("server-1", 0)

    clocks = [("a clock an hour ahead", lambda: jump(3600)),
              ("a clock an hour behind", lambda: jump(-3600))]
    return [*(clocks if cluster.jumps else []),
            ("kill -9 of a server", lambda: killed("server-1")),
            ("a server without its database", cut),
            ("kill -9 of PostgreSQL", lambda: killed("postgres")),
            ("a slow database", slow),
            ("a rolling restart", lambda: [cluster.do("restart", s)
                                           for s in SERVERS])]
