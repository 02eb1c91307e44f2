/** Timers. A wait for one counts toward the limit of its call; a timer that is left when the handler ends is dropped. */

import { clear, start } from "../timer.ts";

export function setTimeout(run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): number {
  return start(() => run(...values), ms);
}

export function clearTimeout(id?: number): void {
  clear(id ?? 0);
}
