"""The test that the book shows."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "guest-sdk/python/src"), str(ROOT / "docs/hooks/word-filter")]

import test_hook  # noqa: E402


class Book(unittest.TestCase):
    def test_it_passes(self) -> None:
        tests = [test for name, test in vars(test_hook).items() if name.startswith("test_")]
        self.assertEqual(len(tests), 2)
        for test in tests:
            test()


if __name__ == "__main__":
    unittest.main()
