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
from uses import EVERYTHING, Method, Returned, Uses  # noqa: E402
from portcullis._points import ANSWERS  # noqa: E402

WIT = SDK.parents[1] / "wit"


def write(served: list[str], *used: str) -> tuple[str, dict[str, list[str]]]:
    """Returns the world, and the functions that are left in each answer interface."""
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
    def used(self, *names: str) -> Uses:
        methods = [Method(name, f"src/hook.py:{line}") for line, name in enumerate(names, 8)]
        return Uses(methods=methods, place="src/hook.py:7")

    def test_a_method_that_is_not_a_point_has_a_hint(self) -> None:
        with self.assertRaisesRegex(main.BuildError, "^src/hook.py:8: `pre_trun` is not a point: did you mean `pre_turn`"):
            main.points(self.used("pre_trun"), ["pre-turn"])

    def test_a_hook_without_points(self) -> None:
        with self.assertRaisesRegex(main.BuildError, "^src/hook.py:7: the hook serves no point"):
            main.points(self.used(), ["pre-turn"])

    def test_the_points_are_those_of_the_manifest(self) -> None:
        used, served = self.used("pre_turn", "post_turn"), ["pre-turn", "post-turn"]
        main.compare(used, served, ["post-turn", "pre-turn"])
        with self.assertRaisesRegex(main.BuildError, "^src/hook.py:9: the hook serves post-turn, and portcullis.toml names pre-turn: "):
            main.compare(used, served, ["pre-turn"])
        with self.assertRaisesRegex(main.BuildError, "^src/hook.py:7: portcullis.toml names pre-step, .* a method pre_step"):
            main.compare(used, served, [*served, "pre-step"])


class Answered(unittest.TestCase):
    def test_what_may_be_answered_is_in_the_contract(self) -> None:
        self.assertEqual(world.legal(WIT), {point: list(legal) for point, legal in ANSWERS.items() if legal})

    def test_an_outcome_that_is_not_legal_has_its_line_and_the_others(self) -> None:
        legal = {"pre-turn": ["transform", "reject"], "pre-tool-call": ["ask"]}
        for function, is_legal in {"reject": True, "proceed": True, "text": True, "ask": False}.items():
            method = Method("pre_turn", "src/hook.py:8", (Returned(function, "src/hook.py:9"),))
            if is_legal:
                main.answers([method], legal)
                continue
            says = r"^src/hook.py:9: `ask` cannot be answered at pre-turn: return proceed\(\), transform\(…\), reject\(…\)$"
            with self.assertRaisesRegex(main.BuildError, says):
                main.answers([method], legal)


if __name__ == "__main__":
    unittest.main()
