"""Sets of games that `terra selfplay` wrote."""
import os
import subprocess
import tempfile
import unittest

import terrarium

TERRA = os.environ.get("TERRA_PROGRAM")


@unittest.skipUnless(TERRA, "TERRA_PROGRAM does not name the program")
class Sets(unittest.TestCase):
    def write(self, folder, game, *more):
        subprocess.run([TERRA, "selfplay", game, "--seats", "random,random",
                        "--games", "5", "--part", "3", "--seed", "7",
                        "--out", folder, *more], check=True,
                       stdout=subprocess.DEVNULL)
        return list(terrarium.read_set(folder))

    def test_packed_and_text_say_the_same(self):
        for game in ("nova", "terrax", "mystica"):
            board = ["--option", "board=islet"] if game == "nova" else []
            with tempfile.TemporaryDirectory() as place:
                packed = self.write(os.path.join(place, "packed"), game, *board)
                text = self.write(os.path.join(place, "text"), game, "--text",
                                  *board)
            self.assertEqual([p.number for p in packed], list(range(5)))
            for one, other in zip(packed, text):
                state = one.state()
                self.assertTrue(state.is_terminal())
                self.assertEqual(state.points(), one.points)
                self.assertEqual(state.places(), one.places)
                self.assertEqual(len(state.history()), len(one))
                self.assertEqual(state, other.state())
                self.assertEqual([(p, a) for _, p, a in one.steps()],
                                 state.full_history())

    def test_damage(self):
        with tempfile.TemporaryDirectory() as place:
            self.write(place, "blank")
            part = os.path.join(place, "part-00000.games")
            with open(part, "r+b") as file:
                file.seek(-1, os.SEEK_END)
                last = file.read(1)[0]
                file.seek(-1, os.SEEK_END)
                file.write(bytes([last ^ 1]))
            read = terrarium.read_set(place)
            next(read), next(read)  # whole games before it count
            with self.assertRaisesRegex(terrarium.Refused, "damaged"):
                next(read)
            with open(part, "wb") as file:
                file.write(b"nonsense")
            with self.assertRaisesRegex(terrarium.Refused, "no part"):
                next(terrarium.read_set(part))
        with tempfile.TemporaryDirectory() as place, \
                self.assertRaisesRegex(terrarium.Refused, "no part"):
            next(terrarium.read_set(place))


if __name__ == "__main__":
    unittest.main()
