/** Text as UTF-8. The runtime has no `TextEncoder`, and code of its own for Base64, which takes a fiftieth of a loop over bytes. */

/** ES2026, which the runtime has. */
interface Bytes extends Uint8Array {
  toBase64(): string;
}
const { fromBase64 } = Uint8Array as unknown as { fromBase64(text: string): Uint8Array<ArrayBuffer> };

/** A valid sequence of more than one byte, or a byte of none. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/**
 * The text with `�` for each half of a surrogate pair, as where an emoji was cut. With such a half, a text is no UTF-8, and
 * the runtime ends the call in a trap.
 */
export function wellFormed(text: string): string {
  // ES2024, which the runtime has.
  return (text as unknown as { toWellFormed(): string }).toWellFormed();
}

/** The bytes of a text. Half a surrogate pair is written as `�`. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return fromBase64(btoa(unescape(encodeURIComponent(wellFormed(text)))));
}

/** One letter for each byte. */
export function letters(bytes: Uint8Array): string {
  return atob((bytes as Bytes).toBase64());
}

/** The text of these bytes. What is no UTF-8 is read as `�`. */
export function decodeText(bytes: Uint8Array): string {
  const text = letters(bytes);
  const read = (sequence: string) => (sequence.length > 1 ? decodeURIComponent(escape(sequence)) : "\ufffd");
  try {
    return decoded(text);
  } catch {
    return text.replace(SEQUENCE, read);
  }
}

/** The text of these bytes. Throws a TypeError where they are no UTF-8. */
export function decodeStrictly(bytes: Uint8Array): string {
  try {
    return decoded(letters(bytes));
  } catch {
    throw new TypeError("the bytes are no UTF-8");
  }
}

/** What letters stand for that are bytes. */
function decoded(text: string): string {
  // So it is for ASCII alone, and takes half as long as to decode it.
  return unescape(encodeURIComponent(text)).length === text.length ? text : decodeURIComponent(escape(text));
}
