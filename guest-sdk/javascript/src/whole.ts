/** Checks of whole numbers for the host. The runtime converts 0.4 and NaN to 0, and -1 to 4,294,967,295. */

/** The largest unsigned number that the runtime can pass to the host: the largest signed one. */
const MOST = 0x7fff_ffff;

/** Returns the number if it is whole; throws a TypeError if not. */
export function whole(value: number, taker: string): number {
  return within(value, taker, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
}

/** Returns the number if it can be a count or an index; throws a TypeError if not. */
export function count(value: number, taker: string): number {
  return within(value, taker, 0, MOST);
}

function within(value: number, taker: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`\`${taker}\` takes a whole number from ${least} to ${most}, but was given ${String(value)}`);
}
