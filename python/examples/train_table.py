#!/usr/bin/env python3
"""Trains a table for Blank by self-play, and plays with it (docs/research.md).

    train_table.py [GAMES] >table.json       learn
    train_table.py --play table.json         be an engine for terra arena

The table has the mean return of each action for what a player knows: its card,
its lead, the rounds left, the stake, and who has decided.
"""
import collections
import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import terrarium  # noqa: E402
from terrarium.engine import serve  # noqa: E402


def key_of(state, player):
    x = state.observation_tensor(player)
    # Blocks of Blank: 4 numbers a seat (points, card, choice, left), then
    # round, last round, doubled, seats.
    lead = max(-4, min(4, int(x[0]) - int(x[4])))
    return "%d %d %d %d %d %d" % (x[1], lead, x[17] - x[16], x[18], x[2], x[6])


def best(table, key, actions):
    known = table.get(key, {})
    return max(actions, key=lambda a: known.get(str(a), (0, 1))[1])


def learn(games):
    chance = random.Random(1)
    game = terrarium.load_game("blank", seats=2)
    table = collections.defaultdict(dict)  # key: {action: (count, mean)}
    for number in range(games):
        state, steps = game.new_initial_state(number), []
        explore = max(0.05, 1 - 3 * number / games)
        while not state.is_terminal():
            player, actions = state.current_player(), state.legal_actions()
            key = key_of(state, player)
            action = chance.choice(actions) if chance.random() < explore \
                else best(table, key, actions)
            steps.append((player, key, str(action)))
            state.apply_action(action)
        returns = state.returns()
        for player, key, action in steps:
            count, mean = table[key].get(action, (0, 0.0))
            # Old games count less: they were played worse.
            count = min(count + 1, 2000)
            table[key][action] = (count, mean + (returns[player] - mean)
                                  / count)
    return table


def main():
    if sys.argv[1:2] == ["--play"]:
        with open(sys.argv[2], encoding="utf-8") as file:
            table = json.load(file)

        def choose(name, record, seat, limits):
            state = terrarium.read_record(record, name).state()
            action = best(table, key_of(state, seat - 1),
                          state.legal_actions(seat - 1))
            return state.action_to_string(seat - 1, action)

        serve(choose, "table")
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    table = learn(games)
    json.dump(table, sys.stdout)
    print("%d games, %d entries, %.0f s of CPU time"
          % (games, len(table), time.process_time()), file=sys.stderr)


if __name__ == "__main__":
    main()
