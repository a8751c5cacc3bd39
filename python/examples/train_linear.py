#!/usr/bin/env python3
"""Trains a linear evaluation of Terra Mystica by self-play (docs/research.md).

    terra selfplay mystica --seats greedy,greedy --opening 20 \\
        --games 500 --out set
    train_linear.py set [--rounds N] [--games N] [--processes N] [--out FILE]

The final points of a seat are foretold from what the rules show of it: one
weight for each number, in each round, before and after it has passed.  First
they are fitted to how the games of the set ended.  Then games are played with
the weights so far, looking through the present turn and now and then at
random, the weights are fitted again, and so on.
"""
import argparse
import concurrent.futures
import os
import sys
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import terrarium  # noqa: E402

SEATS = 2
DEPTH = 8    # actions of a turn that are looked at
OPENING = 4  # random actions before a game, as in a series of terra arena
EXPLORE = 0.08
game = terrarium.load_game("mystica", seats=SEATS)
block = {name: (first, end) for name, first, end, _ in
         game.observation_blocks()}

# Of the numbers of a seat (docs/research.md): those that are amounts.
SEAT = (block["seats"][1] - block["seats"][0]) // 5
PROSPECT = (block["prospects"][1] - block["prospects"][0]) // 5
VP, FACTION, CARD, PASSED, TO_ACT = 0, 12, 18, 26, 30
AMOUNTS = [*range(0, 12), 15, 16, 17, 19, 21, 22, 25, 29, *range(31, SEAT)]
ROUND, OVER = block["round"][0], block["phase"][1] - 1
STAGES = 14  # round 0 to 6, before and after passing
FACTIONS, CARDS = 32, 16
SIZE = len(AMOUNTS) + PROSPECT + 1
WHOLE = SIZE + FACTIONS + CARDS


class Seat:
    """What is seen of one seat in each row of observations, 0: the viewer."""

    def __init__(self, numbers, seat):
        first = block["seats"][0] + seat * SEAT
        prospect = block["prospects"][0] + seat * PROSPECT
        self.amounts = numpy.ones((len(numbers), SIZE))
        self.amounts[:, :len(AMOUNTS)] = numbers[:, [first + a
                                                     for a in AMOUNTS]]
        self.amounts[:, len(AMOUNTS):-1] = numbers[:, prospect:
                                                   prospect + PROSPECT]
        self.stage = 2 * numbers[:, ROUND] + numbers[:, first + PASSED]
        self.faction = numbers[:, first + FACTION]
        self.card = numbers[:, first + CARD]
        self.over = numbers[:, OVER] == 1

    def columns(self):
        """The amounts, and 1 for the faction and the bonus card it has."""
        rows = numpy.zeros((len(self.amounts), WHOLE))
        rows[:, :SIZE] = self.amounts
        at = numpy.arange(len(rows))
        rows[at, SIZE + self.faction] = 1
        rows[at, SIZE + FACTIONS + self.card] = 1
        return rows


class Evaluation:
    def __init__(self, weights=None):
        if weights is None:
            weights = numpy.zeros((STAGES, WHOLE))
            weights[:, VP] = 1  # the points so far
        self.weights = weights
        self.plain = numpy.ascontiguousarray(weights[:, :SIZE])

    def points(self, numbers, seat):
        s = Seat(numbers, seat)
        points = (self.plain[s.stage] * s.amounts).sum(1)
        points += self.weights[s.stage, SIZE + s.faction]
        points += self.weights[s.stage, SIZE + FACTIONS + s.card]
        return numpy.where(s.over, s.amounts[:, VP], points)

    def leads(self, numbers):
        """The viewer's expected lead over the other, for each row."""
        return self.points(numbers, 0) - self.points(numbers, 1)

    def choose(self, state, player, width):
        """The first action, packed, of the best turn: the `width` best
        beginnings are carried on until the player has no more to do."""
        best, most = None, -numpy.inf
        beams = [(None, state)]
        for depth in range(DEPTH):
            begun = []
            for first, before in beams:
                actions = before.packed_actions(player)
                if not actions:
                    continue
                numbers = before.afterstate_tensors(player)
                leads = self.leads(numbers)
                goes_on = numbers[:, block["seats"][0] + TO_ACT] == 1
                if depth == DEPTH - 1:
                    goes_on[:] = False
                ended = numpy.where(goes_on, -numpy.inf, leads)
                i = int(ended.argmax())
                if ended[i] > most:
                    best, most = actions[i] if first is None else first, ended[i]
                leads[~goes_on] = -numpy.inf
                for i in numpy.argsort(-leads)[:width]:
                    if goes_on[i]:
                        begun.append((leads[i], first, before, actions[i]))
            begun.sort(key=lambda b: -b[0])
            beams, last = [], None
            for lead, first, before, action in begun:
                if lead == last:  # the same actions in another order
                    continue
                last, after = lead, before.clone()
                after.apply_action(game.action_index(action), player)
                beams.append((action if first is None else first, after))
                if len(beams) == width:
                    break
            if not beams:
                break
        return state.packed_actions(player)[0] if best is None else best


def play(evaluation, seed, explore, width):
    """One game: what was seen at the end of each turn, and the points."""
    chance = numpy.random.default_rng(seed)
    state, seen = game.new_initial_state(seed), []
    while not state.is_terminal():
        player = state.current_player()
        if state.move_number() < OPENING or chance.random() < explore:
            actions = state.packed_actions(player)
            action = actions[chance.integers(len(actions))]
        else:
            action = evaluation.choose(state, player, width)
        state.apply_action(game.action_index(action), player)
        if state.current_player() != player:
            seen.append(state.observation_tensor(0))
    return numpy.array(seen), state.points()


def play_many(job):
    weights, seeds, width = job
    evaluation = Evaluation(weights)
    return [play(evaluation, seed, EXPLORE, width) for seed in seeds]


def read_games(path):
    """The same as play() returns, from a set of terra selfplay."""
    for played in terrarium.read_set(path):
        seen, before = [], None
        for state, player, _ in played.steps():
            if player != before and before is not None:
                seen.append(state.observation_tensor(0))
            before = player
        yield numpy.array(seen), played.points


def fit(games, ridge=0.01):
    """Least squares, stage by stage, with weights drawn to zero."""
    seats = [(Seat(seen, seat), points[seat]) for seen, points in games
             for seat in range(SEATS)]
    rows = numpy.concatenate([s.columns() for s, _ in seats])
    stage = numpy.concatenate([numpy.where(s.over, -1, s.stage)
                               for s, _ in seats])
    target = numpy.concatenate([numpy.full(len(s.stage), float(points))
                                for s, points in seats])
    weights = Evaluation().weights
    for i in range(STAGES):
        x, y = rows[stage == i], target[stage == i]
        if len(x) < 300:
            continue
        rest = y - x[:, VP]  # beyond the points so far
        scale = x.std(0)
        scale[SIZE - 1] = 0.01  # the constant is free
        mean = x.mean(0)
        square = x.T @ x + ridge * len(x) * numpy.diag(
            numpy.maximum(scale, 0.05) ** 2 + 0.01 * mean ** 2)
        weights[i] = numpy.linalg.solve(square, x.T @ rest)
        weights[i, VP] += 1
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", help="what terra selfplay wrote")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=150)
    parser.add_argument("--width", type=int, default=2)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", default="linear.npy")
    asked = parser.parse_args()
    begin = time.time()
    kept = list(read_games(asked.set))
    weights = fit(kept)
    with concurrent.futures.ProcessPoolExecutor(asked.processes) as pool:
        for number in range(asked.rounds):
            seeds = [10 ** 6 * number + 10 ** 5 * (1 + i % 2) + i // 2
                     for i in range(asked.games)]
            parts = 4 * asked.processes
            games = sum(pool.map(play_many, [
                (weights, seeds[i::parts], asked.width)
                for i in range(parts)]), [])
            kept += 2 * games  # its own count double
            weights = fit(kept)
            print("round %d: %.1f points a seat, %.0f s" % (
                number + 1, numpy.mean([points for _, points in games]),
                time.time() - begin), flush=True)
    numpy.save(asked.out, weights)


if __name__ == "__main__":
    main()
