/** `performance.now()` with the host's clock. */

import { now } from "wasi:clocks/monotonic-clock@0.2.0";

export const performance = {
  now: (): number => Number(now()) / 1e6,
};
