"""A game as an environment in the manner of PettingZoo (agent by agent).

    from terrarium.aec import env
    e = env("nova", seats=2)
    e.reset(seed=7)
    for agent in e.agent_iter():
        observation, reward, termination, truncation, info = e.last()
        over = termination or truncation
        e.step(None if over else choose(observation["action_mask"]))

With PettingZoo and Gymnasium installed it is an AECEnv with their spaces;
without them it has the same methods and no spaces.

A reset without a seed begins the next game: seed 0 the first time, then one
more than the last seed that was used.
"""
from ._library import numpy
from .games import NOBODY, Refused, load_game

try:
    from pettingzoo import AECEnv as Base
except ImportError:
    Base = object
try:
    from gymnasium import spaces
except ImportError:
    spaces = None


class Environment(Base):
    metadata = {"name": "terrarium_v1",
                "render_modes": ["human", "ansi", "svg"],
                "is_parallelizable": False}

    def __init__(self, game, render_mode="ansi"):
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise Refused("there is no render mode %r" % render_mode)
        self.game, self.render_mode = game, render_mode
        self.metadata = dict(self.metadata, name="terrarium_%s_v1" % game.name)
        self._spaces = None
        self._next_seed = 0
        self.possible_agents = ["player_%d" % i
                                for i in range(game.num_players())]
        self.agents = []
        self.state_ = None

    # ---- spaces: the same objects for everybody, as seeding them asks ----

    def observation_space(self, agent):
        return self._space(agent)[0]

    def action_space(self, agent):
        return self._space(agent)[1]

    def _space(self, agent):
        if spaces is None or numpy is None:
            raise ImportError("spaces need gymnasium and numpy")
        if self._spaces is None:
            self._spaces = {a: self._make_spaces()
                            for a in self.possible_agents}
        return self._spaces[agent]

    def _make_spaces(self):
        actions = self.game.num_distinct_actions()
        return (spaces.Dict({
            "observation": spaces.Box(
                -32768, 32767, tuple(self.game.observation_tensor_shape()),
                numpy.int16),
            "action_mask": spaces.Box(0, 1, (actions,), numpy.int8)}),
                spaces.Discrete(actions))

    # ---- the course of a game ----

    def reset(self, seed=None, options=None):
        if seed is None:
            seed = self._next_seed
        self._next_seed = seed + 1
        self.state_ = self.game.new_initial_state(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def _select(self):
        player = self.state_.current_player()
        if player != NOBODY:
            self.agent_selection = self.possible_agents[player]
        elif self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent):
        player = self.possible_agents.index(agent)
        acting = self.state_.current_player() == player
        mask = self.state_.legal_actions_mask(player if acting else NOBODY)
        if numpy:
            mask = mask.view(numpy.int8)  # what Discrete.sample() asks for
        return {"observation": self.state_.observation_tensor(player),
                "action_mask": mask}

    def last(self, observe=True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None,
                self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._leave(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self.state_.apply_action(action, self.possible_agents.index(agent))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.state_.is_terminal():
            for who, reward in zip(self.possible_agents, self.state_.returns()):
                self.rewards[who] = reward
            self.terminations = dict.fromkeys(self.agents, True)
        for who in self.agents:
            self._cumulative_rewards[who] += self.rewards[who]
        self._select()

    def _leave(self, agent, action):
        """After the end every agent takes one last, empty step."""
        if action is not None:
            raise Refused("%s is out of the game: only step(None)" % agent)
        self.agents.remove(agent)
        for table in (self.rewards, self._cumulative_rewards, self.infos,
                      self.terminations, self.truncations):
            table.pop(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)  # told once
        self._select()

    def agent_iter(self, max_iter=2 ** 63):
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def render(self):
        """Prints (human) or returns the board as text, or as SVG."""
        if self.render_mode == "svg":
            return self.state_.svg()
        if self.render_mode == "ansi":
            return self.state_.board()
        if self.render_mode == "human":
            print(self.state_.board())
        return None

    def close(self):
        pass  # nothing is open

    def __str__(self):
        return self.metadata["name"]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self


def env(game="nova", render_mode="ansi", **setup):
    return Environment(load_game(game, **setup), render_mode)
