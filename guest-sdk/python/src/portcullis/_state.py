"""JSON values as the bytes that state keeps, and the errors of state."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from portcullis._bindings import host_error
from portcullis.errors import StateError

_HostError = host_error()


def encode(value: object) -> bytes:
    """Returns the bytes of a value's JSON text, as the other SDKs write it: values are compared by their bytes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair can only be written as an escape.
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def decode(value: bytes | None) -> Any:
    """Returns the value of a JSON text in bytes."""
    return None if value is None else json.loads(value)


@contextmanager
def attempt() -> Iterator[None]:
    """Converts an error of the host to a StateError."""
    try:
        yield
    except _HostError as error:
        cause = getattr(
            getattr(error, "value", None),
            "value",
            "the value is not a whole number, or the sum is too large",
        )
        raise StateError(cause) from None
