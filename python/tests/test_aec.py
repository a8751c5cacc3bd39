"""The environment in the manner of PettingZoo."""
import random
import unittest

import terrarium
from terrarium import aec


class Loop(unittest.TestCase):
    def play(self, e, seed):
        chance = random.Random(seed)
        e.reset(seed=seed)
        total = dict.fromkeys(e.possible_agents, 0.0)
        last_steps = 0
        for agent in e.agent_iter():
            observation, reward, over, cut, info = e.last()
            self.assertFalse(cut)
            self.assertEqual(info, {})
            total[agent] += reward
            legal = [i for i, m in enumerate(observation["action_mask"]) if m]
            self.assertEqual(over, not legal)
            self.assertEqual(len(observation["observation"]),
                             e.game.observation_tensor_size())
            last_steps += over
            e.step(None if over else chance.choice(legal))
        self.assertEqual(e.agents, [])
        self.assertEqual(last_steps, len(e.possible_agents))
        self.assertEqual(list(total.values()), e.state_.returns())

    def test_games_to_their_end(self):
        for name in ("terrax", "mystica", "blank"):
            self.play(aec.env(name), 3)
        self.play(aec.env("nova", seats=3, board="islet"), 3)

    def test_only_legal_steps(self):
        e = aec.env("blank")
        e.reset(seed=1)
        with self.assertRaises(terrarium.Refused):
            e.step(10 ** 6)
        self.assertEqual(e.num_agents, e.max_num_agents)

    def test_rendering(self):
        e = aec.env("nova", render_mode="svg")
        e.reset()
        self.assertIn("<svg", e.render())
        with self.assertRaises(terrarium.Refused):
            aec.env("nova", render_mode="smoke")

    @unittest.skipIf(aec.Base is object, "PettingZoo is not installed")
    def test_with_the_library_itself(self):
        from pettingzoo.test import api_test
        api_test(aec.env("blank"), num_cycles=50)


if __name__ == "__main__":
    unittest.main()
