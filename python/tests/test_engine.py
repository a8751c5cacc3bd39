"""The line protocol, with the program itself and with an engine in Python."""
import os
import subprocess
import sys
import tempfile
import unittest

import terrarium
from terrarium.engine import Engine, EngineError

TERRA = os.environ.get("TERRA_PROGRAM")
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                       "examples", "random_engine.py")


@unittest.skipUnless(TERRA, "TERRA_PROGRAM does not name the program")
class Client(unittest.TestCase):
    def test_a_whole_game(self):
        game = terrarium.load_game("nova", board="islet")
        state = game.new_initial_state(3)
        with Engine([TERRA, "engine", "nova", "--bot", "random"]) as engine:
            engine.hello("nova")
            self.assertIn("terra", engine.name)
            engine.setup("seats: 2\noption board: islet\n")
            while not state.is_terminal():
                self.assertEqual(
                    sorted(a for _, a in engine.legal()),
                    sorted(map(state.action_to_string, state.legal_actions())))
                best = engine.go(nodes=1)
                state.apply_action(state.string_to_action(best.action))
                engine.move(best.action)
            with self.assertRaisesRegex(EngineError, "over"):
                engine.go()

    def test_score_and_line(self):
        with Engine([TERRA, "engine", "nova", "--bot", "club"]) as engine:
            engine.setup("option board: islet\noption setup: random\n")
            best = engine.go(nodes=200, seed=5)
            self.assertEqual(best, engine.go(nodes=200, seed=5))
            self.assertEqual(best.nodes, 200)
            self.assertEqual(len(best.points), 2)
            self.assertTrue(best.line[0].endswith(best.action))
            self.assertIsInstance(best.lead, int)

    def test_stop(self):
        with Engine([TERRA, "engine", "nova"]) as engine:
            engine.setup("option setup: random\n")
            engine.start(movetime=3600000)
            engine.stop()
            self.assertTrue(engine.finish().action)

    def test_views(self):
        """A player's own record is all that an engine needs."""
        game = terrarium.load_game("terrax")
        state = game.new_initial_state(3)
        with Engine([TERRA, "engine", "terrax", "--bot", "greedy"]) as engine:
            for _ in range(12):
                player = state.current_player()
                engine.record(state.information_state_string(player))
                best = engine.go(seat=player + 1)
                state.apply_action(state.string_to_action(best.action))

    def test_refusals(self):
        with Engine([TERRA, "engine", "nova"]) as engine:
            for ask in (lambda: engine.hello("chess"),
                        lambda: engine.setup("seats: 99\n"),
                        lambda: engine.position("nonsense\n"),
                        lambda: engine.record("nonsense\n"),
                        lambda: engine.move("zz"),
                        lambda: engine.go(nodes=0),
                        lambda: engine.ask("dance")):
                self.assertRaises(EngineError, ask)
            engine.setup("option board: islet\n")  # nothing was lost
            self.assertTrue(engine.legal())


@unittest.skipUnless(TERRA, "TERRA_PROGRAM does not name the program")
class Arena(unittest.TestCase):
    def test_an_engine_in_python(self):
        for game in ("nova", "terrax", "mystica"):
            with tempfile.TemporaryDirectory() as folder:
                run = subprocess.run(
                    [TERRA, "arena", game, "--seats",
                     "engine:%s %s,random" % (sys.executable, EXAMPLE),
                     "--games", "1", "--out", os.path.join(folder, "out"),
                     "--engine-begin", "600000", "--engine-grace", "600000"] +
                    (["--option", "board=islet"] if game == "nova" else []),
                    text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertNotIn("at seat", run.stderr)


if __name__ == "__main__":
    unittest.main()
