/**
 * The hook's own state, kept for the length of the session and readable by no other hook. Values are kept as
 * JSON. The changes of a call that fails are undone.
 *
 * @throws StateError the operator does not grant it, or it is full
 */

import * as state from "portcullis:hooks/state@0.2.0";
import { decode, encode, encodeOptional } from "./bytes.ts";
import { attempt } from "./state-error.ts";
import { whole } from "./whole.ts";

export { StateError } from "./state-error.ts";

/** Returns the value at `key`; nothing if there is none. */
export function get(key: string): unknown {
  return decode(state.get(key));
}

/** Sets the value at `key`, once this call has succeeded. */
export function set(key: string, value: unknown): void {
  attempt(() => state.set(key, encode(value)));
}

/** Removes `key`, once this call has succeeded. */
export function remove(key: string): void {
  state.delete(key);
}

/** Returns the keys, in order. */
export function keys(): string[] {
  return state.keys();
}

/** Adds `delta` to the whole number at `key` (0 if there is none) and returns the sum, atomically. `delta` is a whole number too. */
export function increment(key: string, delta = 1): number {
  return attempt(() => state.increment(key, whole(delta, "state.increment")));
}

/**
 * Sets the value at `key` to `next` if it is `expected`, atomically, and returns whether it was set. `undefined` means
 * no value. Values are equal if their JSON texts are, so the order of an object's keys counts.
 */
export function swap(key: string, expected: unknown, next: unknown): boolean {
  return attempt(() => state.swap(key, encodeOptional(expected), encodeOptional(next)));
}
