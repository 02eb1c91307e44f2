"""The modules that replace the system: those that trap are sorted, since the tool makes them in a random order, and the
library of `steady_system` traps too."""

from collections.abc import Iterator
from typing import NamedTuple

import binary
import steady_system
from binary import Reader, number, sized, text, vector

#: Sections of a component.
CUSTOM, CORE_MODULE, CORE_INSTANCE, ALIAS = 0, 1, 2, 6
#: The section with the names of the parts of a component, in their random order.
NAMES = "component-name"
#: Sections of a core module.
TYPES, FUNCTIONS, EXPORTS, CODE = 1, 3, 7, 10

#: A function that traps: no variables, `unreachable`, `end`.
TRAP = b"\0\0\x0b"


class Stub(NamedTuple):
    """A module whose functions trap: the name and the type of each, in order."""

    functions: tuple[tuple[str, bytes], ...]

    def module(self) -> bytes:
        parts = [
            (TYPES, vector(of for _, of in self.functions)),
            (FUNCTIONS, vector(number(at) for at in range(len(self.functions)))),
            (EXPORTS, vector(text(name) + b"\0" + number(at) for at, (name, _) in enumerate(self.functions))),
            (CODE, vector(sized(TRAP) for _ in self.functions)),
        ]
        return binary.MODULE + b"".join(binary.section(*part) for part in parts)


def ordered(component: bytes) -> bytes:
    """Returns the component with these modules and their functions sorted by their names, and without names of its parts."""
    parts = list(binary.sections(component))
    stubs: dict[int, Stub] = {}
    modules = 0
    for kind, content in parts:
        if kind == CORE_MODULE:
            stub = _stub(content)
            if stub:
                stubs[modules] = stub
            modules += 1
    places = dict(zip(stubs, sorted(stubs.values()), strict=True))
    instances = _instances(parts, stubs)
    # The new instance of each, which was that of another module.
    holds = {places[module]: instance for instance, module in instances.items()}
    moved = {instance: holds[stubs[module]] for instance, module in instances.items()}
    out = [component[: len(binary.MODULE)]]
    modules = 0
    for kind, content in parts:
        if kind == CUSTOM and Reader(content).text() == NAMES:
            continue
        if kind == CORE_MODULE:
            content = places[modules].module() if modules in places else _disarmed(content)
            modules += 1
        elif kind == CORE_INSTANCE:
            content = _core_instances(content, moved)
        elif kind == ALIAS:
            content = _aliases(content, moved)
        out.append(binary.section(kind, content))
    return b"".join(out)


def _disarmed(module: bytes) -> bytes:
    """Returns the library of `steady_system` with traps as functions: only the build may call them. Other modules stay."""
    parts = list(binary.sections(module))
    found = dict(parts)
    if EXPORTS not in found or set(_names(found[EXPORTS])) != set(steady_system.INSTEAD.values()):
        return module
    code = vector([sized(TRAP)] * Reader(found[FUNCTIONS]).number())
    return binary.MODULE + b"".join(binary.section(kind, code if kind == CODE else part) for kind, part in parts)


def _names(exports: bytes) -> Iterator[str]:
    reader = Reader(exports)
    for _ in range(reader.number()):
        yield reader.text()
        reader.byte()
        reader.number()


def _stub(module: bytes) -> Stub | None:
    """Returns the module, if its functions trap and it has nothing else."""
    found = dict(binary.sections(module))
    if found.keys() != {TYPES, FUNCTIONS, EXPORTS, CODE}:
        return None
    types = list(_types(Reader(found[TYPES])))
    reader = Reader(found[FUNCTIONS])
    of = [types[reader.number()] for _ in range(reader.number())]
    reader = Reader(found[CODE])
    if any(reader.bytes() != TRAP for _ in range(reader.number())):
        return None
    reader = Reader(found[EXPORTS])
    functions = []
    for _ in range(reader.number()):
        name = reader.text()
        if reader.byte() != 0:
            return None
        functions.append((name, of[reader.number()]))
    return Stub(tuple(sorted(functions)))


def _types(reader: Reader) -> Iterator[bytes]:
    for _ in range(reader.number()):
        start = reader.at
        reader.byte()
        reader.bytes()
        reader.bytes()
        yield reader.since(start)


def _instances(parts: list[tuple[int, bytes]], stubs: dict[int, Stub]) -> dict[int, int]:
    """Returns the instances of these modules, each with its module."""
    found = {}
    instances = 0
    for kind, content in parts:
        if kind == CORE_INSTANCE:
            reader = Reader(content)
            for _ in range(reader.number()):
                module = _core_instance(reader, {})[1]
                if module in stubs:
                    found[instances] = module
                instances += 1
    return found


def _core_instances(content: bytes, moved: dict[int, int]) -> bytes:
    reader = Reader(content)
    return vector(_core_instance(reader, moved)[0] for _ in range(reader.number()))


def _core_instance(reader: Reader, moved: dict[int, int]) -> tuple[bytes, int | None]:
    """Returns an instance with other indexes of instances in it, and its module if it is one of a module."""
    if reader.byte() == 0:
        module = reader.number()
        given = []
        for _ in range(reader.number()):
            name, kind, instance = reader.text(), reader.byte(), reader.number()
            given.append(text(name) + bytes([kind]) + number(moved.get(instance, instance)))
        return b"\0" + number(module) + vector(given), module
    start = reader.at
    for _ in range(reader.number()):
        reader.text()
        reader.byte()
        reader.number()
    return b"\1" + reader.since(start), None


def _aliases(content: bytes, moved: dict[int, int]) -> bytes:
    reader = Reader(content)
    return vector(_alias(reader, moved) for _ in range(reader.number()))


def _alias(reader: Reader, moved: dict[int, int]) -> bytes:
    start = reader.at
    if reader.byte() == 0:
        reader.byte()
    sort = reader.since(start)
    target = reader.byte()
    first = reader.number()
    if target == 1:
        # An export of a core instance.
        return sort + b"\1" + number(moved.get(first, first)) + text(reader.text())
    start = reader.at
    if target == 0:
        reader.text()
    else:
        reader.number()
    return sort + bytes([target]) + number(first) + reader.since(start)
