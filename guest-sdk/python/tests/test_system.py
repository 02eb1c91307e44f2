"""The replacements of Python's clocks, random numbers and streams, each in a process of its own."""

import subprocess
import sys
import textwrap
import unittest
from pathlib import Path

SDK = Path(__file__).parents[1]

#: Installs a host's clocks and random numbers: the time is 5 s, and that of the monotonic clock 7 s.
START = """
from contextlib import nullcontext
from types import SimpleNamespace
from portcullis import _system
waited = []
def timer(nanoseconds):
    return nullcontext(SimpleNamespace(block=lambda: waited.append(nanoseconds)))
drawn = []
def draw(size):
    assert size <= 65536, size
    drawn.append(size)
    return list(bytes(size))
_system._times(lambda: SimpleNamespace(seconds=5, nanoseconds=0), lambda: 7_000_000_000, TIMER)
_system._random(draw)
"""


class System(unittest.TestCase):
    def run_in_python(self, source: str, timer: str = "None") -> None:
        """Checks that the source runs without an error."""
        ran = subprocess.run(
            [sys.executable, "-c", START.replace("TIMER", timer) + textwrap.dedent(source)],
            env={"PYTHONPATH": str(SDK / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_dates_are_related_as_pythons_are(self) -> None:
        self.run_in_python("""
            from datetime import date, datetime, timedelta, timezone
            from functools import singledispatch
            import copy, pickle
            own, own_date = datetime.__mro__[1], date.__mro__[1]
            assert issubclass(datetime, date) and not issubclass(date, datetime)
            assert issubclass(own, datetime) and issubclass(own, date) and issubclass(own_date, date)
            assert not issubclass(own_date, datetime) and not issubclass(int, date)
            now = datetime.now(timezone.utc)
            assert type(now.date()) is date and now.date() == date(*now.timetuple()[:3])
            assert type(now + timedelta(1)) is datetime and type(now.astimezone()) is datetime
            assert isinstance(own(1, 1, 1), date) and isinstance(own_date(1, 1, 1), date)
            assert not isinstance(date.today(), datetime)
            assert type(date.today()) is type(date.min) is date and type(datetime.max) is datetime
            for value in (now, now.date()):
                assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
            class Day(date): ...
            assert issubclass(Day, date) and not isinstance(now, Day) and isinstance(Day.today(), Day)
            @singledispatch
            def kind(value): return "other"
            kind.register(date)(lambda value: "date")
            assert kind(now) == kind(now.date()) == "date"
        """)

    def test_every_clock_is_the_hosts(self) -> None:
        self.run_in_python("""
            import time
            _system.running.append(True)
            for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
                told = 5 if name == "time" else 7
                assert getattr(time, name)() == told, name
                assert getattr(time, name + "_ns")() == told * 10**9, name
                assert time.get_clock_info(name).monotonic == (name != "time")
            assert time.clock_gettime(time.CLOCK_REALTIME) == 5
            assert time.clock_gettime_ns(time.CLOCK_MONOTONIC) == 7 * 10**9
            assert time.clock_getres(time.CLOCK_MONOTONIC) == 1e-9
            assert not hasattr(time, "clock_settime")
            try:
                time.get_clock_info("nonsense")
            except ValueError:
                pass
            else:
                assert False
        """)

    def test_random_bytes_are_drawn_in_pieces(self) -> None:
        self.run_in_python("""
            import os
            _system.running.append(True)
            assert os.urandom(150_000) == bytes(150_000) and drawn == [65536, 65536, 18928], drawn
            assert os.urandom(0) == b""
            try:
                os.urandom(-1)
            except ValueError:
                pass
            else:
                assert False
        """)

    def test_before_the_first_call_there_are_no_secret_random_bytes(self) -> None:
        self.run_in_python("""
            import os, random, secrets, sys, uuid
            system = vars(sys.modules[os.name])["urandom"]
            for draw in (lambda: os.urandom(8), lambda: system(8), uuid.uuid4, secrets.token_hex):
                try:
                    draw()
                except RuntimeError as error:
                    assert "use them in a handler" in str(error), error
                else:
                    assert False
            import multiprocessing
            assert len({random.Random().random() for _ in range(3)}) == 3 and not drawn
            _system.running.append(True)
            assert os.urandom(8) == system(8) == bytes(8) and drawn == [8, 8]
        """)

    def test_a_generator_without_a_seed_is_seeded_when_an_instance_begins(self) -> None:
        self.run_in_python("""
            import random
            one, other = random.Random(), random.Random()
            other.seed(7)
            before, expected = one.random(), random.Random(7).random()
            random.seed(7)
            _system.begin()
            assert drawn == [32], drawn
            assert other.random() == random.random() == expected and one.random() != before
            assert not _system.early
        """)

    def test_a_generator_whose_state_was_chosen_keeps_it(self) -> None:
        self.run_in_python("""
            import copy, random
            expected = random.Random(7).random()
            restored, copied = random.Random(), copy.copy(random.Random(7))
            restored.setstate(random.Random(7).getstate())
            random.setstate(random.Random(7).getstate())
            _system.begin()
            assert restored.random() == copied.random() == random.random() == expected
            assert not drawn, drawn
        """)

    def test_sleep_waits_for_the_hosts_timer(self) -> None:
        self.run_in_python(
            """
            import time
            _system.running.append(True)
            time.sleep(0.25)
            assert waited == [250_000_000], waited
            try:
                time.sleep(-1)
            except ValueError:
                pass
            else:
                assert False
            """,
            timer="timer",
        )

    def test_a_hook_without_a_timer_cannot_sleep(self) -> None:
        self.run_in_python("""
            import time
            _system.running.append(True)
            try:
                time.sleep(0)
            except OSError as error:
                assert "name `time.sleep`" in str(error), error
            else:
                assert False
        """)


if __name__ == "__main__":
    unittest.main()
