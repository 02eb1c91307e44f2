"""What a configuration is read as, and its schema."""

import sys
import unittest
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any, Optional

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis._config_schema import schema  # noqa: E402
from portcullis.config import _read  # noqa: E402


@dataclass
class Limits:
    calls: int | None
    name: Optional[str]
    rate: float = 1.0


@dataclass
class Either:
    calls: int | str | None


class Config(unittest.TestCase):
    def test_a_field_may_be_null(self) -> None:
        read = _read(Limits, {"calls": None, "name": "a", "rate": 2}, "")
        self.assertEqual(read, Limits(None, "a", 2.0))
        calls = schema(Limits)["properties"]["calls"]
        self.assertEqual(calls, {"anyOf": [{"type": "integer"}, {"type": "null"}]})

    def test_a_field_of_two_types_has_no_schema_and_is_not_read(self) -> None:
        for reject in (schema, lambda cls: _read(cls, {"calls": 2}, "")):
            with self.assertRaisesRegex(TypeError, r"no field of the type int \| str \| None"):
                reject(Either)

    def test_classes_of_one_name_have_schemas_of_their_own(self) -> None:
        kinds: list[Any] = [make_dataclass("Rule", [(name, str)]) for name in ("pattern", "path")]
        both = make_dataclass("Config", [("first", kinds[0]), ("second", kinds[1])])
        made = schema(both)
        for field, name in (("first", "pattern"), ("second", "path")):
            place = made["properties"][field]["$ref"].removeprefix("#/$defs/")
            self.assertEqual(list(made["$defs"][place]["properties"]), [name])


if __name__ == "__main__":
    unittest.main()
