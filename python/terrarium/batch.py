"""Many games side by side, in arrays shared with C."""
from ctypes import byref

from ._library import (ACTIONS, SEATS, BatchArrays, Refused, address, array,
                       lib, numpy)


class Batch:
    """`count` games that step together.

    All arrays are filled in place by every step; copy what you keep.

    seat[i]                   to act in game i, -1 once it is over
    offset[i]..offset[i + 1]  its legal actions in `actions`, packed
    choice[i]                 what to play: a place in that list, -1 nothing
    done[i]                   1 if the last step finished a game
    points[i], place[i]       of the last game finished there, by seat
    seeds[i]                  of the game being played
    """

    def __init__(self, game, count, seed=0, reset=True):
        if count < 1:
            raise Refused("a batch has at least one game")
        self.game, self.count = game, count
        self._states = array("u8", count * (game._size // 8))
        self.seeds = array("u8", count)
        self.seat = array("i4", count)
        self.offset = array("i4", count + 1)
        self.actions = array("u4", count * ACTIONS)
        self.choice = array("i4", count)
        self.points = array("i4", count, SEATS)
        self.place = array("i4", count, SEATS)
        self.done = array("u1", count)
        self._numbers = self._mask = self._tables = None
        for i in range(count):
            self.seeds[i] = seed + i
        self._c = BatchArrays(
            count, int(reset), address(self._states), address(self.seeds),
            address(self.seat), address(self.offset), address(self.actions),
            address(self.choice), address(self.points), address(self.place),
            address(self.done))
        self._pointer = byref(self._c)
        lib.terra_batch_start(game._table, self._pointer)

    def restart(self):
        """Begins every game anew from `seeds`."""
        lib.terra_batch_start(self.game._table, self._pointer)

    def step(self, choice=None):
        """Plays choice[i] everywhere; returns how many games ended."""
        if choice is not None:
            self.choice[:] = choice
        ended = lib.terra_batch_step(self.game._table, self._pointer)
        if ended < 0:
            raise Refused("a choice is outside its list")
        return ended

    def random_choice(self, rng):
        """Fills `choice` evenly; rng is numpy's Generator, or random's."""
        if numpy:
            lengths = self.offset[1:] - self.offset[:-1]
            draws = rng.random(self.count)
            draws *= lengths
            self.choice[:] = draws
            self.choice[lengths == 0] = -1
        else:
            for i in range(self.count):
                length = self.offset[i + 1] - self.offset[i]
                self.choice[i] = rng.randrange(length) if length else -1
        return self.choice

    def legal(self, i):
        """The packed actions of game i."""
        return self.actions[self.offset[i]:self.offset[i + 1]]

    def choose(self, indices):
        """Fills `choice` from action numbers, one for each game."""
        for i, index in enumerate(indices):
            packed = self.game.packed_action(index)
            legal = list(self.legal(i))
            if packed not in legal:
                raise Refused("action %d is not legal in game %d" % (index, i))
            self.choice[i] = legal.index(packed)
        return self.choice

    def observations(self):
        """count x size: for each game the view of whoever is to act."""
        if self._numbers is None:
            self._numbers = array("i2", self.count, self.game._measures)
        lib.terra_batch_measure(self.game._table, self._pointer,
                                address(self._numbers))
        return self._numbers

    def masks(self):
        """count x number of actions: 1 for each legal one."""
        if self._mask is None:
            self._mask = array("u1", self.count, self.game._index_count)
        lib.terra_batch_mask(self.game._table, self._pointer,
                             address(self._mask))
        return self._mask

    def state(self, i):
        """A copy of game i, as a State without history."""
        import ctypes
        from .games import State
        state = State(self.game, int(self.seeds[i]))
        size = self.game._size
        ctypes.memmove(state._at, address(self._states) + i * size, size)
        state._broken = True
        return state
