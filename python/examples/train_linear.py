#!/usr/bin/env python3
"""Trains a linear evaluation of Terra Mystica by self-play (docs/research.md).

    train_linear.py [--rounds N] [--games N] [--out FILE]

For each seat the final points are foretold from what its own board shows, with
weights of their own in each round.  Games are played with the weights so far,
one step ahead and now and then at random; then the weights are fitted to how
these games ended, and so on.
"""
import argparse
import os
import sys
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import terrarium  # noqa: E402

STAGES = 9  # before the first round, six rounds, after the last pass, over
game = terrarium.load_game("mystica", seats=2)
block = {name: (first, end) for name, first, end, _ in
         game.observation_blocks()}
SEAT = (block["seats"][1] - block["seats"][0]) // 5
ROUND, PHASE = block["round"][0], block["phase"]
SIZE = SEAT + 1
WIDTH = 6  # actions that are looked at with what may follow them


def seat_rows(numbers, seat):
    """What one seat's own board shows (0: the viewer), and a constant."""
    first = block["seats"][0] + seat * SEAT
    rows = numpy.empty((len(numbers), SIZE))
    rows[:, :SEAT] = numbers[:, first:first + SEAT]
    rows[:, SEAT] = 1
    return rows


def stages(numbers):
    over = numbers[:, PHASE[1] - 1] == 1
    return numpy.where(over, STAGES - 1, numbers[:, ROUND])


class Evaluation:
    def __init__(self, weights=None):
        self.weights = numpy.zeros((STAGES, SIZE)) if weights is None \
            else weights
        if weights is None:
            self.weights[:, 0] = 1  # the VP so far

    def leads(self, numbers):
        """The viewer's expected lead over the other, for each row."""
        w = self.weights[stages(numbers)]
        return (w * seat_rows(numbers, 0)).sum(1) - \
            (w * seat_rows(numbers, 1)).sum(1)

    def choose(self, state, player):
        """The place of the best action in state.packed_actions()."""
        return int(numpy.argmax(self.leads(state.afterstate_tensors(player))))

    def choose_turn(self, state, player):
        """The same, looking one action further while the turn goes on."""
        leads = self.leads(state.afterstate_tensors(player))
        best, most = 0, -numpy.inf
        for i in numpy.argsort(-leads)[:WIDTH]:
            index = state.get_game().action_index(
                state.packed_actions(player)[i])
            after, lead = state.clone(), leads[i]
            after.apply_action(index, player)
            if after.current_player() == player:
                lead = self.leads(after.afterstate_tensors(player)).max()
            if lead > most:
                best, most = int(i), lead
        return best


def play(evaluation, seed, chance, explore):
    """One game; what both boards showed after each step, and the points."""
    state, seen = game.new_initial_state(seed), []
    while not state.is_terminal():
        player = state.current_player()
        actions = state.packed_actions(player)
        if chance.random() < explore:
            choice = int(chance.integers(len(actions)))
        else:
            choice = evaluation.choose(state, player)
        state.apply_action(game.action_index(actions[choice]), player)
        seen.append(state.observation_tensor(0))
    return numpy.array(seen), state.points()


def fit(games, ridge=30.0):
    """Least squares, stage by stage, with weights drawn to zero."""
    rows, targets, where = [], [], []
    for seen, points in games:
        for seat in (0, 1):
            rows.append(seat_rows(seen, seat))
            targets.append(numpy.full(len(seen), float(points[seat])))
            where.append(stages(seen))
    rows, targets, where = map(numpy.concatenate, (rows, targets, where))
    weights = Evaluation().weights
    for stage in range(STAGES):
        x, y = rows[where == stage], targets[where == stage]
        if len(x) < 10 * SIZE:
            continue
        rest = y - x[:, 0]  # beyond the VP so far
        square = x.T @ x + ridge * numpy.eye(SIZE)
        weights[stage] = numpy.linalg.solve(square, x.T @ rest)
        weights[stage, 0] += 1
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--games", type=int, default=350)
    parser.add_argument("--out", default="linear.npy")
    asked = parser.parse_args()
    chance = numpy.random.default_rng(1)
    evaluation, kept, seed = Evaluation(), [], 0
    begin = time.process_time()
    for number in range(asked.rounds):
        explore = max(0.03, 0.3 / number) if number else 1.0
        games = []
        for _ in range(asked.games):
            games.append(play(evaluation, seed, chance, explore))
            seed += 1
        kept = (kept if number > 1 else []) + games
        kept = kept[-4 * asked.games:]
        evaluation = Evaluation(fit(kept))
        mean = numpy.mean([points for _, points in games])
        print("round %d: %.1f points a seat, %.0f s of CPU time"
              % (number, mean, time.process_time() - begin), flush=True)
        numpy.save(asked.out, evaluation.weights)


if __name__ == "__main__":
    main()
