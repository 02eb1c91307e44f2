import logging
import os
import random
import sys
import time
import uuid
from datetime import date, datetime, timezone
from pathlib import Path

from portcullis import content, hook, reject


def inner(count):
    raise ValueError(f"boom {count}")


@hook(id="my-hook", description="Does what people do.")
class MyHook:
    def pre_turn(self, context, call):
        return reject("done", self._act(content.text()))

    def _act(self, action):
        if action == "print":
            print("out", 1)
            print("no end", end="")
            print("err", file=sys.stderr)
            return ""
        if action == "time":
            now = datetime.now(timezone.utc)
            assert isinstance(now, date)
            assert abs(datetime.now().timestamp() - time.time()) < 60
            logging.warning("at %s", date.today())
            return str(int(min(time.time(), now.timestamp()) * 1000))
        if action == "random":
            return f"{random.random()} {uuid.uuid4()} {random.Random().random()}"
        if action == "file":
            for look in (lambda: open("/etc/passwd"), Path("/etc/passwd").read_text, lambda: os.listdir("/")):
                try:
                    look()
                except FileNotFoundError:
                    continue
                return "a file"
            return "no file"
        if action == "import":
            import base64

            try:
                __import__("not_there")
            except ImportError as error:
                return base64.b64encode(error.name.encode()).decode()
        try:
            inner(3)
        except ValueError as error:
            raise RuntimeError("outer") from error
