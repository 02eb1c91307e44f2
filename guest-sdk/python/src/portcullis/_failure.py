"""A handler's exception, in words."""

from __future__ import annotations

import json
from types import TracebackType

#: The places of modules that are not the hook's own: this package, and Python's library.
FOREIGN = (__file__.rsplit("/", 1)[0], json.__file__.rsplit("/", 2)[0], "<")

#: The most frames that are reported.
MOST = 16

#: The most exceptions of a group that are reported.
MOST_PARTS = 4


def words(error: BaseException, causes: int = 4) -> str:
    """Returns the exception's type, message and notes, the lines of the hook where it was raised, and so many causes: the
    exception that it was raised from, the one that was being handled, and the exceptions of a group.

    This does without the module `traceback`, which is large and which not every hook loads.
    """
    text = "; ".join(filter(None, [_text(error), *map(str, getattr(error, "__notes__", ()))]))
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    places = ", ".join(f"at {frame}" for frame in _frames(error.__traceback__))
    if places:
        said += f" ({places})"
    if causes > 0:
        if isinstance(error, BaseExceptionGroup):
            said += "".join(f"; of which {words(part, causes - 1)}" for part in error.exceptions[:MOST_PARTS])
        if error.__cause__ is not None:
            said += f"; caused by {words(error.__cause__, causes - 1)}"
        elif error.__context__ is not None and not error.__suppress_context__:
            said += f"; raised while handling {words(error.__context__, causes - 1)}"
    return said


def _text(error: BaseException) -> str:
    """Returns the exception's own message, or the reason why it has none."""
    try:
        text = str(error)
    except Exception as fault:
        return f"its message cannot be read: {type(fault).__name__}"
    if isinstance(error, ModuleNotFoundError):
        text += ": a module that the build does not load is missing, so name it in an `import` of the hook"
    return text


def _frames(trace: TracebackType | None) -> list[str]:
    """Returns the functions and lines of the hook's own code, the innermost first."""
    frames: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(FOREIGN):
            frames.insert(0, f"{code.co_name} ({code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno})")
        trace = trace.tb_next
    return frames[:MOST]
