"""A copy of componentize-py whose C library calls `steady_system` instead of the system.

The tool has its libraries in its own program, each compressed. A copy of the tool has another C library in the same place.
"""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import binary
import steady_system
from binary import Reader

#: The first bytes of compressed data, and of a part of it that is skipped.
COMPRESSED, SKIPPED = b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"

#: The most bytes of a compressed library that are read.
LONGEST = 1 << 20

#: The package of the tool.
PACKAGE = "componentize_py"

#: The prefix of a copy's name; the tool's version follows. It changes when the copies are made in another way.
COPY = "portcullis-steady-2"

#: The file in a copy with the types of its C library's imports.
INTERFACES = "interfaces"


class Unknown(Exception):
    """The tool differs from the one that this module knows."""


def prepared() -> Path:
    """Returns the directory with the copy of the tool, which is made once for each installation of the tool.

    Raises Unknown if the tool cannot be changed. The build then uses the tool unchanged.
    """
    try:
        version = importlib.metadata.version("componentize-py")
    except importlib.metadata.PackageNotFoundError as error:
        raise Unknown(str(error)) from None
    place = Path(sys.prefix, f"{COPY}-{version}")
    if not place.is_dir():
        try:
            _place(place)
        except OSError as error:
            # Another build may have been faster.
            if not place.is_dir():
                raise Unknown(f"a copy cannot be made: {error}") from None
    return place


def _place(place: Path) -> None:
    made = Path(tempfile.mkdtemp(prefix=COPY, dir=place.parent))
    try:
        _make(made)
        # Other users of the installation build with the copy too.
        made.chmod(0o755)
        os.replace(made, place)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def library(tool: Path, seed: int) -> bytes:
    """Returns the library that the copy needs beside the hook's modules."""
    return steady_system.library(seed, (tool / INTERFACES).read_bytes())


def _make(to: Path) -> None:
    import componentize_py

    package = Path(componentize_py.__file__).parent
    shutil.copytree(package, to / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    programs = [path for path in (to / PACKAGE).iterdir() if path.suffix in (".so", ".pyd", ".dylib")]
    if len(programs) != 1:
        raise Unknown(f"{package} does not have one program")
    [program] = programs
    tool, interfaces = _changed(program.read_bytes())
    # Writing through a link would change the package's file.
    program.unlink()
    program.write_bytes(tool)
    (to / INTERFACES).write_bytes(interfaces)
    if sys.platform == "darwin":
        # A changed program does not run until it is signed again.
        sign = ["codesign", "--force", "--sign", "-", str(program)]
        if subprocess.run(sign, capture_output=True).returncode != 0:
            raise Unknown("its copy could not be signed")


def _changed(tool: bytes) -> tuple[bytes, bytes]:
    """Returns the tool with the other C library, and the types of that library's imports."""
    try:
        import zstandard
    except ImportError as error:
        raise Unknown(str(error)) from None
    start = tool.find(COMPRESSED)
    while start >= 0:
        reader = zstandard.ZstdDecompressor().decompressobj()
        compressed = tool[start : start + LONGEST]
        try:
            content = reader.decompress(compressed)
        except zstandard.ZstdError:
            content = b""
        if reader.eof and content.startswith(binary.MODULE) and _is_c_library(content):
            size = len(compressed) - len(reader.unused_data)
            new = zstandard.ZstdCompressor(level=22).compress(_redirected(content))
            rest = size - len(new) - len(SKIPPED) - 4
            if rest < 0:
                raise Unknown("the C library does not fit")
            new += SKIPPED + rest.to_bytes(4, "little") + bytes(rest)
            return tool[:start] + new + tool[start + size :], _interfaces(content)
        start = tool.find(COMPRESSED, start + 1)
    raise Unknown("it has no C library")


def _is_c_library(content: bytes) -> bool:
    imports = {
        (module, name)
        for kind, part in binary.sections(content)
        if kind == 2
        for module, name, _ in _imports(part)
    }
    return imports.issuperset(steady_system.INSTEAD)


def _redirected(module: bytes) -> bytes:
    """Returns the module with the functions of `steady_system` instead of the system's. The section of its producers is
    dropped, so that the module is no longer than before."""
    parts = [binary.MODULE]
    for kind, content in binary.sections(module):
        if kind == 0 and Reader(content).text() == "producers":
            continue
        if kind == 2:
            content = binary.vector(map(_instead, _imports(content)))
        parts.append(binary.section(kind, content))
    return b"".join(parts)


def _instead(imported: tuple[str, str, bytes]) -> bytes:
    module, name, of = imported
    if (module, name) in steady_system.INSTEAD:
        module, name = "env", steady_system.INSTEAD[module, name]
    return binary.text(module) + binary.text(name) + of


def _imports(section: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yields the module, the name and the type of each import."""
    reader = Reader(section)
    for _ in range(reader.number()):
        module, name, start = reader.text(), reader.text(), reader.at
        reader.import_type()
        yield module, name, reader.since(start)


def _interfaces(module: bytes) -> bytes:
    """Returns the sections with the types of a module's imports."""
    return b"".join(
        binary.section(kind, content)
        for kind, content in binary.sections(module)
        if kind == 0 and Reader(content).text().startswith("component-type:")
    )
