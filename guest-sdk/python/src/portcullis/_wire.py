"""Requests over `wasi:http`."""

from __future__ import annotations

import math
from contextlib import ExitStack
from typing import Any
from urllib.parse import quote, urlsplit

from portcullis import _system
from portcullis._bindings import host_error, imported
from portcullis._http_failures import FAILURES
from portcullis.http import Headers, HttpError, Refused, Request, Response, TimedOut

# The build has this name for `wasi:http`: see `STAND_INS` of the build.
_types = imported("types", package="host_http")
_handler = imported("outgoing_handler")
_streams = imported("streams")
_Error = host_error()

#: The size of the pieces in which a body is written: as much as the host takes at once.
WRITTEN = 4096

#: The most bytes that are read at once.
READ = 64 << 10

#: The methods that have a case of their own.
METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"}

#: The exceptions for the kinds of error codes.
KINDS: dict[str, type[HttpError | ValueError]] = {
    "invalid": ValueError,
    "refused": Refused,
    "timed-out": TimedOut,
    "failed": HttpError,
}


def send(request: Request) -> Response:
    """Sends a request and reads the whole response."""
    if not _system.running:
        raise HttpError("a request has no host before the first call: send it in a handler")
    url = _url(request.url)
    server = f"{url.scheme}://{url.netloc.rpartition('@')[2]}"
    try:
        return _exchange(request, url)
    except _Error as error:
        raise failure(f"{request.method} {server}", getattr(error, "value", None)) from None


def _url(text: str) -> Any:
    try:
        url = urlsplit(text)
    except ValueError:
        url = None
    if url is None or url.scheme not in ("http", "https") or not url.netloc:
        # The message leaves out the URL, which may be secret.
        raise ValueError("what is requested is no URL that begins with https:// or http:// and a server")
    return url


def _exchange(request: Request, url: Any) -> Response:
    # Handles are dropped in reverse, since the host drops a part before its whole.
    with ExitStack() as held:
        outgoing = _head(request, url)
        body = outgoing.body() if request.content else None
        pending = held.enter_context(_handler.handle(outgoing, _options(request.timeout)))
        if body is not None:
            _write(body, request.content)
        held.enter_context(pending.subscribe()).block()
        got = pending.get()
        response = held.enter_context(_ok(_ok(got)))
        headers = held.enter_context(response.headers()).entries()
        stream = held.enter_context(held.enter_context(response.consume()).stream())
        pieces = []
        while (piece := _read(stream)) is not None:
            pieces.append(piece)
        entries = [(name, bytes(value).decode("latin-1")) for name, value in headers]
        return Response(response.status(), b"".join(pieces), Headers(entries))


def _head(request: Request, url: Any) -> Any:
    entries = [(name, value.strip().encode("latin-1")) for name, value in request.headers.items()]
    if request.content:
        entries = [(name, value) for name, value in entries if name.lower() != "content-length"]
        entries.append(("content-length", str(len(request.content)).encode()))
    try:
        fields = _types.Fields.from_list(entries)
    except _Error as error:
        names = ", ".join(request.headers)
        if type(getattr(error, "value", None)).__name__.endswith("Forbidden"):
            raise ValueError(f"a request may not set one of these headers: {names}") from None
        raise ValueError(f"a name or a value of these headers is not valid: {names}") from None
    outgoing = _types.OutgoingRequest(fields)
    method = request.method
    known = method in METHODS
    path = quote(url.path or "/", safe="/%:@!$&'()*+,;=~") + (
        "?" + quote(url.query, safe="/%:@!$&'()*+,;=~?") if url.query else ""
    )
    scheme = _types.Scheme_Https() if url.scheme == "https" else _types.Scheme_Http()
    for part, name, taken in (
        ("method", "method", getattr(_types, f"Method_{method.title()}")() if known else _types.Method_Other(method)),
        ("scheme", "scheme", scheme),
        ("authority", "server", url.netloc),
        ("path_with_query", "path", path),
    ):
        try:
            getattr(outgoing, f"set_{part}")(taken)
        except _Error:
            raise ValueError(f"the {name} of a request is not valid") from None
    return outgoing


def _options(timeout: float | None) -> Any:
    if timeout is None:
        return None
    options = _types.RequestOptions()
    nanoseconds = max(0, math.ceil(timeout * 1e9))
    options.set_connect_timeout(nanoseconds)
    options.set_first_byte_timeout(nanoseconds)
    options.set_between_bytes_timeout(nanoseconds)
    return options


def _write(body: Any, content: bytes) -> None:
    """Writes a body. If the request ends meanwhile, its response or its error says why."""
    try:
        with body.write() as stream:
            for at in range(0, len(content), WRITTEN):
                stream.blocking_write_and_flush(content[at : at + WRITTEN])
    except _Error:
        with body:
            return
    _types.OutgoingBody.finish(body, None)


def _read(stream: Any) -> bytes | None:
    """Returns the next bytes; None at the end."""
    try:
        return bytes(stream.blocking_read(READ))
    except _Error as error:
        why = getattr(error, "value", None)
        if type(why).__name__.endswith("Closed"):
            return None
        raise _Error(_types.http_error_code(why.value)) from None  # type: ignore[union-attr]


def _ok(result: Any) -> Any:
    """Returns the value of a result."""
    if result is None or type(result).__name__ != "Ok":
        raise _Error(getattr(result, "value", None))
    return result.value


def failure(request: str, code: Any) -> HttpError | ValueError:
    """Returns the exception for the host's code."""
    kind, words = FAILURES.get(type(code).__name__.removeprefix("ErrorCode_"), FAILURES["InternalError"])
    said = getattr(code, "value", None)
    why = f"the request {request} failed: {words.replace('{}', request)}" + (f": {said}" if isinstance(said, str) else "")
    return KINDS[kind](why)
