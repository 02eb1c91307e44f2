"""The copy of the tool: one for each version of it, which every user can read."""

import contextlib
import importlib.metadata
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import main  # noqa: E402
import steady_tool  # noqa: E402


def make(to: Path) -> None:
    (to / "made").write_text("")


class Copy(unittest.TestCase):
    def setUp(self) -> None:
        self.place = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(sys, "prefix", str(self.place)))
        self.enterContext(mock.patch.object(importlib.metadata, "version", lambda _: self.version))
        self.make = self.enterContext(mock.patch.object(steady_tool, "_make", side_effect=make))
        self.version = "1"

    def test_it_is_made_once_for_each_version(self) -> None:
        one, again = steady_tool.prepared(), steady_tool.prepared()
        self.assertEqual((one, self.make.call_count), (again, 1))
        self.version = "2"
        self.assertNotEqual(steady_tool.prepared(), one)
        self.assertEqual(self.make.call_count, 2)

    def test_every_user_can_read_it(self) -> None:
        self.assertEqual(steady_tool.prepared().stat().st_mode & 0o777, 0o755)

    def test_no_space_for_it_is_unknown(self) -> None:
        self.make.side_effect = OSError("no space")
        with self.assertRaisesRegex(steady_tool.Unknown, "a copy cannot be made: no space"):
            steady_tool.prepared()
        self.assertEqual(list(self.place.iterdir()), [])

    def test_no_installed_tool_is_unknown(self) -> None:
        missing = importlib.metadata.PackageNotFoundError("componentize-py")
        with mock.patch.object(importlib.metadata, "version", side_effect=missing):
            self.assertRaises(steady_tool.Unknown, steady_tool.prepared)

    def test_a_module_of_the_project_is_not_run_in_its_place(self) -> None:
        tool, project = self.place / "tool", self.place / "project"
        for place, does in ((tool, "pass"), (project, "raise SystemExit('the project')")):
            place.mkdir()
            (place / f"{steady_tool.PACKAGE}.py").write_text(f"def script():\n    {does}\n")
        with contextlib.chdir(project):
            main.componentize(tool, project, project)


if __name__ == "__main__":
    unittest.main()
