#!/usr/bin/env python3
"""Makes a component of a hook in Python.

Looks at what the hook's module serves and imports, writes its world, and has componentize-py do
the rest. Runs in a Python that has componentize-py.

Example: python main.py src/hook.py --wit wit -o hook.wasm
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SDK = Path(__file__).resolve().parent.parent / "src"

#: What the component's own module is called, and its world.
ENTRY, WORLD = "portcullis_entry", "the-hook"

#: Modules of the SDK whose import by a hook is an import of the component.
CAPABILITIES = {
    "config": "wasi:config/store@0.2.0-rc.1",
    "log": "wasi:logging/logging@0.1.0-draft",
} | {
    name: name.replace("_", "-")
    for name in (
        "agent_state",
        "content",
        "conversation",
        "events",
        "prompt",
        "secrets",
        "session",
        "shared_state",
        "state",
        "tool_catalog",
        "tool_data",
        "verdict",
    )
}

#: The tool puts traps in the place of all that is called `wasi:`, so that Python's runtime reaches
#: nothing. What the host gives under such a name goes past it under another of the same length.
STAND_INS = [
    (f"wasi:{name}", f"host:{name}") for name in ("config/", "logging/", "config@", "logging@")
]

#: Run with the hook's module, in a process of its own: what it serves, and what it has loaded.
LOOK = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
from portcullis._hook import defined
points = list(defined[0].points) if defined else None
loaded = [name.partition(".")[2] for name in sys.modules if name.startswith("portcullis.")]
print(json.dumps([points, loaded]))
"""


class BuildError(Exception):
    """What is wrong with the hook, in words for whoever wrote it."""


def build(entry: Path, wit: Path, output: Path) -> None:
    """Makes the component of the hook in the module `entry`."""
    if not entry.is_file() or entry.suffix != ".py":
        raise BuildError(f"{entry} is no Python module")
    with tempfile.TemporaryDirectory(prefix="portcullis-") as place:
        contract, bindings, app = (Path(place, name) for name in ("wit", "bindings", "app"))
        shutil.copytree(wit, contract)
        componentize("-d", contract, "-w", "everything", "bindings", bindings)
        points, loaded = look(entry, bindings)
        (contract / f"{WORLD}.wit").write_text(world(points, loaded))
        hide(contract)
        app.mkdir()
        (app / f"{ENTRY}.py").write_text(
            f"import {entry.stem}\nfrom portcullis._serve import exports\n\nglobals().update(exports())\n"
        )
        paths = [word for path in (app, entry.parent, SDK) for word in ("-p", path)]
        componentize(
            "-d", contract, "-w", WORLD, "componentize", "--stub-wasi", *paths, ENTRY, "-o", output
        )
        restore(output)


def look(entry: Path, bindings: Path) -> tuple[list[str], list[str]]:
    """The points that the hook serves, and the modules of the SDK that are loaded with it."""
    path = os.pathsep.join(str(place.resolve()) for place in (entry.parent, SDK, bindings))
    ran = subprocess.run(
        [sys.executable, "-c", LOOK, entry.stem],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    if ran.returncode != 0:
        raise BuildError(
            f"{entry} cannot be imported:\n{ran.stderr.strip()}\n"
            "What a hook imports from the host can be called in its methods only."
        )
    points, loaded = json.loads(ran.stdout.splitlines()[-1])
    if points is None:
        raise BuildError(f"{entry} has no hook: put @hook(…) before a class")
    return points, loaded


def world(points: list[str], loaded: list[str]) -> str:
    """The hook's world: what it serves, and what its code imports."""
    lines = ["include hook;", *(f"include on-{point};" for point in points)]
    lines += [f"import {CAPABILITIES[name]};" for name in sorted(loaded) if name in CAPABILITIES]
    return f"world {WORLD} {{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def hide(contract: Path) -> None:
    """Puts the stand-ins into the WIT."""
    for file in contract.rglob("*.wit"):
        text = file.read_text()
        for name, other in STAND_INS:
            text = text.replace(name, other)
        file.write_text(text)


def restore(component: Path) -> None:
    """Puts the names back into the component."""
    made = component.read_bytes()
    for name, other in STAND_INS:
        made = made.replace(other.encode(), name.encode())
    component.write_bytes(made)


def componentize(*arguments: object) -> None:
    """Runs componentize-py."""
    tool = Path(sys.executable).with_name("componentize-py")
    ran = subprocess.run(
        [tool, "-q", *map(str, arguments)], capture_output=True, text=True
    )
    if ran.returncode != 0:
        said = (ran.stderr or ran.stdout).partition("Stack backtrace:")[0]
        raise BuildError(said.strip())


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("entry", type=Path, help="the module of the hook")
    parser.add_argument("--wit", type=Path, required=True, help="the contract")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the component")
    arguments = parser.parse_args()
    try:
        build(arguments.entry, arguments.wit, arguments.output)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
