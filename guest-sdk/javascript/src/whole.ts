/** Whole numbers for the host. The runtime would take 0.4 and NaN for 0, and -1 for 4,294,967,295. */

/** The most that the runtime gives the host as a number without a sign: the most of one with a sign. */
const MOST = 0x7fff_ffff;

/** The number, if it is a whole one; throws a TypeError if not. */
export function whole(value: number, taker: string): number {
  return within(value, taker, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
}

/** The number, if it is a whole one that a count or an index may have; throws a TypeError if not. */
export function count(value: number, taker: string): number {
  return within(value, taker, 0, MOST);
}

function within(value: number, taker: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`\`${taker}\` takes a whole number from ${least} to ${most}, but was given ${String(value)}`);
}
