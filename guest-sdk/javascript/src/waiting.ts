/** The events that a call waits for beside its own promises: servers and timers. It waits for all of them at once. */

import { poll, type Pollable } from "wasi:io/poll@0.2.0";
import { whenIdle } from "./promise.ts";

/** An event that is waited for. */
export interface Awaited {
  pollable: Pollable;
  /** Drops a timer when the handler has ended. An event without this is waited for even then. */
  end?: () => void;
  /** The signal that ends a request, or that a timer aborts. A timer stays while a request waits that its signal ends. */
  signal?: object | null | undefined;
  /** The order in which events that are ready at once are woken: the lowest is first. */
  due: number;
  wake: () => void;
}

const waiting = new Set<Awaited>();

/** The events that were ready at the last poll and are not woken yet. All are woken before the next poll. */
let ready: Awaited[] = [];

/** Adds an event; `wake` is called when it is ready. */
export function wait(awaited: Awaited): void {
  waiting.add(awaited);
}

/** Removes an event. Returns whether it was waited for. */
export function forget(awaited: Awaited): boolean {
  return waiting.delete(awaited);
}

/** Drops the timers whose signals end no request that is still waited for, when the handler has ended. */
function dropTimers(): void {
  const all = [...waiting];
  const requests = all.filter(({ end }) => end === undefined);
  for (const timer of all) {
    if (timer.end === undefined || (timer.signal && requests.some(({ signal }) => signal === timer.signal))) continue;
    waiting.delete(timer);
    timer.end();
  }
}

/** Waits until an event is ready, when no jobs are left. Returns whether there was one. */
function idle(ended: boolean): boolean {
  if (ended) dropTimers();
  // A job may have ended an event that was ready.
  ready = ready.filter((awaited) => waiting.has(awaited));
  if (ready.length === 0) {
    const all = [...waiting];
    if (all.length === 0) return false;
    ready = poll(all.map(({ pollable }) => pollable)).map((at) => all[at]!);
    ready.sort((one, other) => one.due - other.due);
  }
  const next = ready.shift()!;
  waiting.delete(next);
  next.wake();
  return true;
}

whenIdle(idle);
