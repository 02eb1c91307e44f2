#!/usr/bin/env python3
"""Makes the flat component of a hook in Python: two steps of `portcullis build`.

`look` writes what the hook's module serves, reads and imports; `make` writes its world, and has
componentize-py do the rest. Runs in a Python that has componentize-py.

Example: python main.py look src/hook.py --wit wit -o flat/look.json
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

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

#: Run with the hook's module, in a process of its own: what it serves, which records the method of each
#: point reads, and what it has loaded.
LOOK = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
from portcullis._hook import defined
from portcullis._reads import reads
points = None
if defined:
    hook = defined[0]
    points = {point: reads(getattr(hook.instance, name)) for point, name in hook.points.items()}
loaded = [name.partition(".")[2] for name in sys.modules if name.startswith("portcullis.")]
print(json.dumps({"points": points, "loaded": loaded}))
"""


class BuildError(Exception):
    """What is wrong with the hook, in words for whoever wrote it."""


def look(entry: Path, wit: Path) -> str:
    """What the hook in the module `entry` serves, with which records it reads there, and which modules
    of the SDK are loaded with it: as JSON."""
    if not entry.is_file() or entry.suffix != ".py":
        raise BuildError(f"{entry} is no Python module")
    with tempfile.TemporaryDirectory(prefix="portcullis-") as bindings:
        componentize("-d", wit, "-w", "everything", "bindings", bindings)
        path = os.pathsep.join(str(Path(place).resolve()) for place in (entry.parent, SDK, bindings))
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
    seen = ran.stdout.splitlines()[-1]
    if json.loads(seen)["points"] is None:
        raise BuildError(f"{entry} has no hook: put @hook(…) before a class")
    return seen


def make(entry: Path, flat: Path, output: Path) -> None:
    """Makes the component of the same hook, against its flat contract."""
    seen, calls = (json.loads((flat / name).read_text()) for name in ("look.json", "calls.json"))
    with tempfile.TemporaryDirectory(prefix="portcullis-") as place:
        contract, app = Path(place, "wit"), Path(place, "app")
        shutil.copytree(flat / "wit", contract)
        (contract / f"{WORLD}.wit").write_text(world(seen["points"], seen["loaded"]))
        hide(contract)
        app.mkdir()
        (app / f"{ENTRY}.py").write_text(module(entry.stem, seen["points"], calls))
        paths = [word for path in (app, entry.parent, SDK) for word in ("-p", path)]
        componentize(
            "-d", contract, "-w", WORLD, "componentize", "--stub-wasi", *paths, ENTRY, "-o", output
        )
        restore(output)


def module(hook: str, points: dict[str, list[bool]], calls: dict[str, Any]) -> str:
    """The component's own module: what is exported, and code that makes each point's records."""
    lines = [
        f"import {hook}",
        "from portcullis._serve import Describe, FlatSession, GOING_ON, serve, session, types",
    ]
    for point, read in points.items():
        name = point.replace("-", "_")
        fields, records = taken(point, calls[point], read)
        lines += [
            f"from wit_world.exports import {name} as {name}_types",
            f"{name}_ = serve('{point}')",
            f"{name} = {name}_.method",
            f"class {camel(point)}:",
            f"    def handle({', '.join(['self', *fields])}):",
            "        try:",
            f"            answered = {name}({records})",
            "        except BaseException as error:",
            f"            return {name}_.failed(error)",
            f"        return False if type(answered) in GOING_ON else {name}_.answered(answered)",
            "    def answer(self):",
            f"        return {name}_.answer()",
        ]
    return "\n".join([*lines, ""])


def taken(point: str, params: list[Any], read: list[bool]) -> tuple[list[str], str]:
    """The fields that a point is called with, and code that makes of them the records that are read."""
    fields: list[str] = []

    def value(param: Any) -> str:
        if "once" in param:
            return f"session.{param['once'].replace('-', '_')}"
        if "at" in param:
            fields.append(f"p{param['at']}")
            return fields[-1]
        record = param["record"]
        of = f"{point.replace('-', '_')}_types" if record["interface"] == point else "types"
        return f"{of}.{camel(record['name'])}({', '.join(map(value, record['fields']))})"

    # What is passed in memory is passed whether it is read or not.
    passed = [bool({"record", "at"} & param.keys()) for param in params]
    records = [value(param) if of else "None" for param, of in zip(params, passed)]
    return fields, ", ".join(made if of else "None" for made, of in zip(records, read))


def camel(name: str) -> str:
    """A name of the contract, as a class is called."""
    return "".join(word.capitalize() for word in name.split("-"))


def world(points: Iterable[str], loaded: list[str]) -> str:
    """The hook's world: what it serves, and what its code imports."""
    lines = ["include hook;", "export flat-session;", *(f"include on-{point};" for point in points)]
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
    commands = parser.add_subparsers(dest="command", required=True)
    looks = commands.add_parser("look", help="write what the hook serves, reads and imports")
    looks.add_argument("--wit", type=Path, required=True, help="the contract")
    makes = commands.add_parser("make", help="write the component")
    makes.add_argument(
        "--flat",
        type=Path,
        required=True,
        help="the flat contract of the hook: its WIT in wit, calls.json, and what look wrote, as look.json",
    )
    for command in (looks, makes):
        command.add_argument("entry", type=Path, help="the module of the hook")
        command.add_argument("-o", "--output", type=Path, required=True, help="what is written")
    arguments = parser.parse_args()
    try:
        if arguments.command == "look":
            arguments.output.write_text(look(arguments.entry, arguments.wit))
        else:
            make(arguments.entry, arguments.flat, arguments.output)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
