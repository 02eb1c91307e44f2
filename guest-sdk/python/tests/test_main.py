"""Running the tool that makes the component."""

import os
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import main  # noqa: E402


class Componentize(unittest.TestCase):
    def test_packages_of_the_callers_environment_are_not_in_the_component(self) -> None:
        ran = subprocess.CompletedProcess([], 0)
        with (
            mock.patch.dict(os.environ, {"VIRTUAL_ENV": "/callers"}),
            mock.patch.object(subprocess, "run", return_value=ran) as run,
        ):
            main.componentize(None, Path("/empty"), Path("src"), "componentize")
        self.assertEqual(run.call_args.kwargs["env"]["VIRTUAL_ENV"], str(Path("/empty")))

    def test_an_error_of_a_module_has_its_places(self) -> None:
        raised = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
AssertionError: Traceback (most recent call last):
  File "/0/portcullis_entry.py", line 5, in <module>
    import hook
  File "/1/hook.py", line 23, in <module>
    x = f()
  File "/1/parts/words.py", line 20, in f
    return 1 / 0
ZeroDivisionError: division by zero


Caused by:
    ZeroDivisionError: division by zero

Stack backtrace:
   0: <anyhow::Error>::msg
"""
        hook, words = Path("src", "hook.py"), Path("src", "parts", "words.py")
        self.assertEqual(
            main.said(raised, Path("src")), f"{words}:20: ZeroDivisionError: division by zero\n  called at {hook}:23"
        )
        self.assertEqual(main.said("Caused by:\n    it is missing\n", Path("src")), "it is missing")


if __name__ == "__main__":
    unittest.main()
