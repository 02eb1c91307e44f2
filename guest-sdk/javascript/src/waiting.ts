/** What a call waits for beside its own promises: servers, and timers. It waits for all of them at once. */

import { poll, type Pollable } from "wasi:io/poll@0.2.0";
import { whenIdle } from "./promise.ts";

/** Something that is waited for. */
export interface Awaited {
  pollable: Pollable;
  /** Drops it when the handler has ended: it is a timer. Without this, the call waits for it also then. */
  end?: () => void;
  /** What ends it, or for a timer what it ends: a timer stays while something is waited for that it ends. */
  signal?: object | null | undefined;
  /** Of those that are ready at once, what is due first is woken first. */
  due: number;
  wake: () => void;
}

const waiting = new Set<Awaited>();

/** What was ready when it was last asked, and was not woken yet. Each has its turn before it is asked again. */
let ready: Awaited[] = [];

/** Has `wake` called when it is ready. */
export function wait(awaited: Awaited): void {
  waiting.add(awaited);
}

/** Waits for it no longer. Returns whether it was waited for. */
export function forget(awaited: Awaited): boolean {
  return waiting.delete(awaited);
}

/** The handler has ended: drops the timers that end nothing that is still waited for. */
function dropTimers(): void {
  const all = [...waiting];
  const requests = all.filter(({ end }) => end === undefined);
  for (const timer of all) {
    if (timer.end === undefined || (timer.signal && requests.some(({ signal }) => signal === timer.signal))) continue;
    waiting.delete(timer);
    timer.end();
  }
}

/** Nothing is left to be run: waits until something is ready. Returns whether something was. */
function idle(ended: boolean): boolean {
  if (ended) dropTimers();
  // What ran meanwhile may have ended what others wait for.
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
