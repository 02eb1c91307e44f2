"""Requests to the servers that the operator grants, such as `http = ["POST https://policy.example.com/v1"]`.

    response = http.post("https://policy.example.com/v1/decide", json={"tool": "shell"}, timeout=0.5)
    response.raise_for_status()
    allowed = response.json()["allow"]

A call waits for its requests within the operator's `wall-ms`. Redirects are not followed: a 3xx response is
returned, and the server that it names must be granted too.
"""

from __future__ import annotations

import json as _json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from portcullis import _fake
from portcullis._bindings import NATIVE


class HttpError(OSError):
    """The error of a request without a response, or with a status that is not one of success."""


class Refused(HttpError, PermissionError):
    """The host refused the request: the operator did not grant it, or too many are in flight."""


class TimedOut(HttpError, TimeoutError):
    """The server, or the connection to it, took too long."""


class StatusError(HttpError):
    """The server's status is not one of success. `response` is its response."""

    def __init__(self, response: Response) -> None:
        super().__init__(f"the server answered with status {response.status}")
        self.response = response


class Headers(Mapping[str, str]):
    """Headers by their names, in any case. Values of one name are joined by commas."""

    def __init__(self, entries: Mapping[str, str] | list[tuple[str, str]] = ()) -> None:  # type: ignore[assignment]
        self._values: dict[str, str] = {}
        for name, value in entries.items() if isinstance(entries, Mapping) else entries:
            before = self._values.get(name.lower())
            self._values[name.lower()] = value if before is None else f"{before}, {value}"

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values!r})"


@dataclass(frozen=True)
class Request:
    """A request."""

    method: str
    url: str
    headers: Headers = field(default_factory=Headers)
    content: bytes = b""
    #: The limit of the time to connect, to the first byte and between bytes, in seconds; the operator's limits if
    #: left out.
    timeout: float | None = None


@dataclass(frozen=True)
class Response:
    """A response, read to its end."""

    status: int
    content: bytes = b""
    headers: Headers = field(default_factory=Headers)

    @property
    def ok(self) -> bool:
        """Whether the status is one of success, 200 to 299."""
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """Returns the body as text, with `�` in place of bytes that are not UTF-8."""
        return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        """Returns the body, read as JSON. Raises a ValueError if it is not JSON."""
        return _json.loads(self.content)

    def raise_for_status(self) -> Response:
        """Returns the response itself. Raises a StatusError if its status is not one of success."""
        if not self.ok:
            raise StatusError(self)
        return self


def request(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    content: bytes | str = b"",
    json: Any = None,
    timeout: float | None = None,
) -> Response:
    """Sends a request, with `content` or `json` as its body, and waits for the whole response.

    `timeout` limits the time to connect, to the first byte and between bytes, each to so many seconds.

    Raises Refused, TimedOut or another HttpError if there is no response, and ValueError if the request is not valid. A
    response is no error, whatever its status.
    """
    all_headers = dict(headers or {})
    if json is not None:
        content = _json.dumps(json)
        all_headers = {"content-type": "application/json", **Headers(all_headers)}
    body = content.encode() if isinstance(content, str) else bytes(content)
    return _send(Request(method, url, Headers(all_headers), body, timeout))


def get(url: str, *, headers: Mapping[str, str] | None = None, timeout: float | None = None) -> Response:
    """Sends a GET request to this URL. See `request`."""
    return request("GET", url, headers=headers, timeout=timeout)


def post(
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    content: bytes | str = b"",
    json: Any = None,
    timeout: float | None = None,
) -> Response:
    """Sends a POST request to this URL. See `request`."""
    return request("POST", url, headers=headers, content=content, json=json, timeout=timeout)


def _send(request: Request) -> Response:
    if NATIVE:
        response: Response = _fake.Interface("http").send(request)
        return response
    # The module is imported by its name, since it imports modules that only a component has.
    sent: Response = import_module("portcullis._wire").send(request)
    return sent
