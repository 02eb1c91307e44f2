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
import re
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

#: The variable with the points that the project's manifest names, in `portcullis build`.
POINTS = "PORTCULLIS_POINTS"

#: The name of the component's own module.
ENTRY = "portcullis_entry"

#: The index of the directory where a component's own Python finds the hook's modules, among those that the tool is given.
HOOK = 1

#: The tool replaces all imports of `wasi:` by traps, so that Python's runtime reaches
#: nothing. The host's own interfaces have another name of the same length meanwhile.
STAND_INS = [
    (f"wasi:{name}{end}", f"host:{name}{end}")
    for name in ("config", "logging", "clocks", "random", "io", "http", "filesystem")
    for end in "/@"
]


#: The exit code for a wrong hook. Python exits with 1 if this program is wrong.
WRONG_HOOK = 3


class BuildError(Exception):
    """The error of a wrong hook, in words for its author."""


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
    served = points(used, world.points(wit))
    if named := os.environ.get(POINTS):
        compare(used, served, named.split(","))
    answers(used.methods, world.legal(wit))
    with tempfile.TemporaryDirectory(prefix="portcullis-") as place:
        contract, app, sdk, hook = (Path(place, name) for name in ("wit", "app", "sdk", "hook"))
        world.write(wit, contract, served, used)
        hide(contract)
        # These are copies, since the tool leaves compiled modules beside those that it loads.
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
        # The tool bundles the packages of an environment, so it gets one without packages.
        environment = Path(place, "environment")
        (environment / "lib" / "site-packages").mkdir(parents=True)
        componentize(
            tool, environment, entry.parent, "-d", contract, "-w", world.WORLD, "componentize", "--stub-wasi", *paths, ENTRY,
            "-o", output,
        )  # fmt: skip
        output.write_bytes(stubs.ordered(restored(output.read_bytes())))


def steady(system: Path, seed: int) -> Path | None:
    """Returns the tool that makes the same component each time, with its library in `system`; None if there is none."""
    try:
        tool = steady_tool.prepared()
    except steady_tool.Unknown as why:
        print(f"note: two builds of this hook will differ, since the tool is another one: {why}", file=sys.stderr)
        return None
    # The tool links files with this ending in a directory of modules.
    (system / "steady.abi3.so").write_bytes(steady_tool.library(tool, seed))
    return tool


def zones() -> Path:
    """Returns the package with the data of time zones."""
    found = importlib.util.find_spec("tzdata")
    if found is None or found.origin is None:
        raise BuildError("the hook imports `zoneinfo`, whose data is in a package that is not installed; run: pip install tzdata")
    return Path(found.origin).parent


def seed(*sources: Path) -> int:
    """Returns the seed of random bytes for the build, on which Python's hashes depend. Only those who have the hook know it."""
    digest = hashlib.sha256()
    for source in sources:
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(source).as_posix()}\0{len(content)}\0".encode() + content)
    return int.from_bytes(digest.digest()[:8], "little", signed=True)


def points(used: uses.Uses, known: list[str]) -> list[str]:
    """Returns the points with the names of the methods."""
    served = []
    for method in used.methods or ():
        point = method.name.replace("_", "-")
        if point not in known:
            near = difflib.get_close_matches(point, known, 1)
            hint = f"did you mean `{near[0].replace('-', '_')}`? " if near else ""
            raise BuildError(
                f"{method.place}: `{method.name}` is not a point: {hint}The name of a helper begins with an underscore"
            )
        served.append(point)
    if not served:
        raise BuildError(
            f"{used.place}: the hook serves no point: give its class a method, such as pre_turn(self, context, call)"
        )
    return served


def compare(used: uses.Uses, served: list[str], named: list[str]) -> None:
    """Checks that the hook serves the points that the manifest names, and no others."""
    for method, point in zip(used.methods or (), served, strict=True):
        if point not in named:
            raise BuildError(
                f"{method.place}: the hook serves {point}, and portcullis.toml names {', '.join(named) or 'no point'}: "
                f"add `{point}` to `points` there, or remove the method"
            )
    for point in named:
        if point not in served:
            name = point.replace("-", "_")
            raise BuildError(
                f"{used.place}: portcullis.toml names {point}, and the hook does not serve it: "
                f"give the class a method {name}(self, context, call), or remove `{point}` from `points` there"
            )


def answers(methods: Iterable[uses.Method], legal: dict[str, list[str]]) -> None:
    """Checks the outcomes that the methods make in their `return` statements."""
    known = {name for names in legal.values() for name in names}
    for method in methods:
        point = method.name.replace("_", "-")
        here = legal.get(point, [])
        for outcome in method.returned:
            if outcome.function in known and outcome.function not in here:
                instead = "".join(f", {name}(…)" for name in here)
                raise BuildError(
                    f"{outcome.place}: `{outcome.function}` cannot be answered at {point}: return proceed(){instead}"
                )


def module(hook: str, served: list[str], capabilities: list[str], used: uses.Uses) -> str:
    """Returns the source of the component's own module, with its exports."""
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
    """Returns a name of the contract as a class has it."""
    return "".join(word.capitalize() for word in name.split("-"))


def hide(contract: Path) -> None:
    """Replaces the names in the WIT by the stand-ins."""
    for file in contract.rglob("*.wit"):
        text = file.read_text(encoding="utf-8")
        for name, other in STAND_INS:
            text = text.replace(name, other)
        file.write_text(text, encoding="utf-8")


def restored(component: bytes) -> bytes:
    """Returns the component with the names restored."""
    for name, other in STAND_INS:
        component = component.replace(other.encode(), name.encode())
    return component


def componentize(tool: Path | None, environment: Path, sources: Path, *arguments: object) -> None:
    """Runs componentize-py: the copy in the directory `tool`, or the one that is installed. The component has the packages
    of this virtual environment, and none of the Python that runs this. The hook's modules are in the directory `sources`."""
    # The working directory is left out, since a module of the project's may have the tool's name.
    run = (
        "import sys; sys.path = [path for path in sys.path if path]; "
        "from componentize_py import script; sys.exit(script())"
    )
    command = [sys.executable, "-c", run, "-q", *map(str, arguments)]
    variables = os.environ | {"VIRTUAL_ENV": str(environment)} | ({"PYTHONPATH": str(tool)} if tool else {})
    ran = subprocess.run(command, capture_output=True, text=True, env=variables)
    if ran.returncode != 0:
        raise BuildError(said(ran.stderr or ran.stdout, sources))


def said(output: str, sources: Path) -> str:
    """Returns the tool's error, with the places in the hook's modules, which are in the directory `sources`."""
    # The tool prints the error twice, after a traceback of its own.
    traceback, _, error = output.partition("Stack backtrace:")[0].rpartition("Caused by:")
    frames = traceback.rpartition("Traceback (most recent call last):")[2]
    places = [f"{sources / file}:{line}" for file, line in re.findall(rf'File "/{HOOK}/([^"]+)", line (\d+)', frames)]
    called = "".join(f"\n  called at {place}" for place in reversed(places[:-1]))
    return "".join(f"{place}: " for place in places[-1:]) + error.strip() + called


def main() -> int:
    """Runs the command."""
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
        return WRONG_HOOK
    return 0


if __name__ == "__main__":
    sys.exit(main())
