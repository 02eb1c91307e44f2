"""`portcullis-build`, installed with the package `portcullis`. Its modules are those of a program."""

import sys
from pathlib import Path


def main() -> int:
    """Runs the command."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from main import main as build  # type: ignore[import-not-found]

    return int(build())
