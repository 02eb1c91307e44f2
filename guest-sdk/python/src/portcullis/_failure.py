"""A handler's exception, in words."""

from __future__ import annotations

import json
from types import TracebackType

#: Where the modules are that are not the hook's own: this package, and Python's library.
FOREIGN = (__file__.rsplit("/", 1)[0], json.__file__.rsplit("/", 2)[0], "<")


def words(error: BaseException) -> str:
    """The exception's type and message, and the line of the hook where it happened.

    The module `traceback` would look for files, which a component does not have.
    """
    text = str(error)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    place = _place(error.__traceback__)
    return f"{said} ({place})" if place else said


def _place(trace: TracebackType | None) -> str:
    """The file and line of the innermost frame of the hook's own code."""
    place = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(FOREIGN):
            place = f"{file.rsplit('/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
