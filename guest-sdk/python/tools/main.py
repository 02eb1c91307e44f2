#!/usr/bin/env python3
"""Makes the component of a hook in Python: the last step of `portcullis build`, and `portcullis-build` of the package.

Reads in the hook's source which points it serves and what it uses, writes a world with exactly
that, and has componentize-py do the rest. Runs in a Python that has componentize-py.

Example: portcullis-build src/hook.py -o hook.wasm
"""

import argparse
import difflib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import steady_tool
import stubs
import uses
import world

HERE = Path(__file__).resolve().parent

#: The module that hooks import: in the SDK's sources, or where the package is installed.
SDK = next(path for path in (HERE.parent / "src" / "portcullis", HERE.parent / "portcullis") if path.is_dir())

#: What the component's own module is called.
ENTRY = "portcullis_entry"

#: The tool puts traps in the place of all that is called `wasi:`, so that Python's runtime reaches
#: nothing. What the host gives under such a name goes past it under another of the same length.
STAND_INS = [
    (f"wasi:{name}{end}", f"host:{name}{end}")
    for name in ("config", "logging", "clocks", "random", "io", "http", "filesystem")
    for end in "/@"
]


class BuildError(Exception):
    """What is wrong with the hook, in words for whoever wrote it."""


def build(entry: Path, wit: Path, output: Path) -> None:
    """Makes the component of the hook in the module `entry`."""
    if not entry.is_file() or entry.suffix != ".py":
        raise BuildError(f"{entry} is not a Python module")
    try:
        used = uses.read(entry)
    except uses.SourceError as error:
        raise BuildError(str(error)) from None
    if used.methods is None:
        raise BuildError(f"{entry} has no hook: put @hook(…) before a class")
    served = points(used.methods, world.points(wit))
    with tempfile.TemporaryDirectory(prefix="portcullis-") as place:
        contract, app, sdk, hook = (Path(place, name) for name in ("wit", "app", "sdk", "hook"))
        world.write(wit, contract, served, used)
        hide(contract)
        # Copies, since the tool leaves compiled modules beside those that it loads.
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(SDK, sdk / "portcullis", ignore=without)
        shutil.copytree(entry.parent, hook, ignore=without)
        app.mkdir()
        capabilities = [name for name in sorted(world.CAPABILITIES) if used.has(name)]
        (app / f"{ENTRY}.py").write_text(module(entry.stem, served, capabilities, used))
        system = Path(place, "system")
        system.mkdir()
        tool = steady(system, seed(app, hook, sdk))
        if used.zones:
            shutil.copytree(zones(), system / "tzdata", ignore=without)
        paths = [word for path in (app, hook, sdk, system) for word in ("-p", path)]
        # The tool puts the packages of the environment into the component, and of this one there are none.
        (empty := Path(place, "environment")).joinpath("lib", "site-packages").mkdir(parents=True)
        componentize(
            tool, empty, "-d", contract, "-w", world.WORLD, "componentize", "--stub-wasi", *paths, ENTRY,
            "-o", output,
        )  # fmt: skip
        output.write_bytes(stubs.ordered(restored(output.read_bytes())))


def steady(system: Path, seed: int) -> Path | None:
    """The tool that gives the same component each time, with its library in `system`; None if there is none."""
    try:
        tool = steady_tool.prepared()
    except steady_tool.Unknown as why:
        print(f"note: two builds of this hook will differ, since the tool is another one: {why}", file=sys.stderr)
        return None
    # The tool links what has this ending and is in a directory of modules.
    (system / "steady.abi3.so").write_bytes(steady_tool.library(tool, seed))
    return tool


def zones() -> Path:
    """The package with the data of time zones."""
    found = importlib.util.find_spec("tzdata")
    if found is None or found.origin is None:
        raise BuildError("the hook imports `zoneinfo`, whose data is in a package that is not installed; run: pip install tzdata")
    return Path(found.origin).parent


def seed(*sources: Path) -> int:
    """What random bytes follow from while a component is built: Python's hashes do. Only who has the hook can know it."""
    digest = hashlib.sha256()
    for source in sources:
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(source).as_posix()}\0{len(content)}\0".encode() + content)
    return int.from_bytes(digest.digest()[:8], "little", signed=True)


def points(methods: Iterable[str], known: list[str]) -> list[str]:
    """The points that the methods are called like."""
    served = []
    for method in methods:
        point = method.replace("_", "-")
        if point not in known:
            near = difflib.get_close_matches(point, known, 1)
            hint = f"did you mean `{near[0].replace('-', '_')}`? " if near else ""
            raise BuildError(
                f"`{method}` is not a point: {hint}The name of a helper begins with an underscore"
            )
        served.append(point)
    if not served:
        raise BuildError(
            "the hook serves no point: give its class a method, such as pre_turn(self, context, call)"
        )
    return served


def module(hook: str, served: list[str], capabilities: list[str], used: uses.Uses) -> str:
    """The component's own module: what it exports."""
    lines = [f"import portcullis.{name}" for name in capabilities]
    lines += ["import portcullis._wire"] if used.requests else []
    lines += [
        "from portcullis import _runtime, _serve",
        f"_runtime.prepare(writes={used.writes}, needs_clock_and_random={used.needs_clock_and_random}, sleeps={used.sleeps}, waits={used.waits}, opens={used.opens}, has_files={used.files}, zones={used.zones})",
        f"_runtime.load({[tuple(statement) for statement in used.imports]})",
        f"import {hook}",
        f"hook = _serve.hook({served})",
        "instance = hook.cls()",
        "Describe = _serve.describe(hook)",
    ]
    if used.configured:
        lines += [
            "from portcullis import _config_schema",
            "Configuration = _config_schema.export(hook)",
        ]
    lines += [f"{camel(point)} = _serve.serve('{point}', instance)" for point in served]
    return "\n".join([*lines, ""])


def camel(name: str) -> str:
    """A name of the contract, as a class is called."""
    return "".join(word.capitalize() for word in name.split("-"))


def hide(contract: Path) -> None:
    """Puts the stand-ins into the WIT."""
    for file in contract.rglob("*.wit"):
        text = file.read_text(encoding="utf-8")
        for name, other in STAND_INS:
            text = text.replace(name, other)
        file.write_text(text, encoding="utf-8")


def restored(component: bytes) -> bytes:
    """The component with the names restored."""
    for name, other in STAND_INS:
        component = component.replace(other.encode(), name.encode())
    return component


def componentize(tool: Path | None, packages: Path, *arguments: object) -> None:
    """Runs componentize-py: the copy in a directory, or the one that is installed. The component has the packages of the
    virtual environment `packages`, and none of the Python that runs this."""
    # Without the working directory, where a module of the project's may have the tool's name.
    run = (
        "import sys; sys.path = [path for path in sys.path if path]; "
        "from componentize_py import script; sys.exit(script())"
    )
    command = [sys.executable, "-c", run, "-q", *map(str, arguments)]
    environment = os.environ | {"VIRTUAL_ENV": str(packages)} | ({"PYTHONPATH": str(tool)} if tool else {})
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    if ran.returncode != 0:
        said = (ran.stderr or ran.stdout).partition("Stack backtrace:")[0]
        # The tool says the same twice, behind a traceback of its own.
        said = said.rpartition("Caused by:")[2]
        raise BuildError(said.strip())


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("entry", type=Path, help="the module of the hook")
    parser.add_argument("--wit", type=Path, default=HERE / "wit", help="the contract; the package's own if left out")
    parser.add_argument("-o", "--output", type=Path, required=True, help="what is written")
    arguments = parser.parse_args()
    try:
        build(arguments.entry, arguments.wit, arguments.output)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
