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
            main.componentize(None, Path("/empty"), "componentize")
        self.assertEqual(run.call_args.kwargs["env"]["VIRTUAL_ENV"], str(Path("/empty")))


if __name__ == "__main__":
    unittest.main()
