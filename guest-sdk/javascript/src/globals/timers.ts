/** Timers. A call that waits for one takes that time of its limit; one that its handler has not waited for is dropped. */

import { now, subscribeDuration } from "wasi:clocks/monotonic-clock@0.2.1";
import { current } from "../calls.ts";
import { type Awaited, drop, forget, wait } from "../waiting.ts";

const timers = new Map<number, Awaited>();

let last = 0;

export function setTimeout(run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): number {
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
    queueMicrotask(() => run(...values));
  };
  const awaited = { pollable, end, due: Number(now()) + nanoseconds, wake };
  timers.set(id, awaited);
  wait(awaited);
  return id;
}

export function clearTimeout(id?: number): void {
  const timer = timers.get(id ?? 0);
  timers.delete(id ?? 0);
  if (timer !== undefined && forget(timer)) drop(timer.pollable);
}
