/** Random numbers of the host. The runtime's own are the same in each instance. */

import { getRandomBytes } from "wasi:random/random@0.2.0";
import { current } from "../calls.ts";

/** The most bytes that the host returns at once. */
const MOST = 65536;

/** The seed. The build replaces it by a number that follows from the hook's source, so that each build is the same. */
const SEED = "portcullis:seed";

let state = parseInt(SEED, 16) | 0;

/** Returns the numbers while the module is loaded, by the generator Mulberry32. */
function loading(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Replaces `Math.random`. */
export function portcullis$random(): number {
  if (current === 0) return loading();
  const bytes = getRandomBytes(7);
  const number = (from: number, top: number) => (top * 256 + bytes[from + 2]!) * 65536 + bytes[from + 1]! * 256 + bytes[from]!;
  const [high, low] = [number(0, bytes[6]! & 3), number(3, (bytes[6]! >> 2) & 7)];
  return (high * 2 ** 27 + low) / 2 ** 53;
}

function fill(bytes: Uint8Array): Uint8Array {
  // Bytes that are drawn while the component is built would be the same in each instance, and readable in its file.
  if (current === 0) throw new Error("`crypto` has no random numbers before the first call: use it in a handler");
  for (let from = 0; from < bytes.length; from += MOST) {
    bytes.set(getRandomBytes(Math.min(MOST, bytes.length - from)), from);
  }
  return bytes;
}

export const crypto = {
  getRandomValues<T extends ArrayBufferView>(array: T): T {
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  },
  randomUUID(): string {
    const bytes = fill(new Uint8Array(16));
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  },
};
