"""A handler's exception, in words."""

from __future__ import annotations

import json
from types import TracebackType

#: Where the modules are that are not the hook's own: this package, and Python's library.
FOREIGN = (__file__.rsplit("/", 1)[0], json.__file__.rsplit("/", 2)[0], "<")

#: The most frames that are told.
MOST = 16


def words(error: BaseException, causes: int = 4) -> str:
    """The exception's type and message, the lines of the hook where it was raised, and so many causes.

    The module `traceback` would look for files, which a component does not have.
    """
    text = str(error)
    if isinstance(error, ModuleNotFoundError):
        text += ": a module that the build does not load is missing, so name it in an `import` of the hook"
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    frames = _frames(error.__traceback__)
    places = ", ".join(f"at {frame}" for frame in frames)
    cause = error.__cause__
    because = f"; caused by {words(cause, causes - 1)}" if cause is not None and causes > 0 else ""
    return f"{said} ({places}){because}" if places else said + because


def _frames(trace: TracebackType | None) -> list[str]:
    """The functions and lines of the hook's own code, the innermost first."""
    frames: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(FOREIGN):
            frames.insert(0, f"{code.co_name} ({code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno})")
        trace = trace.tb_next
    return frames[:MOST]
