"""The values that `@hook(…)` takes."""

import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis import hook  # noqa: E402


class Described(unittest.TestCase):
    def test_a_value_of_another_type_is_named_with_its_field(self) -> None:
        for name, value, takes in [
            ("id", None, "a string"),
            ("description", 5, "a string"),
            ("version", 1.0, "a string"),
            ("priority", "high", "a whole number from -2147483648 to 2147483647"),
            ("priority", 1.5, "a whole number"),
            ("priority", True, "a whole number"),
            ("priority", 2**31, "a whole number"),
            ("failure", "opne", '"fail-open" or "fail-closed"'),
            ("deadline_ms", -1, "a whole number from 0 to 4294967295"),
            ("execution", None, '"blocking" or "deadline" or "fire-and-record" or "background"'),
            ("after", "other", "a list of strings"),
            ("after", [1], "a list of strings"),
            ("config", {}, "a class"),
        ]:
            given: dict[str, Any] = {"id": "a", "description": "A.", name: value}
            with self.subTest(name, value=value), self.assertRaises(TypeError) as raised:
                hook(**given)
            said = str(raised.exception)
            self.assertTrue(said.startswith(f"`{name}` takes {takes}"), said)
            self.assertTrue(said.endswith(f", and was given {value!r}"), said)

    def test_what_fits_is_taken(self) -> None:
        hook(
            id="a",
            description="A.",
            priority=-5,
            failure="fail-open",
            deadline_ms=0,
            execution="background",
            after=("other",),
        )
        hook(id="a", description="A.", priority=None, failure=None, deadline_ms=None, after=[], config=None)


if __name__ == "__main__":
    unittest.main()
