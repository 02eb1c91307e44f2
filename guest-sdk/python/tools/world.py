"""The world of one hook: the points that it serves, and only those imports that its source uses."""

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from uses import Uses

#: The name of the world.
WORLD = "the-hook"

#: The modules of the SDK whose use is an import of the component.
CAPABILITIES = {
    "config": "wasi:config/store@0.2.0-rc.1",
    "log": "wasi:logging/logging@0.1.0-draft",
} | {
    name: name.replace("_", "-")
    for name in (
        "agent_state",
        "agent_state_edit",
        "content",
        "conversation",
        "events",
        "model",
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

#: The imports of the module `http`.
HTTP = ["wasi:http/outgoing-handler@0.2.0", "wasi:http/types@0.2.0"]

#: An interface of answers at a point: its documentation, its name and its body.
ANSWER = re.compile(
    r"^(?P<docs>(?:///[^\n]*\n)*)interface (?P<point>[a-z0-9-]+)-answer \{\n(?P<body>.*?)^\}\n",
    re.MULTILINE | re.DOTALL,
)

#: A function in such a body, with its documentation.
FUNCTION = re.compile(
    r"\n?(?:^    ///[^\n]*\n)*^    (?P<name>[a-z0-9-]+): func\([^;]*;\n", re.MULTILINE
)


def points(contract: Path) -> list[str]:
    """Returns the points of the contract, in its order."""
    text = (contract / "worlds.wit").read_text(encoding="utf-8")
    return re.findall(r"^world on-([a-z0-9-]+) \{", text, re.MULTILINE)


def legal(contract: Path) -> dict[str, list[str]]:
    """Returns the answers at each point, by the names of the SDK's functions."""
    found: dict[str, list[str]] = {}
    for file in sorted(contract.glob("*.wit")):
        for interface in ANSWER.finditer(file.read_text(encoding="utf-8")):
            names = (function["name"].replace("-", "_") for function in FUNCTION.finditer(interface["body"]))
            found.setdefault(interface["point"], []).extend(names)
    return found


def write(contract: Path, to: Path, served: Iterable[str], uses: Uses) -> None:
    """Writes the contract to `to` with the hook's world in it. Answers and capabilities that the hook does
    not use are not imported, nor are interfaces that Python's library does not need."""
    shutil.copytree(contract, to)
    answers: dict[str, list[str]] = {}
    for file in to.glob("*.wit"):
        text = ANSWER.sub(
            lambda match: _prune(match, answers, uses.has), file.read_text(encoding="utf-8")
        )
        file.write_text(text, encoding="utf-8")
    capabilities = [CAPABILITIES[name] for name in sorted(CAPABILITIES) if uses.has(name)]
    capabilities += HTTP if uses.requests else []
    world = text_of(served, answers, [*capabilities, *uses.runtime()], uses.configured)
    (to / f"{WORLD}.wit").write_text(world, encoding="utf-8")


def text_of(
    served: Iterable[str],
    answers: dict[str, list[str]],
    interfaces: Iterable[str],
    configured: bool,
) -> str:
    """Returns the world of a hook that serves these points, may give these answers, and imports these interfaces."""
    lines = ["export describe;", "import call;", "import failure;"]
    if configured:
        lines.append("export configuration;")
    for point in served:
        lines.append(f"import {point}-facts;")
        if answers.get(point):
            lines.append(f"import {point}-answer;")
        lines.append(f"export {point};")
    lines += [f"import {interface};" for interface in interfaces]
    return f"world {WORLD} {{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def _prune(
    interface: re.Match[str], answers: dict[str, list[str]], uses: Callable[[str], bool]
) -> str:
    """Returns the interface without the functions that the hook does not use. The others are added to `answers`."""
    left = answers.setdefault(interface["point"], [])

    def keep(function: re.Match[str]) -> str:
        if not uses(function["name"].replace("-", "_")):
            return ""
        left.append(function["name"])
        return function[0]

    body = FUNCTION.sub(keep, interface["body"])
    return f"{interface['docs']}interface {interface['point']}-answer {{\n{body}}}\n"
