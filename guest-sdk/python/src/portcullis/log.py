"""Log lines, followed by fields as `name=value`.

The host adds the hook's id; the operator decides which levels are kept.
"""

import json

from portcullis._bindings import imported

_host = imported("logging")


def _line(message: str, fields: dict[str, object]) -> str:
    written = [f"{name}={json.dumps(value, default=str, ensure_ascii=False)}" for name, value in fields.items()]
    return " ".join([message, *written])


def trace(message: str, **fields: object) -> None:
    """Logs details of interest only while tracing one call."""
    _host.log(_host.Level.TRACE, "", _line(message, fields))


def debug(message: str, **fields: object) -> None:
    """Logs details of interest while debugging."""
    _host.log(_host.Level.DEBUG, "", _line(message, fields))


def info(message: str, **fields: object) -> None:
    """Logs a normal event."""
    _host.log(_host.Level.INFO, "", _line(message, fields))


def warn(message: str, **fields: object) -> None:
    """Logs that something is odd while the hook continues."""
    _host.log(_host.Level.WARN, "", _line(message, fields))


def error(message: str, **fields: object) -> None:
    """Logs a failure."""
    _host.log(_host.Level.ERROR, "", _line(message, fields))
