"""The standard streams of a component, and its beginning."""

import importlib.util
import io
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis import _absent, _failure, _runtime, _system  # noqa: E402


class Streams(unittest.TestCase):
    def test_a_stream_that_is_taken_early_is_the_builds_and_then_the_logs(self) -> None:
        lines: list[tuple[object, str, str]] = []
        interface = mock.Mock(log=lambda *line: lines.append(line))
        interface.Level.INFO, interface.Level.WARN = "info", "warn"
        build = io.StringIO()
        with (
            mock.patch.object(_runtime, "imported", lambda name: interface),
            mock.patch.object(_absent, "prepare"),
            mock.patch.object(_system, "running", []),
            mock.patch.object(_runtime, "streams", {}),
            mock.patch.multiple(sys, stdout=build, stderr=build, __stdout__=build, __stderr__=build),
        ):
            _runtime.prepare(writes=True, reaches=False, sleeps=False, opens=False)
            taken = sys.stderr
            taken.reconfigure(line_buffering=True)  # type: ignore[union-attr]
            print("early", file=taken)
            self.assertEqual((build.getvalue(), lines), ("early\n", []))
            _system.running.append(True)
            print("late\nend", file=taken, end="")
            _runtime.flush()
        self.assertEqual(build.getvalue(), "early\n")
        self.assertEqual(lines, [("warn", "", "late"), ("warn", "", "end")])

class Beginning(unittest.TestCase):
    def test_an_instance_begins_once(self) -> None:
        begun = mock.Mock()
        with (
            mock.patch.object(_runtime, "NATIVE", False),
            mock.patch.object(_system, "running", []) as running,
            mock.patch.object(_system, "begin", lambda: (begun(), running.append(True))),
            mock.patch.object(_absent, "begin"),
            mock.patch.object(sys, "meta_path", list(sys.meta_path)),
        ):
            _runtime.begin()
            _runtime.begin()
        begun.assert_called_once_with()


class Missing(unittest.TestCase):
    def test_a_look_for_a_module_finds_nothing_and_an_import_fails_with_a_hint(self) -> None:
        with (
            mock.patch.object(_runtime, "NATIVE", False),
            mock.patch.object(_system, "begin"),
            mock.patch.object(_absent, "begin"),
            mock.patch.object(sys, "meta_path", list(sys.meta_path)),
        ):
            _runtime.begin()
            self.assertIsNone(importlib.util.find_spec("numpy"))
            with self.assertRaises(ModuleNotFoundError) as raised:
                importlib.import_module("numpy")
        self.assertEqual(raised.exception.name, "numpy")
        self.assertIn("name it in an `import` of the hook", _failure.words(raised.exception))


if __name__ == "__main__":
    unittest.main()
