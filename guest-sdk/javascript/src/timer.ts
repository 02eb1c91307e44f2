/** Timers of the host. */

import { now, subscribeDuration } from "wasi:clocks/monotonic-clock@0.2.1";
import { current } from "./calls.ts";
import { drop } from "./drop.ts";
import { type Awaited, forget, wait } from "./waiting.ts";

const timers = new Map<number, Awaited>();

let last = 0;

/** Calls `run` after `ms` milliseconds. `signal` is the signal that it aborts, if any. Returns the timer's number. */
export function start(run: () => void, ms: number, signal?: object): number {
  if (current === 0) throw new Error("`setTimeout` has no clock before the first call: use it in a handler");
  const id = ++last;
  const nanoseconds = Math.max(0, Math.round(Number(ms) * 1e6)) || 0;
  const pollable = subscribeDuration(nanoseconds);
  const end = () => {
    timers.delete(id);
    drop(pollable);
  };
  const wake = () => {
    end();
    queueMicrotask(run);
  };
  const awaited = { pollable, end, signal, due: Number(now()) + nanoseconds, wake };
  timers.set(id, awaited);
  wait(awaited);
  return id;
}

/** Ends a timer that has not run. */
export function clear(id: number): void {
  const timer = timers.get(id);
  timers.delete(id);
  if (timer !== undefined && forget(timer)) drop(timer.pollable);
}
