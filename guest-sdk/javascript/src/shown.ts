/** Values in words, for the log and for failures: as JSON, or as Node writes what JSON does not have. Nothing throws. */

import { frames, type Located, placeOf } from "./places.ts";

/** The most levels of objects that are shown. */
const DEEPEST = 8;

/** The most causes of an error that are shown, and errors of an AggregateError. */
const CAUSES = 4;

/** Returns a value in words; a text as it is. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : written(value);
}

/** Returns an error that a handler threw. A thrown text, or an answer that cannot be given, gets the place of the handler. */
export function failure(error: unknown, handler: Located): string {
  const place = hasPlace(error) ? undefined : placeOf(handler);
  return shown(error) + (place === undefined ? "" : ` (in ${place})`);
}

function hasPlace(error: unknown): boolean {
  try {
    return error instanceof Error && frames(error.stack ?? "").length > 0;
  } catch {
    return false;
  }
}

/** Returns a value in words; a text in quotes. */
export function written(value: unknown, within: readonly object[] = []): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return `[function ${String(value.name)}]`;
    case "object":
      break;
    default:
      return String(value);
  }
  if (value === null) return "null";
  if (within.includes(value)) return "[circular]";
  if (within.length === DEEPEST) return "[…]";
  try {
    return contents(value, [...within, value]);
  } catch {
    return "[what cannot be shown]";
  }
}

function contents(value: object, within: readonly object[]): string {
  const list = (values: Iterable<unknown>) => Array.from(values, (each) => written(each, within)).join(",");
  if (value instanceof Error) return described(value, CAUSES, within);
  if (Array.isArray(value)) return `[${list(value)}]`;
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) {
    return `${value.constructor.name} [${list(value as Uint8Array)}]`;
  }
  if (value instanceof Set) return `Set {${list(value)}}`;
  if (value instanceof Map) {
    const entries = Array.from(value, ([key, held]) => `${written(key, within)} => ${written(held, within)}`);
    return `Map {${entries.join(",")}}`;
  }
  if (value instanceof RegExp) return String(value);
  // The class is not named: a build that finds the name adds promises to the hook, and each call then takes five times as long.
  if ("then" in value && typeof value.then === "function") return "[promise]";
  if ("toJSON" in value && typeof value.toJSON === "function") return written(value.toJSON(), within);
  const fields = Object.entries(value).map(([name, held]) => `${JSON.stringify(name)}:${written(held, within)}`);
  return `{${fields.join(",")}}`;
}

/** Returns the error, its causes up to a limit, and for each the places in the author's files where it was thrown. */
export function described(error: Error, causes = CAUSES, within: readonly object[] = [error]): string {
  const { name, message, stack = "", cause } = error;
  const places = frames(stack).map((frame) => `at ${frame}`);
  const said = `${name}: ${message}${places.length > 0 ? ` (${places.join(", ")})` : ""}`;
  if (causes === 0) return said;
  const told = (each: unknown) => {
    if (typeof each === "string") return each;
    const isTold = !(each instanceof Error) || within.includes(each);
    return isTold ? written(each, within) : described(each, causes - 1, [...within, each]);
  };
  const parts = error instanceof AggregateError ? error.errors.slice(0, CAUSES) : [];
  // A cause that is not an object is a code, which the message explains.
  const because = typeof cause === "object" && cause !== null ? `; caused by ${told(cause)}` : "";
  return said + parts.map((part) => `; of which ${told(part)}`).join("") + because;
}
