"""The standard streams of a component, and its beginning."""

import importlib
import io
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis import _absent, _runtime, _system  # noqa: E402


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
            mock.patch.object(_runtime, "unfinished", set()) as unfinished,
            mock.patch.multiple(sys, stdout=build, stderr=build, __stdout__=build, __stderr__=build),
        ):
            _runtime.prepare(writes=True, needs_clock_and_random=False, sleeps=False, waits=False, opens=False, has_files=False, zones=False)
            taken = sys.stderr
            taken.reconfigure(line_buffering=True)  # type: ignore[union-attr]
            print("early", file=taken)
            self.assertEqual((build.getvalue(), lines), ("early\n", []))
            _system.running.append(True)
            print("late", file=taken)
            self.assertFalse(unfinished)
            print("late\nend", file=taken, end="")
            self.assertEqual(unfinished, {taken})
            _runtime.flush()
            self.assertFalse(unfinished)
        self.assertEqual(build.getvalue(), "early\n")
        self.assertEqual(lines, [("warn", "", "late"), ("warn", "", "late"), ("warn", "", "end")])


class Beginning(unittest.TestCase):
    def test_an_instance_begins_once(self) -> None:
        begun = mock.Mock()
        with (
            mock.patch.object(_runtime, "NATIVE", False),
            mock.patch.object(_system, "running", []) as running,
            mock.patch.object(_system, "begin", lambda: (begun(), running.append(True))),
        ):
            _runtime.begin()
            _runtime.begin()
        begun.assert_called_once_with()


class Loading(unittest.TestCase):
    def setUp(self) -> None:
        place = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(mock.patch.object(sys, "path", [place, *sys.path]))
        self.enterContext(mock.patch.dict(sys.modules))
        for module, text in {"__init__": "limit = 1", "check": "", "broken": "import not_there"}.items():
            Path(place, "rules").mkdir(exist_ok=True)
            Path(place, "rules", f"{module}.py").write_text(text)
        importlib.invalidate_caches()

    def test_a_module_that_is_imported_from_its_package_is_loaded(self) -> None:
        _runtime.load([("rules", ("check", "limit", "*"), "hook.py:3")])
        self.assertIn("rules.check", sys.modules)

    def test_a_name_that_is_in_no_module_is_told_with_its_line(self) -> None:
        with self.assertRaisesRegex(ImportError, "hook.py:3 imports `rules`: there is no `chekc` in it"):
            _runtime.load([("rules", ("check", "chekc"), "hook.py:3")])

    def test_what_an_import_under_a_condition_does_not_find_is_no_error(self) -> None:
        _runtime.load([("rules", ("broken", "chekc"), None), ("rules", ("check",), "hook.py:3")])
        with self.assertRaisesRegex(ImportError, "hook.py:4 imports `rules`: No module named 'not_there'"):
            _runtime.load([("rules", ("broken",), "hook.py:4")])

    def test_functions_of_the_library_import_nothing_more(self) -> None:
        source = textwrap.dedent("""
            import sys
            sys.dont_write_bytecode = True
            from portcullis import _runtime
            names = "collections datetime email time urllib.parse uuid"
            _runtime.load((name, (), None) for name in names.split())
            import collections, datetime, email, time, urllib.parse, uuid
            before = set(sys.modules)
            collections.Counter("aab").most_common(1)
            datetime.datetime.strptime("2026", "%Y")
            time.strptime("2026", "%Y")
            email.message_from_string("From: a\\n\\nb").as_string()
            urllib.parse.urlsplit("http://\\u00f1.example")
            uuid.uuid5(uuid.NAMESPACE_DNS, "a")
            assert set(sys.modules) == before, set(sys.modules) - before
        """)
        ran = subprocess.run(
            [sys.executable, "-c", source],
            env={"PYTHONPATH": str(Path(__file__).parents[1] / "src")},
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
