import asyncio
import base64
import dataclasses
import decimal
import difflib
import enum
import hashlib
import hmac
import html
import importlib.util
import email
import io
import json
import logging
import os
import platform
import queue
import random
import re
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import traceback
import typing
import uuid
import zoneinfo
import _random
from collections import Counter
from contextlib import suppress
from datetime import date, datetime, timedelta, timezone
from functools import singledispatch
from io import open as taken
from os import listdir
from pathlib import Path
from posix import urandom
from socket import create_connection, getfqdn
from sys import stderr
from urllib.parse import urlsplit

from portcullis import content, hook, reject
from portcullis._state import encode

logging.basicConfig(level=logging.INFO)
early = random.Random()
seeded = random.Random()
seeded.seed(7)


def say(text, file=sys.stdout):
    print(text, file=file)


@singledispatch
def kind(value):
    return "other"


@kind.register(date)
def _(value):
    return "date"


def inner(count):
    raise ValueError(f"boom {count}")


@dataclasses.dataclass(order=True, frozen=True)
class Pair:
    left: int
    right: typing.Annotated[str, "a text"] = "b"


class Color(enum.Enum):
    RED = enum.auto()


def everyday():
    """Uses Python's libraries that only compute."""
    berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    summer = datetime(2026, 7, 1, 12, tzinfo=timezone.utc).astimezone(berlin)
    yield summer.isoformat()
    yield (summer + timedelta(days=180)).utcoffset()
    yield "Asia/Tokyo" in zoneinfo.available_timezones()
    yield repr(datetime(2026, 1, 2)), datetime.strptime("2026-01-02", "%Y-%m-%d").date()
    yield dataclasses.replace(Pair(1), left=2) > Pair(1), dataclasses.asdict(Pair(1)), typing.get_type_hints(Pair)["left"]
    yield Color["RED"], re.sub(r"(?P<who>\w+)@", r"<\g<who>>", "joe@x"), json.dumps({"a": [1, None]})
    yield hashlib.sha256(b"a").hexdigest()[:6], hmac.new(b"k", b"m", "sha256").hexdigest()[:6], base64.b64encode(b"a")
    yield hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 2).hex()[:6]
    yield uuid.uuid3(uuid.NAMESPACE_URL, "a").version, uuid.uuid1().version, decimal.Decimal("1.10") + 1
    yield html.escape("<a>"), textwrap.fill("a b c d", 3), list(difflib.ndiff(["a"], ["b"])), statistics.quantiles([1, 2, 3])
    yield random.Random(7).sample(range(9), 2), len(secrets.token_hex(4)), secrets.choice([5])
    yield "\N{EURO SIGN}".encode("cp1252"), "b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher".encode("idna")
    yield platform.system(), os.isatty(1), shutil.which("ls"), getfqdn("a")
    with threading.Lock() as held, threading.RLock():
        yield held
    yield threading.Event().wait(0.001), threading.Lock().locked()


def unavailable():
    """Uses features that a hook does not have, and reports the exception of each."""
    lock = threading.Lock()
    lock.acquire()
    for use in (
        threading.Thread(target=print).start,
        lambda: asyncio.run(asyncio.to_thread(print)),
        lambda: subprocess.run(["ls"]),
        tempfile.TemporaryFile,
        lambda: queue.Queue().get(timeout=0.001),
        queue.SimpleQueue().get,
        lock.acquire,
        threading.Event().wait,
        lambda: zoneinfo.ZoneInfo("No/Such"),
        lambda: hashlib.scrypt(b"a", salt=b"b", n=2, r=1, p=1),
    ):
        try:
            yield f"no error: {use()}"
        except BaseException as error:
            yield f"{type(error).__name__}: {error}"


class Silent(Exception):
    def __str__(self):
        raise LookupError


async def together():
    async def waited(count):
        await asyncio.sleep(count / 1000)
        return count

    return await asyncio.wait_for(asyncio.gather(waited(1), waited(2)), 5)


@hook(id="my-hook", description="Does what people do.")
class MyHook:
    async def session_start(self, context, call):
        random.seed(7)
        await asyncio.sleep(0.001)
        sys.stdout = io.StringIO()

    def pre_turn(self, context, call):
        return reject("done", self._act(content.text()))

    def _act(self, action):
        if action == "kept":
            return " ".join(map(repr, (encode({"name": ["é", 1]}), encode("é\ud83d"))))
        if action == "no-json":
            return repr(encode(float("nan")))
        if action == "everyday":
            return "; ".join(map(str, everyday()))
        if action == "unavailable":
            return "; ".join(unavailable())
        if action == "print":
            print("out", 1)
            print("no end", end="")
            print("err", file=sys.stderr)
            return ""
        if action == "early":
            return str(early.random())
        if action == "time":
            now = datetime.now(timezone.utc)
            assert isinstance(now, date)
            assert abs(datetime.now().timestamp() - time.time()) < 60
            logging.warning("at %s", date.today())
            return str(int(min(time.time(), now.timestamp()) * 1000))
        if action == "dates":
            now = datetime.now()
            return f"{issubclass(datetime, date)} {kind(now)} {kind(now.date())} {type(now.date()) is date}"
        if action == "clocks":
            for apart in (
                time.clock_gettime(time.CLOCK_REALTIME) - time.time(),
                time.clock_gettime_ns(time.CLOCK_MONOTONIC) / 1e9 - time.monotonic(),
                time.thread_time_ns() / 1e9 - time.thread_time(),
            ):
                assert abs(apart) < 60, apart
            return f"{time.clock_getres(time.CLOCK_REALTIME)} {time.get_clock_info('monotonic').monotonic}"
        if action == "streams":
            logging.info("info %d", 1)
            say("said")
            print("taken", file=stderr)
            return ""
        if action == "begun":
            return f"{random.random()} {type(sys.stdout).__name__}"
        if action == "spec":
            return str(importlib.util.find_spec("numpy"))
        if action == "absent":
            __import__("numpy")
        if action == "many":
            return f"{len(os.urandom(100_000))}"
        if action == "random":
            return f"{random.random()} {uuid.uuid4()} {random.Random().random()} {urandom(8)}"
        if action == "urandom":
            return urandom(8).hex()
        if action == "seeded":
            return str(seeded.random())
        if action == "system":
            return str(_random.Random().random())
        if action == "file":
            for look in (
                lambda: open("/etc/passwd"),
                Path("/etc/passwd").read_text,
                lambda: os.listdir("/"),
                lambda: listdir("/"),
                lambda: taken("/etc/passwd"),
            ):
                try:
                    look()
                except FileNotFoundError:
                    continue
                return "a file"
            return "no file"
        if action == "link":
            try:
                return os.path.realpath("/etc/passwd")
            except NotImplementedError as error:
                return type(error).__name__
        if action == "socket":
            try:
                return create_connection(("127.0.0.1", 1))
            except OSError as error:
                return error.strerror
        if action == "late":
            text = email.message_from_string("From: a\n\nb").as_string().split()
            host = urlsplit("http://\N{LATIN SMALL LETTER N WITH TILDE}.example").hostname
            return f"{uuid.uuid5(uuid.NAMESPACE_DNS, 'a')} {text} {Counter('aab').most_common(1)} {len(host)}"
        if action == "module":
            from email import quoprimime

            return quoprimime.body_encode("=")
        if action == "import":
            import base64

            try:
                __import__("not_there")
            except ImportError as error:
                return base64.b64encode(error.name.encode()).decode()
        if action == "await":
            return str(asyncio.run(together()))
        if action == "never":
            asyncio.run(asyncio.Event().wait())
        if action == "input":
            try:
                return input()
            except EOFError as error:
                return type(error).__name__
        if action == "group":
            error = ExceptionGroup("some", [ValueError("one"), Silent()])
            error.add_note("a note")
            raise error
        try:
            inner(3)
        except ValueError as error:
            if action == "traceback":
                logging.exception("it failed")
                traceback.print_exc()
                return traceback.format_exc()
            if action == "handling":
                raise RuntimeError("during")
            raise RuntimeError("outer") from error


# Modules that depend on the version.
if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib
if sys.platform == "win32":
    import winreg
with suppress(ImportError):
    import orjson
if __name__ == "__main__":
    import pytest
