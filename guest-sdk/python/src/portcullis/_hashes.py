"""The functions that `hashlib` has from OpenSSL, which is in no component."""

from __future__ import annotations

import hashlib
from typing import Any, NoReturn


def install() -> None:
    """Adds the functions that derive keys to `hashlib`, if it has none."""
    for function in (pbkdf2_hmac, scrypt):
        vars(hashlib).setdefault(function.__name__, function)


def pbkdf2_hmac(hash_name: str, password: Any, salt: Any, iterations: int, dklen: int | None = None) -> bytes:
    """Does the same as in `hashlib`: PKCS #5, version 2."""
    if not isinstance(hash_name, str):
        raise TypeError(f"expected str for name, but got {type(hash_name)}")
    inner, outer = hashlib.new(hash_name), hashlib.new(hash_name)
    size = inner.digest_size
    length = size if dklen is None else dklen
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    key = bytes(memoryview(password))
    if len(key) > inner.block_size:
        key = hashlib.new(hash_name, key).digest()
    key = key.ljust(inner.block_size, b"\0")
    inner.update(bytes(byte ^ 0x36 for byte in key))
    outer.update(bytes(byte ^ 0x5C for byte in key))

    def hmac(message: bytes) -> bytes:
        within, around = inner.copy(), outer.copy()
        within.update(message)
        around.update(within.digest())
        return around.digest()

    salt = bytes(memoryview(salt))
    derived = b""
    while len(derived) < length:
        last = hmac(salt + (len(derived) // size + 1).to_bytes(4, "big"))
        block = int.from_bytes(last, "big")
        for _ in range(iterations - 1):
            last = hmac(last)
            block ^= int.from_bytes(last, "big")
        derived += block.to_bytes(size, "big")
    return derived[:length]


def scrypt(*_arguments: object, **_options: object) -> NoReturn:
    """Raises NotImplementedError."""
    raise NotImplementedError(
        "a hook in Python has no `scrypt`, which takes more memory and fuel than a call has: use `hashlib.pbkdf2_hmac`, or have "
        "a service check the password"
    )
