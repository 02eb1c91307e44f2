/** JSON values as bytes, the form in which state keeps them. */

import { encodeText, letters } from "./utf8.ts";

/** Returns the bytes of a value's JSON text. */
export function encode(value: unknown): Uint8Array {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("only what JSON can say can be kept in state");
  return encodeText(text);
}

/** Returns the bytes of a value's JSON text; null for `undefined`, which means no value. */
export function encodeOptional(value: unknown): Uint8Array | null {
  return value === undefined ? null : encode(value);
}

/** Returns the value of a JSON text in bytes. */
export function decode(bytes: Uint8Array | null): unknown {
  if (bytes === null) return undefined;
  return JSON.parse(decodeURIComponent(escape(letters(bytes))));
}
