"""A library for the component that replaces the system while the component is built.

CPython's C library asks it for the time, for random bytes, and for the times and numbers of files. The time is 0, random bytes
follow from a seed, and a file has no times and no number: so the memory that a component holds is the same in each build.
"""

import binary
from binary import number, signed, sized, text, vector

FILES = "wasi:filesystem/types@0.2.0"

#: The imports of the C library, and the functions here that replace them.
INSTEAD = {
    ("wasi:random/random@0.2.0", "get-random-bytes"): "steady_random",
    ("wasi:clocks/wall-clock@0.2.0", "now"): "steady_wall",
    ("wasi:clocks/monotonic-clock@0.2.0", "now"): "steady_monotonic",
    (FILES, "[method]descriptor.stat"): "steady_stat",
    (FILES, "[method]descriptor.stat-at"): "steady_stat_at",
    (FILES, "[method]descriptor.metadata-hash"): "steady_hash",
    (FILES, "[method]descriptor.metadata-hash-at"): "steady_hash_at",
}

I32, I64 = b"\x7f", b"\x7e"
#: The types of the functions, by index.
TYPES = [
    ([I64, I32], []),
    ([I32], []),
    ([], [I64]),
    ([I32] * 2, []),
    ([I32] * 5, []),
    ([I32] * 4, [I32]),
]
RANDOM, WALL, MONOTONIC, OF_FILE, AT_PATH, REALLOC = range(len(TYPES))

#: The imports of the library, by the indexes of the functions.
IMPORTS = [
    ("env", "cabi_realloc", REALLOC),
    (FILES, "[method]descriptor.stat", OF_FILE),
    (FILES, "[method]descriptor.stat-at", AT_PATH),
    (FILES, "[method]descriptor.metadata-hash", OF_FILE),
    (FILES, "[method]descriptor.metadata-hash-at", AT_PATH),
]

END, IF, BLOCK, LOOP, REPEAT, LEAVE_IF = b"\x0b", b"\x04\x40", b"\x02\x40", b"\x03\x40", b"\x0c\0", b"\x0d\x01"
ADD, WRAP, IS_ZERO, EQUAL, REACHED = b"\x6a", b"\xa7", b"\x45", b"\x46", b"\x4f"
ADD64, MULTIPLY64, SHIFT64, STORE8 = b"\x7c", b"\x7e", b"\x88", b"\x3a\0\0"
STATE, PUT_STATE = b"\x23\0", b"\x24\0"

#: A generator of random numbers: Knuth's MMIX.
FACTOR, SUMMAND = 6364136223846793005, 1442695040888963407

#: The number of a directory among the kinds of files.
DIRECTORY = 3


def library(seed: int, interfaces: bytes) -> bytes:
    """Returns the library, whose random bytes follow from a seed. `interfaces` are the sections with its imports' types."""
    functions = [
        ("steady_random", RANDOM, function(random(), I32, I32)),
        ("steady_wall", WALL, function(get(0) + i64(0) + store64(0) + get(0) + i32(0) + store32(8))),
        ("steady_monotonic", MONOTONIC, function(i64(0))),
        ("steady_stat", OF_FILE, function(after(2, 1, stat(1)))),
        ("steady_stat_at", AT_PATH, function(after(5, 2, stat(4)))),
        ("steady_hash", OF_FILE, function(after(2, 3, metadata_hash(1)))),
        ("steady_hash_at", AT_PATH, function(after(5, 4, metadata_hash(4)))),
    ]
    memory = text("env") + text("memory") + b"\x02\0\x01"
    imported = [text(module) + text(name) + b"\0" + number(of) for module, name, of in IMPORTS]
    exported = [
        text(name) + b"\0" + number(len(IMPORTS) + at) for at, (name, _, _) in enumerate(functions)
    ]
    parts = [
        # The library needs no memory and no table of its own.
        (0, text("dylink.0") + b"\x01\x04\0\0\0\0"),
        (1, vector(b"\x60" + vector(takes) + vector(gives) for takes, gives in TYPES)),
        (2, vector([memory, *imported])),
        (3, vector(number(of) for _, of, _ in functions)),
        # The state of the generator, which is kept between calls.
        (6, vector([I64 + b"\x01" + i64(seed) + END])),
        (7, vector(exported)),
        (10, vector(body for _, _, body in functions)),
    ]
    return binary.MODULE + b"".join(binary.section(*part) for part in parts) + interfaces


def function(code: bytes, *variables: bytes) -> bytes:
    return sized(vector(number(1) + variable for variable in variables) + code + END)


def random() -> bytes:
    """Makes a list of bytes of the requested length, and stores its address at the second parameter."""
    at, end = 2, 3
    return (
        i32(0) + i32(0) + i32(1) + get(0) + WRAP + call(0) + put(at)
        + get(1) + get(at) + store32(0) + get(1) + get(0) + WRAP + store32(4)
        + get(at) + get(0) + WRAP + ADD + put(end)
        + BLOCK + LOOP + get(at) + get(end) + REACHED + LEAVE_IF
        + STATE + i64(FACTOR) + MULTIPLY64 + i64(SUMMAND) + ADD64 + PUT_STATE
        + get(at) + STATE + i64(56) + SHIFT64 + WRAP + STORE8
        + get(at) + i32(1) + ADD + put(at) + REPEAT + END + END
    )  # fmt: skip


def after(parameters: int, called: int, then: bytes) -> bytes:
    """Calls the system's function. Its result is at the last parameter, and begins with 0 if there is no error."""
    passed = b"".join(map(get, range(parameters)))
    return passed + call(called) + get(parameters - 1) + load8(0) + IS_ZERO + IF + then + END


def stat(result: int) -> bytes:
    """Sets one link, no times, and no size of a directory."""
    code = get(result) + i64(1) + store64(16)
    for time in (32, 56, 80):
        code += get(result) + i64(0) + store64(time + 8) + get(result) + i32(0) + store32(time + 16)
    directory = get(result) + load8(8) + i32(DIRECTORY) + EQUAL
    return code + directory + IF + get(result) + i64(0) + store64(24) + END


def metadata_hash(result: int) -> bytes:
    return get(result) + i64(1) + store64(8) + get(result) + i64(1) + store64(16)


def get(variable: int) -> bytes:
    return b"\x20" + number(variable)


def put(variable: int) -> bytes:
    return b"\x21" + number(variable)


def call(called: int) -> bytes:
    return b"\x10" + number(called)


def i32(value: int) -> bytes:
    return b"\x41" + signed(value)


def i64(value: int) -> bytes:
    return b"\x42" + signed(value)


def load8(offset: int) -> bytes:
    return b"\x2d\0" + number(offset)


def store32(offset: int) -> bytes:
    return b"\x36\x02" + number(offset)


def store64(offset: int) -> bytes:
    return b"\x37\x03" + number(offset)
