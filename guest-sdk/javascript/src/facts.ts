/** Objects whose properties are read from the host at their first use, and kept for the call. */

import { current } from "./calls.ts";

/** The facts of the current call: each is read from the host at its first use. */
export type Facts<R> = Readonly<R> & {
  /** Returns all of them as a plain object. */
  facts(): R;
};

/** The functions of an interface of facts. */
type Functions = { readonly [name: string]: unknown };

/** Returns an object with a property for each function of an interface; the function `all` returns the record. */
export function facts<R>(functions: Functions, all: string): Facts<R> {
  const object = {};
  for (const [name, read] of Object.entries(functions)) {
    // The runtime's modules have a default export too.
    if (typeof read !== "function" || name === all) continue;
    Object.defineProperty(object, name, { enumerable: true, get: kept(read as () => unknown) });
  }
  const whole = { value: functions[all] };
  return Object.freeze(Object.defineProperties(object, { facts: whole, toJSON: whole })) as Facts<R>;
}

function kept(read: () => unknown): () => unknown {
  let call = 0;
  let value: unknown;
  return () => {
    if (call === current) return value;
    value = read();
    call = current;
    return value;
  };
}
