"""Many games side by side."""
import os
import random
import subprocess
import sys
import unittest

import terrarium
from terrarium._library import numpy

HERE = os.path.dirname(os.path.abspath(__file__))


class Batches(unittest.TestCase):
    def test_same_as_one_by_one(self):
        """Every game of a batch is the game that single steps would play."""
        for name in terrarium.game_names():
            game = terrarium.load_game(name)
            batch = terrarium.Batch(game, 4, seed=3, reset=False)
            single = [game.new_initial_state(3 + i) for i in range(4)]
            chance = random.Random(5)
            for _ in range(3000):
                if all(s.is_terminal() for s in single):
                    break
                for i, state in enumerate(single):
                    packed = state.packed_actions()
                    self.assertEqual(list(batch.legal(i)), packed)
                    self.assertEqual(batch.seat[i], state.current_player())
                    batch.choice[i] = chance.randrange(len(packed)) \
                        if packed else -1
                    if packed:
                        state.apply_action(game.action_index(
                            packed[batch.choice[i]]))
                batch.step()
                for i, state in enumerate(single):
                    if batch.done[i]:
                        players = game.num_players()
                        self.assertEqual(list(batch.points[i])[:players],
                                         state.points())
                        self.assertEqual(list(batch.place[i])[:players],
                                         state.places())
            for i, state in enumerate(single):
                self.assertEqual(batch.state(i), state)

    def test_reset_takes_the_next_seed(self):
        batch = terrarium.Batch(terrarium.load_game("blank"), 8, seed=10)
        chance = numpy.random.default_rng(1) if numpy else random.Random(1)
        ended = 0
        while ended < 50:
            batch.random_choice(chance)
            ended += batch.step()
        self.assertTrue(all(batch.seat[i] >= 0 for i in range(8)))
        self.assertTrue(all((int(batch.seeds[i]) - 10) % 8 == i
                            for i in range(8)))
        self.assertGreater(max(batch.seeds), 17)

    def test_observations_and_masks(self):
        for name in terrarium.game_names():
            game = terrarium.load_game(name)
            batch = terrarium.Batch(game, 3, seed=1)
            rows, masks = batch.observations(), batch.masks()
            for i in range(3):
                state = game.new_initial_state(1 + i)
                self.assertEqual(list(rows[i]),
                                 list(state.observation_tensor()))
                self.assertEqual([k for k, m in enumerate(masks[i]) if m],
                                 state.legal_actions())
            self.assertIs(batch.observations(), rows)  # one buffer for all

    def test_choose_by_number(self):
        game = terrarium.load_game("nova", board="islet")
        batch = terrarium.Batch(game, 2)
        number = game.action_index(batch.legal(0)[3])
        self.assertEqual(list(batch.choose([number, number])), [3, 3])
        with self.assertRaises(terrarium.Refused):
            batch.choose([66048, 66048])

    def test_a_wrong_choice_changes_nothing(self):
        batch = terrarium.Batch(terrarium.load_game("nova"), 2)
        before = [batch.state(i) for i in range(2)]
        with self.assertRaises(terrarium.Refused):
            batch.step([0, 5000])
        self.assertEqual(before, [batch.state(i) for i in range(2)])
        with self.assertRaises(terrarium.Refused):
            terrarium.Batch(terrarium.load_game("nova"), 0)

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_everything_without_numpy(self):
        code = ("import sys; sys.modules['numpy'] = None; import unittest;"
                "sys.path.insert(0, %r);"
                "import test_batch, test_games, test_aec;"
                "assert test_batch.numpy is None;"
                "s = unittest.TestSuite(unittest.defaultTestLoader."
                "loadTestsFromModule(m) for m in "
                "(test_batch, test_games, test_aec));"
                "sys.exit(not unittest.TextTestRunner().run(s)"
                ".wasSuccessful())" % HERE)
        run = subprocess.run([sys.executable, "-c", code], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout)


if __name__ == "__main__":
    unittest.main()
