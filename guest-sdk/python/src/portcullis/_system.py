"""The time and random numbers, which the host provides to Python's library.

A component's runtime has no system: its own functions trap, so each of them is replaced.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from portcullis._bindings import imported

#: Empty until an instance's first call: while a component is built, Python's own functions work.
running: list[bool] = []

#: The most random bytes that the host returns at once.
MOST = 64 << 10

#: The modules of Python's library that draw random bytes when they are loaded. They get bytes of the build.
DRAWING = {"multiprocessing.process"}

#: The generators of random numbers that were made without a seed while the component was built.
early: list[Any] = []


def replace(*, sleeps: bool) -> None:
    """Replaces the functions for the time and random numbers, both of which the component imports, and for sleeping."""
    steady = imported("monotonic_clock")
    _times(imported("wall_clock").now, steady.now, steady.subscribe_duration if sleeps else None)
    _random(imported("random").get_random_bytes)


def _times(wall: Callable[[], Any], steady: Callable[[], int], timer: Callable[[int], Any] | None = None) -> None:
    import datetime
    import time

    build, build_steady, build_sleep = time.time_ns, time.monotonic_ns, time.sleep

    def now() -> int:
        if not running:
            return build()
        at = wall()
        return at.seconds * 1_000_000_000 + at.nanoseconds  # type: ignore[no-any-return]

    def monotonic() -> int:
        return steady() if running else build_steady()

    def seconds() -> float:
        return now() / 1e9

    def ticks() -> float:
        return monotonic() / 1e9

    def of(function: Any) -> Any:
        return lambda at=None: function(seconds() if at is None else at)

    def sleep(seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if not running:
            build_sleep(seconds)
        elif timer is None:
            raise OSError(errno.ENOTSUP, "only a hook whose own modules name `time.sleep` can sleep")
        else:
            with timer(int(seconds * 1e9)) as waited:
                waited.block()

    parts = of(time.gmtime)
    asctime, strftime = time.asctime, time.strftime

    def clock(which: Any) -> int:
        return now() if which == time.CLOCK_REALTIME else monotonic()

    def info(name: str) -> SimpleNamespace:
        if not hasattr(time, f"{name}_ns"):
            raise ValueError("unknown clock")
        wall = name == "time"
        return SimpleNamespace(implementation="the host", monotonic=not wall, adjustable=wall, resolution=1e-9)

    for name in ("clock_settime", "clock_settime_ns", "pthread_getcpuclockid"):
        vars(time).pop(name, None)
    vars(time).update(
        time=seconds,
        time_ns=now,
        sleep=sleep,
        gmtime=parts,
        localtime=parts,
        ctime=lambda at=None: asctime(parts(at)),
        asctime=lambda at=None: asctime(parts() if at is None else at),
        strftime=lambda form, at=None: strftime(form, parts() if at is None else at),
        **{name: ticks for name in ("monotonic", "perf_counter", "process_time", "thread_time")},
        **{name: monotonic for name in ("monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time_ns")},
        get_clock_info=info,
        clock_getres=lambda _which: 1e-9,
        clock_gettime=lambda which: clock(which) / 1e9,
        clock_gettime_ns=clock,
    )
    _dates(datetime, seconds)


def _dates(module: Any, seconds: Callable[[], float]) -> None:
    """Replaces the classes in `datetime`, which cannot be changed, by classes with the host's clock."""
    own_date, own_datetime, utc = module.date, module.datetime, module.timezone.utc

    class Kind(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, OWN[cls]) if cls in OWN else type.__instancecheck__(cls, value)

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, OWN[cls]) if cls in OWN else type.__subclasscheck__(cls, other)

    class date(own_date, metaclass=Kind):  # type: ignore[misc, valid-type]
        @classmethod
        def today(cls) -> Any:
            now = datetime.now()
            return cls(now.year, now.month, now.day)

        def __repr__(self) -> str:
            return named(self, date, super().__repr__())

    class datetime(own_datetime, date):  # type: ignore[misc, valid-type]
        def __repr__(self) -> str:
            return named(self, datetime, super().__repr__())

        def date(self) -> Any:
            return date(self.year, self.month, self.day)

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            now = cls.fromtimestamp(seconds(), tz or utc)
            return now if tz else now.replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now()

    def named(value: object, cls: type, said: str) -> str:
        return f"datetime.{said}" if type(value) is cls else said

    OWN: dict[type, type] = {date: own_date, datetime: own_datetime}
    for cls in OWN:
        cls.__module__, cls.__qualname__ = "datetime", cls.__name__
    date.min, date.max = (date(at.year, at.month, at.day) for at in (own_date.min, own_date.max))
    datetime.min, datetime.max = (datetime.fromisoformat(str(at)) for at in (own_datetime.min, own_datetime.max))
    module.date, module.datetime = date, datetime


def _random(draw: Callable[[int], Any]) -> None:
    import os
    import random
    import sys

    build = os.urandom

    def urandom(size: int) -> bytes:
        if size < 0:
            raise ValueError("negative argument not allowed")
        if not running:
            if sys._getframe(1).f_globals.get("__name__") in DRAWING:
                return build(size)
            # The bytes would be the same in each instance, and readable in the component's file.
            raise RuntimeError(
                "`os.urandom`, `secrets` and `uuid` have no random numbers before the first call: use them in a handler"
            )
        return b"".join(bytes(draw(min(MOST, size - at))) for at in range(0, size, MOST))

    seed, setstate = random.Random.seed, random.Random.setstate

    def chosen(self: random.Random) -> None:
        early[:] = [one for one in early if one is not self]

    def restored(self: random.Random, state: tuple[Any, ...]) -> None:
        chosen(self)
        setstate(self, state)

    def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
        chosen(self)
        if a is None:
            if not running:
                early.append(self)
            a = int.from_bytes((urandom if running else build)(32), "big")
        seed(self, a, version)

    os.urandom = vars(sys.modules[os.name])["urandom"] = urandom
    random._urandom = urandom  # type: ignore[attr-defined]
    random.Random.seed = seeded  # type: ignore[method-assign]
    random.Random.setstate = restored  # type: ignore[method-assign]
    random.seed, random.setstate = random._inst.seed, random._inst.setstate
    early.append(random._inst)


def begin() -> None:
    """Begins an instance's first call."""
    running.append(True)
    for generator in tuple(early):
        # The generator's numbers would be those of the build.
        generator.seed()
