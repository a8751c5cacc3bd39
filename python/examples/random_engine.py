#!/usr/bin/env python3
"""An engine that plays anything legal:

    terra arena nova --seats "engine:python3 python/examples/random_engine.py,club"
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import terrarium  # noqa: E402
from terrarium.engine import serve  # noqa: E402

chance = random.Random(1)


def choose(game, record, seat, limits):
    state = terrarium.read_record(record, game).state()
    action = chance.choice(state.legal_actions(seat - 1))
    return state.action_to_string(seat - 1, action)


serve(choose, "random in Python")
