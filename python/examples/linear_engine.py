#!/usr/bin/env python3
"""An engine that plays Terra Mystica with the weights of train_linear.py:

    terra arena mystica \\
        --seats "engine:python3 python/examples/linear_engine.py linear.npy,greedy"
"""
import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import terrarium  # noqa: E402
from terrarium.engine import serve  # noqa: E402
from train_linear import Evaluation  # noqa: E402

evaluation = Evaluation(numpy.load(sys.argv[1]))


def choose(name, record, seat, limits):
    state = terrarium.read_record(record, name).state()
    player = seat - 1
    choice = evaluation.choose_turn(state, player)
    packed = state.packed_actions(player)[choice]
    return state.action_to_string(player,
                                  state.get_game().action_index(packed))


serve(choose, "linear")
