/** What a call waits for beside its own promises: servers, and timers. It waits for all of them at once. */

import { poll, type Pollable } from "wasi:io/poll@0.2.0";
import { whenIdle } from "./promise.ts";

/** Something that is waited for. */
export interface Awaited {
  pollable: Pollable;
  /** Drops it if the handler has ended. Without this, the call waits for it also then. */
  end?: () => void;
  /** Of those that are ready, what is due first is woken. */
  due: number;
  wake: () => void;
}

const waiting = new Set<Awaited>();

/** Has `wake` called when it is ready. */
export function wait(awaited: Awaited): void {
  waiting.add(awaited);
}

/** Waits for it no longer. Returns whether it was waited for. */
export function forget(awaited: Awaited): boolean {
  return waiting.delete(awaited);
}

/** Drops a handle of the host's. */
export function drop(handle: object): void {
  (handle as Record<symbol, () => void>)[(Symbol as unknown as { dispose: symbol }).dispose]!();
}

/** Nothing is left to be run: waits until something is ready. Returns whether something was. */
function idle(ended: boolean): boolean {
  const all = [...waiting];
  if (ended && !all.some(({ end }) => end === undefined)) {
    for (const awaited of all) {
      waiting.delete(awaited);
      awaited.end?.();
    }
    return false;
  }
  if (all.length === 0) return false;
  const ready = poll(all.map(({ pollable }) => pollable)).map((at) => all[at]!);
  // One at a time: what it runs may end what others wait for.
  const first = ready.reduce((first, other) => (other.due < first.due ? other : first));
  waiting.delete(first);
  first.wake();
  return true;
}

whenIdle(idle);
