import asyncio
import importlib.util
import email
import io
import logging
import os
import random
import sys
import time
import traceback
import uuid
import _random
from collections import Counter
from contextlib import suppress
from datetime import date, datetime, timezone
from functools import singledispatch
from io import open as taken
from os import listdir
from pathlib import Path
from posix import urandom
from socket import create_connection
from sys import stderr
from urllib.parse import urlsplit

from portcullis import content, hook, reject

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


# What is not everywhere.
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
