"""Locks for a hook's one thread."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis._threads import Lock  # noqa: E402


class Locks(unittest.TestCase):
    def test_a_lock_is_held_until_it_is_released(self) -> None:
        lock = Lock()
        with lock:
            self.assertTrue(lock.locked())
            self.assertFalse(lock.acquire(False))
            self.assertFalse(lock.acquire(timeout=0.001))
        self.assertTrue(lock.acquire())
        lock.release()
        with self.assertRaisesRegex(RuntimeError, "unlocked"):
            lock.release()

    def test_what_nothing_can_end_is_an_error(self) -> None:
        lock = Lock()
        lock.acquire()
        with self.assertRaisesRegex(RuntimeError, "waits for what never happens"):
            lock.acquire()

    def test_arguments_that_exclude_each_other_are_refused(self) -> None:
        for arguments in ((False, 1.0), (True, -2.0)):
            with self.assertRaises(ValueError):
                Lock().acquire(*arguments)


if __name__ == "__main__":
    unittest.main()
