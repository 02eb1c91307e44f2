/** Text as UTF-8. The runtime has no `TextEncoder`. */

/** How many bytes become letters at once: a function takes no more arguments than fit on the stack. */
const PIECE = 4096;

/** A valid sequence of more than one byte, or a byte of none. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** The bytes of a text. Half a surrogate pair is written as `�`. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  // ES2024, which the runtime has.
  const wellFormed = (text as unknown as { toWellFormed(): string }).toWellFormed();
  const bytes = unescape(encodeURIComponent(wellFormed));
  const encoded = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) encoded[at] = bytes.charCodeAt(at);
  return encoded;
}

/** One letter for each byte. */
export function letters(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    // Spread, the bytes would pass through an iterator, which takes four times as long.
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + PIECE) as unknown as number[]);
  }
  return text;
}

/** The text of these bytes. What is no UTF-8 is read as `�`. */
export function decodeText(bytes: Uint8Array): string {
  const text = letters(bytes);
  // So it is for ASCII alone, and takes half as long as to decode it.
  if (unescape(encodeURIComponent(text)).length === text.length) return text;
  const read = (sequence: string) => (sequence.length > 1 ? decodeURIComponent(escape(sequence)) : "\ufffd");
  try {
    return decodeURIComponent(escape(text));
  } catch {
    return text.replace(SEQUENCE, read);
  }
}
