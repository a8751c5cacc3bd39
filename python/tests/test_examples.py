"""The worked examples of docs/research.md learn something."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                                "examples"))

import train_table  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

TERRA = os.environ.get("TERRA_PROGRAM")


class Table(unittest.TestCase):
    def test_high_cards_stay(self):
        """With the highest card nobody folds, as chance is fixed."""
        table = train_table.learn(3000)
        stay, fold = 0, 1
        for rounds_left in (0, 1, 2):
            key = "6 0 %d 0 0 0" % rounds_left
            self.assertEqual(train_table.best(table, key, [stay, fold]), stay)


@unittest.skipUnless(numpy and TERRA, "numpy or TERRA_PROGRAM is missing")
class Linear(unittest.TestCase):
    def test_a_set_is_learnt(self):
        """What is fitted foretells games it has not seen better than the
        points so far."""
        import train_linear as linear
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([TERRA, "selfplay", "mystica", "--seats",
                            "random,random", "--games", "120", "--out", place],
                           check=True, stdout=subprocess.DEVNULL)
            games = list(linear.read_games(place))
        learnt = linear.Evaluation(linear.fit(games[:90]))

        def error(evaluation):
            return sum(((evaluation.points(seen, seat) - points[seat]) ** 2)
                       .sum() for seen, points in games[90:]
                       for seat in (0, 1))

        self.assertLess(error(learnt), error(linear.Evaluation()) / 2)
        state = linear.game.new_initial_state(3)
        for _ in range(6):
            player = state.current_player()
            action = learnt.choose(state, player, 2)
            self.assertIn(action, state.packed_actions(player))
            state.apply_action(linear.game.action_index(action), player)


if __name__ == "__main__":
    unittest.main()
