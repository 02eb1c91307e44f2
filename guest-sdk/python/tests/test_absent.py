"""The parts of a system that a component does not have, each in a process of its own."""

import subprocess
import sys
import textwrap
import unittest
from pathlib import Path

SDK = Path(__file__).parents[1]

#: Replaces the absent parts, and takes some of them as a module does that is loaded before the first call.
START = """
import importlib.util, linecache, os, sys
from portcullis import _absent, _system
_absent.prepare(has_sockets=True, has_files=False)
from io import FileIO, open as taken
from os import listdir
from socket import create_connection, gethostbyname, socket

def fails(look, expected, text):
    try:
        look()
    except expected as error:
        assert text in str(error), error
    else:
        assert False, look

"""


class Absent(unittest.TestCase):
    def run_in_python(self, source: str) -> None:
        """Checks that the source runs without an error."""
        ran = subprocess.run(
            [sys.executable, "-c", START + textwrap.dedent(source)],
            env={"PYTHONPATH": str(SDK / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_build_has_files_and_sockets(self) -> None:
        self.run_in_python("""
            assert listdir("/") and os.path.exists("/") and os.path.realpath("/") == "/"
            taken(sys.executable, "rb").close()
            FileIO(sys.executable).close()
            socket().close()
        """)

    def test_files_are_missing_in_a_call_whenever_the_function_was_taken(self) -> None:
        self.run_in_python("""
            _system.running.append(True)
            for look in (listdir, os.listdir, taken, open, FileIO, os.stat):
                fails(lambda: look("/"), FileNotFoundError, "a hook in Python has no files: '/'")
            assert not os.path.exists("/")
            assert linecache.getline(sys.executable, 1) == ""
        """)

    def test_no_link_is_taken_for_a_file(self) -> None:
        self.run_in_python("""
            from pathlib import Path
            _system.running.append(True)
            for look in (os.path.realpath, os.path.islink, os.path.lexists, os.readlink):
                fails(lambda: look("/etc/passwd"), NotImplementedError, "it cannot follow links")
            for look in (os.stat, Path.stat):
                own = lambda: look(Path("/etc/passwd"), follow_symlinks=False)
                fails(own, NotImplementedError, "it cannot follow links")
            fails(Path("/etc/passwd").lstat, NotImplementedError, "it cannot follow links")
        """)

    def test_sockets_are_an_error_in_a_call(self) -> None:
        self.run_in_python("""
            _system.running.append(True)
            for look in (socket, lambda: create_connection(("127.0.0.1", 1)), lambda: gethostbyname("a")):
                fails(look, OSError, "a hook has no sockets")
        """)

    def test_what_opens_urls_takes_no_sockets_before(self) -> None:
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                "from portcullis import _runtime, _system\n"
                "_runtime.prepare(writes=False, needs_clock_and_random=True, sleeps=False, waits=False, opens=True, has_files=False, zones=False)\n"
                "import socket\n"
                "_system.running.append(True)\n"
                "try: socket.socket()\n"
                "except OSError as error: assert 'no sockets' in str(error), error\n"
                "else: assert False\n",
            ],
            env={"PYTHONPATH": str(SDK / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_function_that_a_class_keeps_is_no_method(self) -> None:
        self.run_in_python("""
            class Reader:
                read = open
            Reader().read(sys.executable).close()
        """)

    def test_modules_that_are_loaded_late_are_missing_but_for_those_of_other_finders(self) -> None:
        self.run_in_python("""
            import types
            from importlib.machinery import ModuleSpec
            class VendoredMetaPathImporter:
                def find_spec(self, name, path=None, target=None):
                    return ModuleSpec(name, self) if name == "moved" else None
                def create_module(self, spec):
                    return types.ModuleType(spec.name)
                def exec_module(self, module):
                    pass
            sys.meta_path.append(VendoredMetaPathImporter())
            from portcullis import _failure, _runtime
            _runtime.NATIVE = False
            _runtime.begin()
            assert "colorsys" not in sys.modules and importlib.util.find_spec("colorsys") is None
            try:
                import colorsys
            except ModuleNotFoundError as error:
                assert error.name == "colorsys"
                assert "name it in an `import` of the hook" in _failure.words(error)
            else:
                assert False
            import moved
        """)


if __name__ == "__main__":
    unittest.main()
