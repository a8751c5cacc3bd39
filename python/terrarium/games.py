"""Games, states and records."""
import ctypes
from ctypes import c_char_p, c_int32, c_uint32

from ._library import (ACTIONS, NO_INDEX, SEATS, Refused, Result, address,
                       array, byref, error_buffer, lib, numpy, text)

NOBODY = -1      # no player; a spectator
EVERYTHING = -2  # as viewer: secrets included


def setup_text(seats, options, given):
    lines = [] if seats is None else ["seats: %d" % seats]
    lines += ["option %s: %s" % item for item in options.items()]
    return "".join(line + "\n" for line in lines) + given


class Game:
    """A game with its setup, shared by all its states.

    Options are keywords (`board="islet"`); `given` has further lines of a
    setup (docs/notation.md).
    """

    def __init__(self, name, seats=None, given="", utility="win", **options):
        if utility not in ("win", "points"):
            raise Refused("utility is 'win' or 'points', not %r" % utility)
        self._open(name, setup_text(seats, options, given))
        self.utility = utility

    def _open(self, name, setup):
        self._table = None
        error = error_buffer()
        table = lib.terra_open(name.encode(), setup.encode(), error, len(error))
        if not table:
            raise Refused(error.value.decode())
        self._table = table
        self._size = lib.terra_state_size(table)
        self._measures = lib.terra_measure_count(table)
        self._players = lib.terra_seats(table)
        self._index_count = lib.terra_index_count(table)
        self._list = (c_uint32 * ACTIONS)()  # scratch, of one thread
        self._list_at = ctypes.addressof(self._list)

    def __del__(self):
        if getattr(self, "_table", None):
            lib.terra_close(self._table)
            self._table = None

    def __repr__(self):
        return "load_game(%r, seats=%d)" % (self.name, self._players)

    def __reduce__(self):
        return (_restore, (self.name, self.setup(), self.utility))

    @property
    def name(self):
        return lib.terra_name(self._table).decode()

    def setup(self):
        """The setup as lines of text, without the game's name."""
        return text(lib.terra_setup, self._table).partition("\n")[2]

    def num_players(self):
        return self._players

    def num_distinct_actions(self):
        return self._index_count

    def min_utility(self):
        return -1.0 / (self._players - 1) if self.utility == "win" else -1e4

    def max_utility(self):
        return 1.0 if self.utility == "win" else 1e4

    def observation_blocks(self):
        """(name, first, behind the last, exact definition) of each block."""
        blocks, at = [], 0
        name, about = c_char_p(), c_char_p()
        while True:
            size = lib.terra_feature(self._table, len(blocks), byref(name),
                                     byref(about))
            if size < 0:
                return blocks
            blocks.append((name.value.decode(), at, at + size,
                           about.value.decode()))
            at += size

    def observation_tensor_size(self):
        return self._measures

    def observation_tensor_shape(self):
        return [self._measures]

    def new_initial_state(self, seed=0):
        state = State(self, seed)
        lib.terra_start(self._table, seed, state._at)
        return state

    def new_state(self, position, seed=0):
        """A state from a position in the game's notation."""
        error = error_buffer()
        state = State(self, seed)
        if lib.terra_read_state(self._table, position.encode(), state._at,
                                error, len(error)) < 0:
            raise Refused(error.value.decode())
        state._start = position
        return state

    def deserialize_state(self, words):
        """What State.serialize() wrote."""
        return read_record(words, self.name).state(game=self)

    def utility_sum(self):
        """0 where one's win is the others' loss, None for points."""
        return 0.0 if self.utility == "win" else None

    def action_index(self, packed):
        """The number of a packed action, as records and batches have it."""
        index = lib.terra_index(self._table, int(packed))
        if index == NO_INDEX:
            raise Refused("%d is no action of %s" % (packed, self.name))
        return index

    def packed_action(self, index):
        packed = lib.terra_action(self._table, int(index))
        if packed == NO_INDEX:
            raise Refused("there is no action number %d in %s"
                          % (index, self.name))
        return packed

    def index_lookup(self):
        """An array: the packed action of every number."""
        table, action = self._table, lib.terra_action
        packed = array("u4", self._index_count)
        for i in range(self._index_count):
            packed[i] = action(table, i)
        return packed


def _restore(name, setup, utility):
    game = Game.__new__(Game)
    game._open(name, setup)
    game.utility = utility
    return game


def load_game(name, seats=None, given="", utility="win", **options):
    """The game of that name at a table; see Game."""
    return Game(name, seats, given, utility, **options)


class State:
    """One position, with the actions that led to it."""

    def __init__(self, game, seed):
        self._game, self.seed = game, seed
        self._buffer = (ctypes.c_uint64 * (game._size // 8))()
        self._at = ctypes.addressof(self._buffer)
        self._history = []
        self._start = None
        self._broken = False  # by an event that is no action

    # ---- playing ----

    def get_game(self):
        return self._game

    def current_player(self):
        """Who is to act; NOBODY once the game is over."""
        return lib.terra_current(self._game._table, self._at)

    def is_terminal(self):
        return self.current_player() == NOBODY

    def is_player_node(self):
        return not self.is_terminal()

    def is_initial_state(self):
        return not self._history

    def is_chance_node(self):
        return False  # chance is inside the state, from its seed

    def is_simultaneous_node(self):
        return False

    def players_to_act(self):
        """Seats that must act, seats that may."""
        must, may = c_uint32(), c_uint32()
        lib.terra_turn(self._game._table, self._at, byref(must), byref(may))
        return ([s for s in range(SEATS) if must.value >> s & 1],
                [s for s in range(SEATS) if may.value >> s & 1])

    def packed_actions(self, player=None):
        """Actions as the rules pack them, in the order of the rules."""
        return self._list(lib.terra_legal, player)

    def legal_actions(self, player=None):
        """Action numbers, smallest first."""
        return self._list(lib.terra_legal_indices, player)

    def _list(self, fill, player):
        player = self.current_player() if player is None else player
        game = self._game
        count = fill(game._table, self._at, player, game._list_at)
        return game._list[:count]

    def legal_actions_mask(self, player=None):
        mask = array("u1", self._game._index_count)
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action, player=None):
        """Plays an action by its number, for the current player or another."""
        player = self.current_player() if player is None else player
        packed = self._game.packed_action(action)
        if lib.terra_apply(self._game._table, self._at, player, packed) < 0:
            raise Refused("action %d is not legal for player %d"
                          % (action, player))
        self._history.append((player, packed))

    def child(self, action):
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self):
        copy = State(self._game, self.seed)
        ctypes.memmove(copy._at, self._at, self._game._size)
        copy._history = list(self._history)
        copy._start, copy._broken = self._start, self._broken
        return copy

    def history(self):
        """The actions so far, by number."""
        return [self._game.action_index(a) for _, a in self._history]

    def full_history(self):
        """(player, action) so far."""
        return [(p, self._game.action_index(a)) for p, a in self._history]

    def history_str(self):
        return ", ".join(str(action) for action in self.history())

    def move_number(self):
        return len(self._history)

    def __eq__(self, other):
        return (isinstance(other, State) and
                self._game.name == other._game.name and
                bytes(self._buffer) == bytes(other._buffer))

    def __hash__(self):
        return lib.terra_hash(self._game._table, self._at)

    # ---- results ----

    def _result(self):
        result = Result()
        lib.terra_result(self._game._table, self._at, byref(result))
        return result

    def points(self):
        """Points of the game so far, or at its end."""
        return list(self._result().points[:self._game.num_players()])

    def places(self):
        return list(self._result().place[:self._game.num_players()])

    def returns(self):
        """0 before the end.  Then 1 for the winner and -1 / (players - 1) for
        the others (shared among several winners), or the points, as the game's
        utility says."""
        players = self._game.num_players()
        if not self.is_terminal():
            return [0.0] * players
        if self._game.utility == "points":
            return [float(p) for p in self.points()]
        places = self.places()
        share = 1.0 / places.count(1)
        return [((share if p == 1 else 0.0) * players - 1) / (players - 1)
                for p in places]

    def player_return(self, player):
        return self.returns()[player]

    def rewards(self):
        """Of the last action: all returns come with the last of a game."""
        return self.returns()

    def player_reward(self, player):
        return self.rewards()[player]

    def serialize(self):
        """The match so far; Game.deserialize_state() reads it."""
        return self.record()

    def __reduce__(self):
        return (_restore_state, (self._game, self.seed, bytes(self._buffer),
                                 list(self._history), self._start,
                                 self._broken))

    def estimate(self):
        """Final points that the game itself expects, or None."""
        milli = (c_int32 * SEATS)()
        if lib.terra_estimate(self._game._table, self._at, milli) < 0:
            return None
        return [m / 1000 for m in milli[:self._game.num_players()]]

    # ---- what a player knows ----

    def observation_tensor(self, player=None):
        """The player's view as numbers; see Game.observation_blocks()."""
        player = self.current_player() if player is None else player
        out = array("i2", self._game._measures)
        lib.terra_measure(self._game._table, self._at, player, address(out))
        return out

    def afterstate_tensors(self, player=None):
        """One row for each of packed_actions(): what the player sees then."""
        player = self.current_player() if player is None else player
        count = len(self.packed_actions(player))
        out = array("i2", count, self._game._measures)
        if count:
            lib.terra_measure_after(self._game._table, self._at, player, player,
                                    address(out))
        return out

    def view(self, player):
        """The state as that player may know it; hidden things are blank."""
        state = self.clone()
        state._history, state._broken = [], True
        lib.terra_view(self._game._table, self._at, player, state._at)
        return state

    def resample_from_infostate(self, player, seed):
        """A state that the player cannot tell from this one."""
        state = self.view(player)
        lib.terra_guess(self._game._table, state._at, player, seed)
        return state

    def observation_string(self, player=None):
        """The position as the player knows it, in notation."""
        player = self.current_player() if player is None else player
        return str(self.view(player))

    def information_state_string(self, player=None):
        """All that the player has seen so far: its record of the match."""
        player = self.current_player() if player is None else player
        return self.record(player)

    # ---- text and pictures ----

    def __str__(self):
        return text(lib.terra_write_state, self._game._table, self._at)

    def board(self, viewer=NOBODY):
        return text(lib.terra_write_board, self._game._table, self._at, viewer)

    def scene(self, viewer=NOBODY):
        """JSON for drawing."""
        return text(lib.terra_write_scene, self._game._table, self._at, viewer,
                    room=1 << 16)

    def svg(self, viewer=NOBODY):
        return text(lib.terra_write_picture, self._game._table, self._at,
                    viewer, room=1 << 16)

    def _repr_svg_(self):
        return self.svg()

    def action_to_string(self, player, action=None):
        if action is None:
            player, action = self.current_player(), player
        return text(lib.terra_write_action, self._game._table, self._at, player,
                    self._game.packed_action(action), player, room=256)

    def string_to_action(self, words, player=None):
        player = self.current_player() if player is None else player
        packed, error = c_uint32(), error_buffer()
        if lib.terra_read_action(self._game._table, self._at, player,
                                 words.encode(), byref(packed), error,
                                 len(error)) < 0:
            raise Refused(error.value.decode())
        return self._game.action_index(packed.value)

    def record(self, viewer=EVERYTHING):
        """The match so far as a file of the game."""
        if self._broken:
            raise Refused("a view, a guess or a match broken off has no "
                          "history")
        game = self._game
        if self._start is not None:
            game = _restore(game.name, game.setup() + "start: %s\n"
                            % self._start.strip(), game.utility)
        match = Match(lib.terra_match_open(game._table, self.seed), game.name)
        for player, packed in self._history:
            match.play(player, packed)
        return match.write(viewer)


def _restore_state(game, seed, memory, history, start, broken):
    state = State(game, seed)
    ctypes.memmove(state._at, memory, len(memory))
    state._history, state._start, state._broken = history, start, broken
    return state


class Match:
    """A whole match, read from a file or played."""

    def __init__(self, handle, name):
        if not handle:
            raise Refused("no memory for a match")
        self._handle, self.game_name = handle, name

    def __del__(self):
        if self._handle:
            lib.terra_match_close(self._handle)
            self._handle = None

    def __len__(self):
        return lib.terra_match_count(self._handle)

    def play(self, player, packed):
        if lib.terra_match_play(self._handle, player, packed) < 0:
            raise Refused("action %d is not legal for player %d"
                          % (packed, player))

    def steps(self):
        """(kind, player, packed action): "action", "drop", "stop",
        "takeover"."""
        kinds = ("action", "drop", "stop", "takeover")
        seat, packed, steps = c_int32(), c_uint32(), []
        for i in range(len(self)):
            kind = lib.terra_match_step(self._handle, i, byref(seat),
                                        byref(packed))
            steps.append((kinds[kind], seat.value, packed.value))
        return steps

    def setup(self):
        return text(lib.terra_match_setup, self._handle)

    def game(self):
        return _restore(self.game_name, self.setup().partition("\n")[2], "win")

    def state(self, index=None, game=None):
        """The state after `index` steps; the last without."""
        index = len(self) if index is None else index
        seed = [int(line[5:], 16) for line in self.setup().splitlines()
                if line.startswith("seed:")]
        state = State(game or self.game(), seed[0] if seed else 0)
        if lib.terra_match_state(self._handle, index, state._at) < 0:
            raise Refused("the match has %d steps, not %d" % (len(self), index))
        steps = self.steps()[:index]
        state._broken = any(kind in ("drop", "stop") for kind, _, _ in steps)
        state._history = [(player, packed) for kind, player, packed in steps
                          if kind == "action"]
        return state

    def write(self, viewer=EVERYTHING):
        return text(lib.terra_match_write, self._handle, viewer, room=1 << 16)


def read_record(words, game):
    """A match from the text of a record; every claim of it is checked."""
    error, data = error_buffer(), words.encode()
    handle = lib.terra_match_read(game.encode(), data, len(data), error,
                                  len(error))
    if not handle:
        raise Refused(error.value.decode())
    return Match(handle, game)


__all__ = ["EVERYTHING", "Game", "Match", "NOBODY", "State", "load_game",
           "numpy", "read_record"]
