"""Games, states and records through the ABI."""
import os
import pickle
import random
import unittest
import xml.dom.minidom

import terrarium

GAMES = terrarium.game_names()
HIDDEN = ("terrax", "blank")


def played(name, seed=7, steps=None, **setup):
    """A random game, or its first steps."""
    chance = random.Random(seed)
    state = terrarium.load_game(name, **setup).new_initial_state(seed)
    while not state.is_terminal() and state.move_number() != steps:
        state.apply_action(chance.choice(state.legal_actions()))
    return state


class Course(unittest.TestCase):
    def test_names(self):
        self.assertEqual(GAMES[:3], ["nova", "terrax", "mystica"])

    def test_whole_games(self):
        for name in GAMES:
            state = played(name)
            players = state.get_game().num_players()
            self.assertTrue(state.is_terminal())
            self.assertEqual(state.current_player(), terrarium.NOBODY)
            self.assertEqual(state.legal_actions(), [])
            self.assertEqual(len(state.returns()), players)
            self.assertAlmostEqual(sum(state.returns()), 0)
            self.assertEqual(min(state.places()), 1)
            self.assertEqual(len(state.history()), state.move_number())

    def test_returns(self):
        game = terrarium.load_game("nova", utility="points")
        state = game.new_initial_state()
        self.assertEqual(state.returns(), [0.0, 0.0])
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        self.assertEqual(state.returns(), [float(p) for p in state.points()])
        self.assertEqual(state.player_return(1), state.returns()[1])

    def test_same_seed_same_game(self):
        for name in GAMES:
            self.assertEqual(str(played(name)), str(played(name)))
        self.assertNotEqual(str(played("terrax", 7, 0)),
                            str(played("terrax", 8, 0)))

    def test_clone_and_child(self):
        for name in GAMES:
            state = played(name, steps=5)
            before, copy = str(state), state.clone()
            child = state.child(state.legal_actions()[0])
            self.assertEqual(str(state), before)
            self.assertEqual(copy, state)
            self.assertEqual(hash(copy), hash(state))
            self.assertNotEqual(child, state)
            copy.apply_action(copy.legal_actions()[0])
            self.assertEqual(copy, child)

    def test_refusals(self):
        with self.assertRaisesRegex(terrarium.Refused, "no game 'chess'"):
            terrarium.load_game("chess")
        with self.assertRaisesRegex(terrarium.Refused, "seats"):
            terrarium.load_game("nova", seats=9)
        with self.assertRaises(terrarium.Refused):
            terrarium.load_game("nova", colour="blue")
        state = played("nova", steps=3)
        before = str(state)
        legal = set(state.legal_actions())
        wrong = next(i for i in range(70000) if i not in legal)
        with self.assertRaisesRegex(terrarium.Refused, "not legal"):
            state.apply_action(wrong)
        with self.assertRaises(terrarium.Refused):
            state.apply_action(10 ** 8)
        self.assertEqual(str(state), before)

    def test_other_words_of_openspiel(self):
        for name in GAMES:
            state = played(name, steps=4)
            game = state.get_game()
            self.assertTrue(state.is_player_node())
            self.assertFalse(state.is_initial_state())
            self.assertTrue(game.new_initial_state().is_initial_state())
            self.assertEqual(state.history_str(),
                             ", ".join(map(str, state.history())))
            self.assertEqual(state.rewards(), [0.0] * game.num_players())
            again = game.deserialize_state(state.serialize())
            self.assertEqual(again, state)
            self.assertEqual(again.history(), state.history())
            over = played(name)
            self.assertEqual(over.rewards(), over.returns())
            self.assertEqual(over.player_reward(1), over.returns()[1])
            self.assertFalse(over.is_player_node())

    def test_pickled_states_play_on(self):
        for name in GAMES:
            state = played(name, steps=4)
            again = pickle.loads(pickle.dumps(state))
            self.assertEqual(again, state)
            self.assertEqual(again.history(), state.history())
            self.assertEqual(again.record(), state.record())
            action = state.legal_actions()[0]
            self.assertEqual(again.child(action), state.child(action))

    def test_options(self):
        small = terrarium.load_game("nova", seats=3, board="islet")
        self.assertEqual(small.num_players(), 3)
        self.assertIn("option board: islet", small.setup())
        self.assertEqual(small.setup(),
                         pickle.loads(pickle.dumps(small)).setup())


MAPS = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "games",
                    "terrax", "maps")


def given_map(name, change=lambda lines: lines):
    """A map of one's own as lines of a setup."""
    with open(os.path.join(MAPS, name + ".map"), encoding="utf-8") as file:
        lines = change(file.read().splitlines())
    return "map:\n" + "".join("\t%s\n" % line for line in lines)


class OwnMaps(unittest.TestCase):
    def test_the_largest_and_the_smallest(self):
        for name in ("full", "tree"):
            state = played("terrax", seats=3, given=given_map(name))
            self.assertTrue(state.is_terminal())
            self.assertIn('[Map "%s"]' % name, state.record(0))
            again = terrarium.read_record(state.record(), "terrax").state()
            self.assertEqual(again.record(), state.record())
            small = pickle.loads(pickle.dumps(state.get_game()))
            self.assertEqual(small.setup(), state.get_game().setup())

    def test_one_more_is_refused_by_its_line(self):
        def place(lines):
            row = lines[130].replace("e3", "rX1", 1).replace("edge", "red")
            return lines[:131] + [row.replace("\tw3\t", "\t-\t")] + lines[131:]

        for change, where in (
                (place, "places.tsv line 130: rX1"),
                (lambda lines: lines + ["X1\tgSAA\tQBC\t-"],
                 "legs.tsv line 257: X1")):
            with self.assertRaisesRegex(terrarium.Refused, where):
                terrarium.load_game("terrax", given=given_map("full", change))


class Actions(unittest.TestCase):
    def test_masks(self):
        for name in GAMES:
            state = played(name, steps=4)
            mask = state.legal_actions_mask()
            self.assertEqual(len(mask),
                             state.get_game().num_distinct_actions())
            self.assertEqual([i for i, m in enumerate(mask) if m],
                             state.legal_actions())

    def test_every_number_leads_back(self):
        for name in GAMES:
            game = terrarium.load_game(name)
            packed = game.index_lookup()
            self.assertEqual(len(set(packed)), len(packed))
            for index in range(len(packed)):
                self.assertEqual(game.action_index(packed[index]), index)
            with self.assertRaises(terrarium.Refused):
                game.packed_action(len(packed))

    def test_numbers_and_words(self):
        for name in GAMES:
            state = played(name, steps=6)
            words = set()
            for index in state.legal_actions():
                word = state.action_to_string(index)
                words.add(word)
                self.assertIn(state.string_to_action(word),
                              state.legal_actions())
            self.assertEqual(len(words), len(state.legal_actions()))
        with self.assertRaises(terrarium.Refused):
            played("nova", steps=6).string_to_action("castle")


class Knowledge(unittest.TestCase):
    def test_blocks(self):
        for name in GAMES:
            game = terrarium.load_game(name)
            blocks = game.observation_blocks()
            self.assertEqual(blocks[0][1], 0)
            self.assertEqual(blocks[-1][2], game.observation_tensor_size())
            for (_, _, end, help_), (_, start, _, _) in zip(blocks, blocks[1:]):
                self.assertEqual(end, start)
                self.assertTrue(help_)

    def test_documented(self):
        """docs/research.md defines every block as the rules do."""
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                            "..", "docs", "research.md")
        with open(path, encoding="utf-8") as file:
            page = file.read()
        for name in GAMES[:3]:
            game = terrarium.load_game(name)
            for block, first, end, help_ in game.observation_blocks():
                self.assertIn("| %s | %d | %s |\n" % (block, end - first,
                                                      help_), page)
            self.assertIn("| %s | %d |" % (name, game.num_distinct_actions()),
                          page)
            self.assertIn("%d for %s" % (game.observation_tensor_size(), name),
                          " ".join(page.split()))

    def test_tensors_tell_the_state(self):
        state = played("nova", steps=60, board="islet")
        blocks = {b[0]: slice(b[1], b[2])
                  for b in state.get_game().observation_blocks()}
        for player in (0, 1):
            tensor = list(state.observation_tensor(player))
            seats = tensor[blocks["seats"]]
            points = state.points()
            self.assertEqual(seats[0], points[player])
            self.assertEqual(seats[4], points[1 - player])
            self.assertEqual(seats[3], int(state.current_player() == player))
            pioneers = tensor[blocks["pioneers"]]
            stones = tensor[blocks["stones"]]
            land = tensor[blocks["land"]]
            for hex_, there in enumerate(stones):
                self.assertIn(there, (0, 1))
                self.assertTrue(land[hex_] or not there)
            self.assertGreater(sum(pioneers) + sum(seats[1::4]), 0)

    def test_hidden_things_stay_hidden(self):
        for name in HIDDEN:
            differ = 0
            for seed in range(5):
                state = played(name, seed=seed, steps=2)
                for player in range(state.get_game().num_players()):
                    other = state.resample_from_infostate(player, seed + 100)
                    differ += other != state
                    self.assertEqual(list(state.observation_tensor(player)),
                                     list(other.observation_tensor(player)))
                    self.assertEqual(state.observation_string(player),
                                     other.observation_string(player))
                    self.assertEqual(state.svg(player), other.svg(player))
                    self.assertEqual(state.scene(player), other.scene(player))
            self.assertGreater(differ, 0, name)

    def test_information_states(self):
        for name in GAMES:
            state = played(name, steps=4)
            for player in range(state.get_game().num_players()):
                words = state.information_state_string(player)
                self.assertEqual(words, state.clone()
                                 .information_state_string(player))
                self.assertNotEqual(words, played(name, steps=3)
                                    .information_state_string(player))
        state = played("terrax", steps=8)
        self.assertNotEqual(state.information_state_string(0),
                            state.information_state_string(1))
        self.assertNotIn(state.information_state_string(0), state.record())

    def test_afterstates(self):
        state = played("nova", steps=30, board="islet")
        rows = state.afterstate_tensors()
        player = state.current_player()
        for row, packed in zip(rows, state.packed_actions()):
            child = state.child(state.get_game().action_index(packed))
            self.assertEqual(list(row), list(child.observation_tensor(player)))

    def test_estimate(self):
        self.assertEqual(len(played("nova", steps=30).estimate()), 2)


class Text(unittest.TestCase):
    def test_records_in_and_out(self):
        for name in GAMES:
            state = played(name)
            record = state.record()
            match = terrarium.read_record(record, name)
            self.assertEqual(len(match), state.move_number())
            self.assertEqual(match.state(), state)
            self.assertEqual(match.state(3), played(name, steps=3))
            self.assertEqual(match.state().record(), record)
            with self.assertRaises(terrarium.Refused):
                terrarium.read_record(record[:len(record) // 2] + "!?", name)

    def test_positions(self):
        for name in ("nova", "mystica"):
            state = played(name, steps=40)
            again = state.get_game().new_state(str(state))
            self.assertEqual(str(again), str(state))
            self.assertEqual(again.legal_actions(), state.legal_actions())
        with self.assertRaises(terrarium.Refused):
            terrarium.load_game("nova").new_state("nonsense")

    def test_pictures(self):
        for name in GAMES:
            state = played(name, steps=10)
            xml.dom.minidom.parseString(state._repr_svg_())
            self.assertIn("<svg", state._repr_svg_())
            self.assertTrue(state.board())
            self.assertTrue(state.scene().startswith("{"))


if __name__ == "__main__":
    unittest.main()
