"""Hooks directories of real components, which the test program that runs these tests has built."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portcullis_host import Hooks

COMPONENTS = Path(os.environ["PORTCULLIS_TEST_COMPONENTS"])
CACHE = Path(os.environ["PORTCULLIS_TEST_CACHE"])

Load = Callable[..., Hooks]
LoadScript = Callable[[str, Any], Hooks]


@pytest.fixture
def directory(tmp_path: Path) -> Callable[..., Path]:
    """Makes a hooks directory with the probe, which performs these actions at the points."""

    def make(**actions: str) -> Path:
        dir = tmp_path / "hooks"
        dir.mkdir()
        shutil.copy(COMPONENTS / "probe.wasm", dir)
        lines = [f"{point.replace('_', '-')} = {json.dumps(action)}" for point, action in actions.items()]
        (dir / "hooks.toml").write_text(
            "[hooks.probe.grants]\nstate = true\nevents = true\n"
            'contribute = ["policy", "context", "section", "tools", "note", "job"]\n'
            "[hooks.probe.config]\n" + "\n".join(lines)
        )
        return dir

    return make


@pytest.fixture
def load(directory: Callable[..., Path]) -> Load:
    """Loads the probe with these actions."""
    return lambda **actions: Hooks.load(directory(**actions), cache=CACHE)


@pytest.fixture
def load_script(tmp_path: Path) -> LoadScript:
    """Loads a command as a hook that returns this outcome at this point."""

    def load(point: str, outcome: Any) -> Hooks:
        dir = tmp_path / "scripts"
        dir.mkdir()
        (dir / "outcome.json").write_text(json.dumps(outcome))
        (dir / "hooks.toml").write_text(
            f'[scripts.told]\ncommand = ["cat", "outcome.json"]\npoints = ["{point}"]\nrole = "transform"\n'
        )
        return Hooks.load(dir, cache=CACHE)

    return load


@pytest.fixture
def sleeper(tmp_path: Path) -> Hooks:
    """Loads a hook that waits for the number of milliseconds in the user's message."""
    dir = tmp_path / "sleepers"
    dir.mkdir()
    shutil.copy(COMPONENTS / "sleeper.wasm", dir)
    limits = '[hooks.sleeper.limits]\nwall-ms = 600000\n[unnamed]\nload = "trusted"\n'
    (dir / "hooks.toml").write_text(limits)
    return Hooks.load(dir, cache=CACHE)
