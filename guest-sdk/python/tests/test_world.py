"""The world that the build writes."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

SDK = Path(__file__).parents[1]
sys.path[:0] = [str(SDK / "tools"), str(SDK / "src")]

import main  # noqa: E402
import world  # noqa: E402
from uses import EVERYTHING, Uses  # noqa: E402
from portcullis._points import ANSWERS  # noqa: E402

WIT = SDK.parents[1] / "wit"


def write(served: list[str], *used: str) -> tuple[str, dict[str, list[str]]]:
    """The world, and the functions that are left in each answer interface."""
    with tempfile.TemporaryDirectory() as place:
        to = Path(place, "wit")
        world.write(WIT, to, served, Uses(set(used)))
        left = {}
        for file in to.glob("*.wit"):
            for interface in world.ANSWER.finditer(file.read_text()):
                functions = re.findall(r"^    ([a-z-]+): func", interface["body"], re.MULTILINE)
                left[interface["point"]] = functions
        return (to / f"{world.WORLD}.wit").read_text(), left


class World(unittest.TestCase):
    def test_it_names_what_is_used(self) -> None:
        text, left = write(["pre-tool-call", "post-step"], "reject", "tool_data", "log")
        self.assertEqual(
            text,
            "world the-hook {\n"
            "    export describe;\n"
            "    import call;\n"
            "    import failure;\n"
            "    import pre-tool-call-facts;\n"
            "    import pre-tool-call-answer;\n"
            "    export pre-tool-call;\n"
            "    import post-step-facts;\n"
            "    export post-step;\n"
            "    import wasi:logging/logging@0.1.0-draft;\n"
            "    import tool-data;\n"
            "}\n",
        )
        self.assertEqual(left["pre-tool-call"], ["reject"])

    def test_a_configuration_is_an_export(self) -> None:
        text = world.text_of(["pre-turn"], {}, [], configured=True)
        self.assertIn("    export configuration;\n", text)

    def test_each_answer_is_left_where_it_is_legal_alone(self) -> None:
        answers = sorted({name for legal in ANSWERS.values() for name in legal})
        self.assertEqual(len(answers), 16)
        for answer in answers:
            text, left = write(list(ANSWERS), answer)
            for point, legal in ANSWERS.items():
                expected = [answer.replace("_", "-")] if answer in legal else []
                self.assertEqual(left.get(point, []), expected, (answer, point))
                self.assertEqual(f"import {point}-answer;" in text, bool(expected))

    def test_everything_leaves_the_contract_as_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            to = Path(place, "wit")
            world.write(WIT, to, ANSWERS, Uses({EVERYTHING}))
            for file in WIT.glob("*.wit"):
                self.assertEqual((to / file.name).read_text(), file.read_text())

    def test_the_points_are_those_of_the_contract(self) -> None:
        self.assertEqual(sorted(world.points(WIT)), sorted(ANSWERS))


class Points(unittest.TestCase):
    def test_a_method_that_is_not_a_point_has_a_hint(self) -> None:
        with self.assertRaisesRegex(main.BuildError, "did you mean `pre_turn`"):
            main.points(["pre_trun"], ["pre-turn"])

    def test_a_hook_without_points(self) -> None:
        with self.assertRaisesRegex(main.BuildError, "serves no point"):
            main.points([], ["pre-turn"])


if __name__ == "__main__":
    unittest.main()
