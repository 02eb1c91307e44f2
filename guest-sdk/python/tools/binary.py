"""The binary form of WebAssembly: numbers, texts, vectors and sections."""

from collections.abc import Iterable, Iterator

#: The first bytes of a core module.
MODULE = b"\0asm\x01\0\0\0"


class Reader:
    """Reads bytes from a position on."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def bytes(self) -> bytes:
        """Reads bytes that are preceded by their length."""
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.bytes().decode()

    def since(self, start: int) -> bytes:
        """Returns the bytes that were read since a position."""
        return self.data[start : self.at]

    def limits(self) -> None:
        for _ in range(1 + (self.number() & 1)):
            self.number()

    def import_type(self) -> None:
        """Skips the type of an import: a function, a table, a memory, a global or a tag."""
        kind = self.byte()
        if kind == 0:
            self.number()
        elif kind == 2:
            self.limits()
        else:
            self.byte()
            if kind == 1:
                self.limits()
            else:
                self.number()


def sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the sections of a module or a component: the number and the content of each."""
    reader = Reader(data, len(MODULE))
    while reader.at < len(data):
        number = reader.byte()
        yield number, reader.bytes()


def number(value: int) -> bytes:
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def signed(value: int) -> bytes:
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        ends = value == -(byte >> 6)
        out.append(byte | (0 if ends else 0x80))
        if ends:
            return bytes(out)


def sized(content: bytes) -> bytes:
    return number(len(content)) + content


def text(value: str) -> bytes:
    return sized(value.encode())


def vector(items: Iterable[bytes]) -> bytes:
    found = list(items)
    return number(len(found)) + b"".join(found)


def section(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + sized(content)
