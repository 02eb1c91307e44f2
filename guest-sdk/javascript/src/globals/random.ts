/** Random numbers of the host. The runtime's own are the same in each instance. */

import { getRandomBytes } from "wasi:random/random@0.2.0";

/** What `Math.random` is replaced by. */
export function portcullis$random(): number {
  const bytes = getRandomBytes(7);
  const number = (from: number, top: number) => (top * 256 + bytes[from + 2]!) * 65536 + bytes[from + 1]! * 256 + bytes[from]!;
  const [high, low] = [number(0, bytes[6]! & 3), number(3, (bytes[6]! >> 2) & 7)];
  return (high * 2 ** 27 + low) / 2 ** 53;
}

export const crypto = {
  getRandomValues<T extends ArrayBufferView>(array: T): T {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    bytes.set(getRandomBytes(bytes.length));
    return array;
  },
  randomUUID(): string {
    const bytes = Uint8Array.from(getRandomBytes(16));
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  },
};
