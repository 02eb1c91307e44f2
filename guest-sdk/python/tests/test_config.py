"""Reading a configuration, and its schema."""

import json
import sys
import unittest
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, Any, Optional

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis import hook  # noqa: E402
from portcullis._config_schema import export, schema  # noqa: E402
from portcullis._hook import defined  # noqa: E402
from portcullis.config import Example, _read  # noqa: E402


@dataclass
class Limits:
    calls: int | None
    name: Optional[str]
    rate: float = 1.0


@dataclass
class Either:
    calls: int | str | None


@dataclass
class Words:
    words: Annotated[list[str], "The words.", Example(["password"])]
    limits: Limits = field(default_factory=lambda: Limits(None, None))
    most: int = 3


class Config(unittest.TestCase):
    def test_examples_are_what_an_operator_would_write(self) -> None:
        made = schema(Words, [Words(["a"]), Words(["b"], Limits(2, "a"), most=4)])
        self.assertEqual(made["properties"]["words"]["examples"], [["password"]])
        expected = [{"words": ["a"]}, {"words": ["b"], "limits": {"calls": 2, "name": "a"}, "most": 4}]
        self.assertEqual(made["examples"], expected)

    def test_an_example_that_is_no_configuration_is_named(self) -> None:
        with self.assertRaisesRegex(TypeError, "does not have: .*<object object"):
            schema(Words, [Words([object()])])  # type: ignore[list-item]
        with self.assertRaisesRegex(TypeError, r"an object of the class `config`: Limits\("):
            hook(id="a", description="A.", config=Words, config_examples=[Limits(1, "a")])

    def test_the_examples_of_a_hook_are_in_its_schema(self) -> None:
        @hook(id="a", description="A.", config=Words, config_examples=[Words(["a"])])
        class A:
            def pre_turn(self, context: object, call: object) -> None: ...

        made = export(defined.pop())().schema()
        self.assertEqual(json.loads(made)["examples"], [{"words": ["a"]}])

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
