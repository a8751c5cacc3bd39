"""The line protocol of docs/engine.md from both ends.

    with Engine(["terra", "engine", "nova"]) as engine:
        engine.hello("nova")
        engine.setup("seats: 2\\n")
        print(engine.go(nodes=500).action)

    serve(choose)    # be an engine: choose(game, record, seat, limits) -> text

Needs nothing but Python itself.
"""
import collections
import subprocess
import sys

Best = collections.namedtuple("Best", "action lead nodes points line")


class EngineError(Exception):
    """The engine refused, or is gone."""


class Engine:
    """A program that thinks, as a child process."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            bufsize=1, encoding="utf-8", shell=isinstance(command, str))
        self.name = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Asks it to end; it is gone afterwards."""
        try:
            self.send("quit")
            self.process.stdin.close()
            self.process.wait(timeout=5)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    # ---- lines ----

    def send(self, line, block=None):
        """A command, with the number of lines of its block and the block."""
        if block is not None:
            lines = block.splitlines()
            line = "\n".join(["%s %d" % (line, len(lines))] + lines)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines_until(self, *words):
        """(word, rest) of each line up to one that begins with one of these."""
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EngineError("the engine is gone")
            word, _, rest = line.rstrip("\r\n").partition(" ")
            if word == "error":
                raise EngineError(rest)
            yield word, rest
            if word in words:
                return

    def ask(self, line, block=None):
        self.send(line, block)
        return [item for item in self.lines_until("ok") if item[0] != "ok"]

    # ---- commands ----

    def hello(self, game):
        for word, rest in self.ask("hello 1 " + game):
            if word == "id" and rest.startswith("name "):
                self.name = rest[5:]

    def setup(self, words):
        self.ask("setup", words)

    def position(self, words):
        self.ask("position", words)

    def record(self, words):
        self.ask("record", words)

    def move(self, words):
        self.ask("move " + words)

    def legal(self):
        """[(seat, action)], seats from 1."""
        return [(int(rest.split(" ", 1)[0]), rest.split(" ", 1)[1])
                for word, rest in self.ask("legal") if word == "action"]

    def start(self, **limits):
        """Begins to think: seat, nodes, movetime, seed."""
        self.send(" ".join(["go"] + ["%s %d" % i for i in limits.items()]))

    def finish(self):
        """Waits for the best action."""
        told = {"info": "", "points": "", "line": ""}
        for word, rest in self.lines_until("best"):
            told[word] = rest
        info = told["info"].split()
        info = dict(zip(info[::2], map(int, info[1::2])))
        return Best(told["best"], info.get("lead"), info.get("nodes"),
                    [int(p) for p in told["points"].split()],
                    [s for s in told["line"].split("; ") if s])

    def go(self, **limits):
        self.start(**limits)
        return self.finish()

    def stop(self):
        """Ends thinking early; finish() then has what was found."""
        self.send("stop")


def serve(choose, name="an engine in Python", source=None, out=None):
    """Answers an arena until it says quit."""
    source, out = source or sys.stdin, out or sys.stdout
    game = record = ""
    for line in source:
        word, _, rest = line.strip().partition(" ")
        if word == "hello":
            game = rest.split()[1]
            answer = "id name %s\nok" % name
        elif word == "record":
            record = "".join(next(source) for _ in range(int(rest)))
            answer = "ok"
        elif word == "go":
            words = rest.split()
            limits = dict(zip(words[::2], map(int, words[1::2])))
            answer = "best " + choose(game, record, limits.pop("seat"), limits)
        elif word == "quit":
            return
        else:
            answer = "ok" if word == "stop" else "error unknown: " + word
        print(answer, file=out, flush=True)
