/** JSON values as the bytes that state is kept as. */

import { encodeText, letters } from "./utf8.ts";

/** A value as the bytes of its JSON text. */
export function encode(value: unknown): Uint8Array {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("only what JSON can say can be kept in state");
  return encodeText(text);
}

/** A value as the bytes of its JSON text; null for `undefined`, which stands for no value. */
export function encodeOptional(value: unknown): Uint8Array | null {
  return value === undefined ? null : encode(value);
}

/** The value whose JSON text these bytes are. */
export function decode(bytes: Uint8Array | null): unknown {
  if (bytes === null) return undefined;
  return JSON.parse(decodeURIComponent(escape(letters(bytes))));
}
