"""Measures a warm verdict from Python: `python bench/verdict.py HOOKS`, with a hook at `pre-tool-call`.

Prints the best of many rounds, since other programs only make a round slower. The hooks report their own time.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable

from portcullis_host import Hooks, Session

ROUNDS = 50
CALLS = 200


def best(run: Callable[[], float]) -> float:
    return min(run() for _ in range(ROUNDS)) / CALLS * 1e6


def waits(session: Session) -> float:
    begun = time.perf_counter()
    for _ in range(CALLS):
        session.pre_tool_call("write_file", '{"path":"a"}').wait()
    return time.perf_counter() - begun


async def awaits(session: Session) -> float:
    begun = time.perf_counter()
    for _ in range(CALLS):
        await session.pre_tool_call("write_file", '{"path":"a"}')
    return time.perf_counter() - begun


def main() -> None:
    hooks = Hooks.load(sys.argv[1])
    session = hooks.session("bench")
    verdicts = [session.pre_tool_call("write_file", '{"path":"a"}').wait() for _ in range(1_000)]
    own = min(sum(run["latency_us"] for run in verdict.runs) for verdict in verdicts)
    runner = asyncio.new_event_loop()
    print(f"hooks            {own:8.1f} µs, {len(verdicts[0].runs)} of them, as the host measures them")
    print(f"wait()           {best(lambda: waits(session)):8.1f} µs")
    print(f"await            {best(lambda: runner.run_until_complete(awaits(session))):8.1f} µs")


if __name__ == "__main__":
    main()
