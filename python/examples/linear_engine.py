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

WIDTH = 6
evaluation = Evaluation(numpy.load(sys.argv[1]))


def choose(name, record, seat, limits):
    state = terrarium.read_record(record, name).state()
    action = evaluation.choose(state, seat - 1, WIDTH)
    return state.action_to_string(seat - 1,
                                  state.get_game().action_index(action))


serve(choose, "linear")
