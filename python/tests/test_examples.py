"""The worked examples of docs/research.md learn something."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                                "examples"))

import train_table  # noqa: E402


class Table(unittest.TestCase):
    def test_high_cards_stay(self):
        """With the highest card nobody folds, as chance is fixed."""
        table = train_table.learn(3000)
        stay, fold = 0, 1
        for rounds_left in (0, 1, 2):
            key = "6 0 %d 0 0 0" % rounds_left
            self.assertEqual(train_table.best(table, key, [stay, fold]), stay)


if __name__ == "__main__":
    unittest.main()
