"""The environment in the manner of PettingZoo.

Where that library is installed its own tests are run.  Everywhere, what they
are documented to look at is checked one by one: spaces, observations, last(),
the order of agents, rewards that add up, last empty steps, seeds, rendering.
"""
import contextlib
import io
import random
import types
import unittest
import unittest.mock

import terrarium
from terrarium import aec

try:
    import numpy
except ImportError:
    numpy = None

TABLES = (("blank", {}), ("terrax", {}), ("mystica", {"seats": 3}),
          ("nova", {"seats": 3, "board": "islet"}))


# Gymnasium's spaces as they are documented, for where they are missing: what
# contains() and sample(mask) insist on.

class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape = low, high, shape
        self.dtype = numpy.dtype(dtype)

    def contains(self, x):
        return (isinstance(x, numpy.ndarray) and x.shape == self.shape and
                numpy.can_cast(x.dtype, self.dtype) and
                bool(numpy.all(x >= self.low) and numpy.all(x <= self.high)))


class Discrete:
    def __init__(self, n):
        self.n, self.chance = n, random.Random(1)

    def seed(self, seed):
        self.chance = random.Random(seed)

    def sample(self, mask):
        assert isinstance(mask, numpy.ndarray) and mask.dtype == numpy.int8
        assert mask.shape == (self.n,)
        assert numpy.all(numpy.logical_or(mask == 0, mask == 1))
        return numpy.int64(self.chance.choice(numpy.flatnonzero(mask)))


class Dict(dict):
    def contains(self, x):
        return set(x) == set(self) and all(self[k].contains(x[k])
                                           for k in self)


def with_spaces():
    """Gymnasium's own spaces if there are any."""
    return unittest.mock.patch.object(
        aec, "spaces", aec.spaces or types.SimpleNamespace(
            Box=Box, Discrete=Discrete, Dict=Dict))


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


@unittest.skipUnless(numpy, "numpy is not installed")
class Documented(unittest.TestCase):
    """The checks of api_test, seed_test and render_test."""

    def setUp(self):
        patch = with_spaces()
        patch.start()
        self.addCleanup(patch.stop)

    def choose(self, e, agent, observation):
        return e.action_space(agent).sample(observation["action_mask"])

    def test_reset(self):
        for name, setup in TABLES:
            e = aec.env(name, **setup)
            self.assertIsNone(e.reset(seed=0, options={"options": 1}))
            self.assertIsNone(e.reset())
            self.assertFalse(any(e.terminations.values()))
            self.assertFalse(any(e.truncations.values()))
            self.assertIsInstance(e.num_agents, int)
            self.assertGreater(e.num_agents, 0)
            self.assertEqual(e.agents, e.possible_agents)
            self.assertIsNot(e.agents, e.possible_agents)
            self.assertIn(e.agent_selection, e.agents)
            self.assertIs(e.unwrapped, e)
            self.assertEqual(str(e), "terrarium_%s_v1" % name)
            self.assertIsNone(e.last(observe=False)[0])
            self.assertIsNone(e.close())

    def test_spaces(self):
        for name, setup in TABLES:
            e = aec.env(name, **setup)
            e.reset()
            for agent in e.agents:
                self.assertRegex(agent, "^[a-z]+_[0-9]+$")
                # The same object, or seeding it would be in vain.
                self.assertIs(e.observation_space(agent),
                              e.observation_space(agent))
                self.assertIs(e.action_space(agent), e.action_space(agent))
                space = e.observation_space(agent)
                seen = e.observe(agent)
                self.assertTrue(space.contains(seen))
                for part in ("observation", "action_mask"):
                    self.assertIsInstance(seen[part], numpy.ndarray)
                    self.assertEqual(space[part].dtype, seen[part].dtype)
                    self.assertEqual(len(seen[part].shape), 1)
                self.assertTrue(seen["observation"].any())
                # Who is not to act may do nothing.
                self.assertEqual(bool(seen["action_mask"].any()),
                                 agent == e.agent_selection)
            self.assertIsNot(e.action_space(e.agents[0]),
                             e.action_space(e.agents[1]))

    def test_play(self):
        for name, setup in TABLES:
            e = aec.env(name, **setup)
            e.reset(seed=5)
            finished, owed = [], dict.fromkeys(e.agents, 0.0)
            for agent in e.agent_iter():
                self.assertNotIn(agent, finished)
                self.assertEqual(agent, e.agent_selection)
                seen, reward, ended, cut, info = e.last()
                self.assertIs(ended, e.terminations[agent])
                self.assertIs(cut, e.truncations[agent])
                self.assertIs(info, e.infos[agent])
                self.assertEqual((type(ended), type(cut), type(info)),
                                 (bool, bool, dict))
                self.assertTrue(e.observation_space(agent).contains(seen))
                self.assertEqual(float(reward), owed[agent], name)
                owed[agent] = 0.0
                if ended:
                    finished.append(agent)
                    with self.assertRaises(ValueError):
                        e.step(0)
                self.assertIsNone(e.step(
                    None if ended else self.choose(e, agent, seen)))
                for who, more in e.rewards.items():
                    owed[who] += more
                self.assertEqual(e.num_agents, len(e.agents))
                for table in (e.rewards, e.terminations, e.truncations,
                              e.infos, e._cumulative_rewards):
                    self.assertEqual(set(table), set(e.agents))
                self.assertTrue(set(e.agents) <= set(e.possible_agents))
                self.assertFalse(set(e.agents) & set(finished))
            self.assertEqual(sorted(finished), e.possible_agents)

    def test_order(self):
        """Agents come in the order in which the rules let them act."""
        e = aec.env("mystica", seats=3)
        e.reset(seed=2)
        for agent in e.agent_iter(60):
            self.assertEqual(agent, "player_%d" % e.state_.current_player())
            e.step(self.choose(e, agent, e.observe(agent)))

    def test_numbers_of_any_kind(self):
        e = aec.env("nova", board="islet")
        e.reset(seed=0)
        action = self.choose(e, e.agent_selection, e.last()[0])
        e.step(action)
        after = str(e.state_)
        for kind in (int, numpy.int32, numpy.int64):
            e.reset(seed=0)
            e.step(kind(action))
            self.assertEqual(str(e.state_), after)

    def run_of(self, e, seed, steps):
        told = []
        for i, agent in enumerate(e.possible_agents):
            e.action_space(agent).seed(42 + i)
        e.reset(seed=seed)
        for agent in e.agent_iter(steps):
            seen, reward, ended, cut, _ = e.last()
            action = None if ended or cut else self.choose(e, agent, seen)
            told.append((agent, seen["observation"].tobytes(), reward,
                         None if action is None else int(action)))
            e.step(action)
        return told

    def test_seeds(self):
        for name, setup in TABLES:
            one, other = aec.env(name, **setup), aec.env(name, **setup)
            for seed in (0, 1, 2):
                random.seed(seed)  # nobody else's chance counts
                first = self.run_of(one, seed, 40)
                random.random()
                self.assertEqual(first, self.run_of(one, seed, 40))
                self.assertEqual(first, self.run_of(other, seed, 40))

    def test_without_a_seed_the_next_game_comes(self):
        e = aec.env("terrax")
        games = []
        for seed in (None, None, 7, None):
            e.reset(seed=seed)
            games.append(str(e.state_))
        fixed = []
        for seed in (0, 1, 7, 8):
            e.reset(seed=seed)
            fixed.append(str(e.state_))
        self.assertEqual(games, fixed)

    def test_rendering(self):
        modes = aec.Environment.metadata["render_modes"]
        for mode in [None] + modes:
            e = aec.env("nova", board="islet", render_mode=mode)
            e.reset()
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                shown = e.render()
            if mode in (None, "human"):
                self.assertIsNone(shown)
            else:
                self.assertIsInstance(shown, str)
            self.assertEqual(bool(out.getvalue()), mode == "human")
            self.assertEqual("<svg" in str(shown), mode == "svg")
        with self.assertRaises(terrarium.Refused):
            aec.env("nova", render_mode="smoke")


@unittest.skipIf(aec.Base is object, "PettingZoo is not installed")
class Library(unittest.TestCase):
    """The library's own tests."""

    def test_api(self):
        from pettingzoo.test import api_test
        for name, setup in TABLES:
            api_test(aec.env(name, **setup), num_cycles=50)

    def test_seed(self):
        from pettingzoo.test import seed_test
        seed_test(lambda: aec.env("terrax"), num_cycles=20)


if __name__ == "__main__":
    unittest.main()
