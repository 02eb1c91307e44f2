"""`urllib.request` over the host's HTTP."""

from __future__ import annotations

import io
import urllib.error
import urllib.request
from email.message import Message
from urllib.response import addinfourl

from portcullis import http


class Handler(urllib.request.BaseHandler):
    """Sends the requests of `urlopen`."""

    def http_open(self, request: urllib.request.Request) -> addinfourl:
        data = request.data
        if not isinstance(data, bytes | bytearray | None):
            raise TypeError("the data of a request in a hook is bytes")
        timeout = request.timeout if isinstance(request.timeout, int | float) else None
        headers = {name.lower(): value for name, value in request.header_items()}
        if data is not None:
            headers.setdefault("content-type", "application/x-www-form-urlencoded")
        for name in SET_BY_HOST:
            headers.pop(name, None)
        try:
            response = http.request(
                request.get_method(), request.full_url, headers=headers, content=bytes(data or b""), timeout=timeout
            )
        except http.HttpError as error:
            raise urllib.error.URLError(error) from error
        message = Message()
        for name, value in response.headers.items():
            message[name] = value
        answer = addinfourl(io.BytesIO(response.content), message, request.full_url, response.status)
        answer.msg = answer.reason = ""  # type: ignore[attr-defined]
        return answer

    https_open = http_open


#: Headers that the host or the SDK sets.
SET_BY_HOST = {"host", "content-length", "connection"}


def install() -> None:
    """Makes `urlopen` send its requests through the host. It follows redirects, each of which must be granted."""
    opener = urllib.request.OpenerDirector()
    opener.addheaders = []
    for handler in (
        Handler,
        urllib.request.UnknownHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    urllib.request.install_opener(opener)
