/** `console`, whose lines go to the hook's log: each method at the level of its name. While the module is loaded it is silent. */

import * as logging from "wasi:logging/logging@0.1.0-draft";
import { current } from "../calls.ts";
import { shown, written } from "../shown.ts";
import { wellFormed } from "../utf8.ts";

type Level = "debug" | "info" | "warn" | "error";

/** The placeholders of values in a text, as in `console.log("%s of %d", name, count)`. */
const PLACES = /%[sdifjoOc%]/g;

/** The indent of lines, and the call that it belongs to. */
let indent = "";
let indented = 0;

/** The count of each label. */
const counts = new Map<string, number>();

function write(level: Level, values: unknown[]): void {
  if (current === 0) return;
  beginLine();
  for (const line of wellFormed(text(values)).split("\n")) logging.log(level, "", indent + line);
}

/** Resets the indent in a new call: a group ends with its call, whatever the hook throws. */
function beginLine(): void {
  if (indented !== current) [indented, indent] = [current, ""];
}

function text(all: unknown[]): string {
  if (all.length === 0) return "";
  const [first, ...values] = all;
  let said = shown(first);
  if (typeof first === "string" && values.length > 0) {
    said = first.replace(PLACES, (place) => {
      if (place === "%%") return "%";
      if (values.length === 0) return place;
      return filled(place, values.shift());
    });
  }
  return [said, ...values.map(shown)].join(" ");
}

function filled(place: string, value: unknown): string {
  switch (place) {
    case "%s":
      return shown(value);
    case "%d":
    case "%f":
      return typeof value === "bigint" ? `${value}n` : String(typeof value === "symbol" ? NaN : Number(value));
    case "%i":
      return typeof value === "bigint" ? `${value}n` : String(parseInt(shown(value), 10));
    case "%c":
      return "";
    default:
      return written(value);
  }
}

function counted(label: string): number {
  const count = (counts.get(label) ?? 0) + 1;
  counts.set(label, count);
  return count;
}

const at =
  (level: Level) =>
  (...values: unknown[]): void =>
    write(level, values);

const group = (...values: unknown[]): void => {
  if (values.length > 0) write("info", values);
  beginLine();
  indent += "  ";
};

export const console = {
  trace: at("debug"),
  debug: at("debug"),
  log: at("info"),
  info: at("info"),
  dir: (value: unknown): void => write("info", [value]),
  warn: at("warn"),
  error: at("error"),
  assert(holds: unknown, ...values: unknown[]): void {
    if (!holds) write("error", ["assertion failed:", ...values]);
  },
  group,
  groupCollapsed: group,
  groupEnd(): void {
    indent = indent.slice(2);
  },
  count: (label = "default"): void => write("info", [`${label}: ${counted(label)}`]),
  countReset(label = "default"): void {
    counts.delete(label);
  },
  table(rows: unknown): void {
    const lines = typeof rows === "object" && rows !== null ? Object.entries(rows) : [];
    if (lines.length === 0) write("info", [rows]);
    for (const [name, row] of lines) write("info", [`${name}: ${written(row)}`]);
  },
};
