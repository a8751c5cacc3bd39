#!/usr/bin/env python3
"""tests/cli/terminal_test.py: `terra play` at a pseudo-terminal, key by key.

Each case waits for a text before it types, so nothing depends on timing.
"""
import os
import pty
import select
import sys

TERRA = os.path.realpath(sys.argv[1])
LIMIT = 20  # seconds until a case that hangs has failed


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, *arguments, **environment):
        self.seen = ""
        self.at = 0  # what lies before has been waited for
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.pop("NO_COLOR", None)
            os.environ.update(TERM="xterm-256color", **environment)
            os.execv(TERRA, ["terra", *arguments])

    def read(self):
        """More output, or False at its end."""
        if not select.select([self.fd], [], [], LIMIT)[0]:
            raise AssertionError("nothing more, only: " + self.seen)
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)

    def wait(self, text):
        """Until this appears behind what was waited for before."""
        while self.seen.find(text, self.at) < 0:
            assert self.read(), "ended without %r: %s" % (text, self.seen)
        self.at = self.seen.find(text, self.at) + len(text)
        return self

    def type(self, keys):
        """Presses keys."""
        try:
            os.write(self.fd, keys.encode())
        except OSError:
            pass  # it has ended
        return self

    def end(self):
        """Waits for the end; returns the exit status."""
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


NOVA = ["play", "nova", "--option", "board=islet", "--seats", "2"]
BLANK = ["play", "blank", "--seed", "3"]


def case_prompt_and_quit():
    t = Terminal(*BLANK).wait("seat 1> ").type("quit\r")
    assert t.end() == 0


def case_end_of_input():
    t = Terminal(*BLANK).wait("seat 1> ").type("\x04")
    assert t.end() == 0


def case_help():
    t = Terminal(*BLANK).wait("seat 1> ").type("help\r").wait("this list")
    assert t.wait("seat 1> ").type("quit\r").end() == 0


def case_refused_line_is_no_failure():
    t = Terminal(*BLANK).wait("seat 1> ").type("zzz\r")
    t.wait("terra: column 1: text.syntax").wait("seat 1> ").type("quit\r")
    assert t.end() == 0


def case_tab_completes_a_command():
    t = Terminal(*BLANK).wait("seat 1> ").type("leg\t\r").wait("2 legal")
    assert t.wait("seat 1> ").type("quit\r").end() == 0


def case_hidden_cards_are_handed_over():
    t = Terminal(*BLANK, "--seats", "2").wait("Seat 1, take over")
    t.type("\r").wait("seat 1> ").type("stay\r").wait("\033[2J")
    t.wait("Seat 2, take over").type("\r").wait("seat 2> ").type("quit\r")
    assert t.end() == 0


def case_tab_lists_actions():
    t = Terminal(*NOVA).wait("seat 1> ").type("+a\t").wait("+a1  +a2  +a3")
    t.wait("seat 1> ").type("3\r").wait("undo stops here").wait("seat 2> ")
    assert t.type("quit\r").end() == 0


def case_tab_looks_ahead_in_the_line():
    t = Terminal(*NOVA, "--position",
                 "2y2/y3r1/5y1/6r1/7/1r1r2/1y3/1ry1 yr y1 - 0,0 26 0")
    t.wait("seat 1> ").type("a3-a2 *\t").wait("*a1  *a3  *b2  *b3")
    t.wait("seat 1> ").type("a3\r").wait("draft of 2: undo is free")
    assert t.wait("seat 1> ").type("quit\r").end() == 0


def case_colours():
    t = Terminal(*NOVA).wait("\033[48").wait("seat 1> ").type("quit\r")
    assert t.end() == 0


def case_no_colours():
    t = Terminal(*NOVA, NO_COLOR="1").wait("seat 1> ").type("quit\r")
    assert t.end() == 0
    assert "\033[48" not in t.seen


def main():
    cases = [(n, f) for n, f in globals().items() if n.startswith("case_")]
    failed = 0
    print("1..%d" % len(cases))
    for i, (name, run) in enumerate(cases, 1):
        try:
            run()
            verdict = "ok"
        except AssertionError as problem:
            verdict = "not ok"
            failed += 1
            print("# " + repr(problem))
        print("%s %d - %s" % (verdict, i, name[5:].replace("_", " ")))
    sys.exit(failed > 0)


main()
