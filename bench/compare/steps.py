#!/usr/bin/env python3
"""bench/compare/steps.py GAME [SECONDS]: steps per second of random games from
Python, one state at a time and 512 games side by side (with numpy)."""
import random
import sys
import time

import numpy
import terrarium

name = sys.argv[1] if len(sys.argv) > 1 else "nova"
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1
game = terrarium.load_game(name)


def single():
    chance, steps, seed = random.Random(1), 0, 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        seed += 1
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
    return steps / (time.process_time() - begin)


def batch(count=512):
    games = terrarium.Batch(game, count, seed=1)
    chance, steps = numpy.random.default_rng(1), 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        for _ in range(20):
            games.random_choice(chance)
            games.step()
            steps += count
    return steps / (time.process_time() - begin)


print("%s Python one %.0f" % (name, single()))
print("%s Python batch %.0f" % (name, batch()))
