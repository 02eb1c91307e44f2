"""The command `portcullis` of this system."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the command."""
    command = Path(__file__).with_name("portcullis")
    os.execv(command, [str(command), *sys.argv[1:]])
