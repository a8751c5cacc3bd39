"""Sets of games that `terra selfplay` wrote, packed or as text.

    for played in terrarium.read_set("set"):
        for state, player, action in played.steps():
            ...                       # state: before the action
        print(played.points, played.state().returns())
"""
import json
import os
import struct
import zlib

from .games import Refused, _restore

MAGIC = b"TERRAGB1"


class Played:
    """One game of a set: number, seed, points, places, and its actions."""

    def __init__(self, game, number, seed, points, places, choices=None,
                 words=None):
        self.game, self.number, self.seed = game, number, seed
        self.points, self.places = points, places
        self._choices, self._words = choices, words

    def __len__(self):
        return len(self._words if self._choices is None else self._choices)

    def _actions(self, state):
        """(player, number of the action) as the state, played along, asks."""
        for i in range(len(self)):
            if self._choices is None:
                seat, word = self._words[i]
                yield seat - 1, state.string_to_action(word, seat - 1)
                continue
            player = state.current_player()
            packed = state.packed_actions(player)
            if self._choices[i] >= len(packed):
                raise Refused("game %d does not follow the rules: step %d"
                              % (self.number, i))
            yield player, self.game.action_index(packed[self._choices[i]])

    def steps(self):
        """(state, player, action) for each action; one state that plays on:
        clone() what you keep."""
        state = self.game.new_initial_state(self.seed)
        for player, action in self._actions(state):
            yield state, player, action
            state.apply_action(action, player)

    def state(self):
        """The last position, with all its history."""
        state = self.game.new_initial_state(self.seed)
        for player, action in self._actions(state):
            state.apply_action(action, player)
        return state


def read_set(path):
    """All games of a set (a folder) or of one part of it (a file)."""
    if not os.path.isdir(path):
        yield from _read_part(path)
        return
    parts = sorted(name for name in os.listdir(path)
                   if name.startswith("part-"))
    if not parts:
        raise Refused("'%s' has no part of a set of games" % path)
    for name in parts:
        yield from _read_part(os.path.join(path, name))


def _read_part(path):
    with open(path, "rb") as file:
        packed = file.read(len(MAGIC)) == MAGIC
        if not packed:
            file.seek(0)
        try:
            head = json.loads(file.readline())
            name, setup = head["selfplay"], head["setup"]
        except (ValueError, KeyError, TypeError):
            raise Refused("'%s' is no part of a set of games" % path) from None
        game = _restore(name, setup.partition("\n")[2], "win")
        read = _next_packed if packed else _next_text
        while True:
            played = read(file, game, path)
            if played is None:
                return
            yield played


def _next_packed(file, game, path):
    head = file.read(8)
    if not head:
        return None
    length, check = struct.unpack("<II", head) if len(head) == 8 else (0, 1)
    body = file.read(length)
    if len(body) != length or zlib.crc32(body) != check:
        raise Refused("'%s' is damaged or cut off" % path)
    numbers = _numbers(body)
    number, seed, _ = next(numbers), next(numbers), next(numbers)
    points, places = [], []
    for _ in range(game.num_players()):
        value = next(numbers)
        points.append(value >> 1 ^ -(value & 1))  # zigzag
        places.append(next(numbers))
    next(numbers)  # how many follow
    return Played(game, number, seed, points, places, list(numbers))


def _numbers(body):
    """Numbers of seven bits a byte, the lowest first."""
    value = shift = 0
    for byte in body:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def _next_text(file, game, path):
    line = file.readline()
    if not line:
        return None
    try:
        row = json.loads(line)
        words = [word.split(" ", 1) for word in row["actions"].split("; ")]
        return Played(game, row["game"], row["seed"], row["points"],
                      row["place"],
                      words=[(int(seat), word) for seat, word in words])
    except (ValueError, KeyError):
        raise Refused("'%s' is damaged or cut off" % path) from None
