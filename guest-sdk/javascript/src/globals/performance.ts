/** `performance.now()` with the host's clock, and 0 while the module is loaded. */

import { now } from "wasi:clocks/monotonic-clock@0.2.0";
import { current } from "../calls.ts";

export const performance = {
  now: (): number => (current === 0 ? 0 : Number(now()) / 1e6),
};
