/** State that hooks share across sessions, by namespace; the operator grants each one. Values are kept as JSON. */

import * as shared from "portcullis:hooks/shared-state@0.2.0";
import { decode, encode, encodeOptional } from "./bytes.ts";
import { attempt } from "./state-error.ts";
import { whole } from "./whole.ts";

export { StateError } from "./state-error.ts";

/** Returns the value at `key`; nothing if there is none. */
export function get(namespace: string, key: string): unknown {
  return decode(attempt(() => shared.get(namespace, key)));
}

/** Sets the value at `key`, once this call has succeeded. */
export function set(namespace: string, key: string, value: unknown): void {
  attempt(() => shared.set(namespace, key, encode(value)));
}

/** Removes `key`, once this call has succeeded. */
export function remove(namespace: string, key: string): void {
  attempt(() => shared.delete(namespace, key));
}

/** Returns the keys, in order. */
export function keys(namespace: string): string[] {
  return attempt(() => shared.keys(namespace));
}

/** Adds `delta` to the whole number at `key` (0 if there is none) and returns the sum, atomically. `delta` is a whole number too. */
export function increment(namespace: string, key: string, delta = 1): number {
  return attempt(() => shared.increment(namespace, key, whole(delta, "sharedState.increment")));
}

/**
 * Sets the value at `key` to `next` if it is `expected`, atomically, and returns whether it was set. `undefined` means
 * no value. Values are equal if their JSON texts are, so the order of an object's keys counts.
 */
export function swap(namespace: string, key: string, expected: unknown, next: unknown): boolean {
  return attempt(() => shared.swap(namespace, key, encodeOptional(expected), encodeOptional(next)));
}
