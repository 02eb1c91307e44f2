/** Timers. A call that waits for one takes that time of its limit; one that its handler has not waited for is dropped. */

import { clear, start } from "../timer.ts";

export function setTimeout(run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): number {
  return start(() => run(...values), ms);
}

export function clearTimeout(id?: number): void {
  clear(id ?? 0);
}
