/** `Date` with the host's clock. The runtime's own clock is used only while the module is loaded. */

import { now } from "wasi:clocks/wall-clock@0.2.0";
import { current } from "../calls.ts";

const { Date: Runtime } = globalThis;

function milliseconds(): number {
  if (current === 0) return Runtime.now();
  const { seconds, nanoseconds } = now();
  return Number(seconds) * 1000 + Math.floor(nanoseconds / 1_000_000);
}

function construct(this: unknown, ...parts: unknown[]): unknown {
  if (new.target === undefined) return new Runtime(milliseconds()).toString();
  const target = new.target === (construct as unknown) ? Runtime : new.target;
  return Reflect.construct(Runtime, parts.length > 0 ? parts : [milliseconds()], target);
}

construct.prototype = Runtime.prototype;
construct.now = milliseconds;
construct.parse = Runtime.parse;
construct.UTC = Runtime.UTC;

export { construct as Date };
