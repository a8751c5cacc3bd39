"""Terra Nova, Terra-X and Terra Mystica at C speed.

    import terrarium
    game = terrarium.load_game("nova", seats=2)
    state = game.new_initial_state(seed=7)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns(), state.points())

The words are OpenSpiel's.  Needs libterra (see docs/research.md) and nothing
else; arrays are numpy's where numpy is installed.
"""
from ._library import ABI, Refused, game_names, version
from .batch import Batch
from .games import EVERYTHING, NOBODY, Game, Match, State, load_game, read_record
from .sets import Played, read_set

__all__ = ["ABI", "Batch", "EVERYTHING", "Game", "Match", "NOBODY", "Played",
           "Refused", "State", "game_names", "load_game", "read_record", "read_set",
           "version"]
__version__ = version()
