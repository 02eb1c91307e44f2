/** `console`, whose lines go to the hook's log: each method at the level of its name. While the module is loaded it is silent. */

import * as logging from "wasi:logging/logging@0.1.0-draft";
import { current } from "../calls.ts";

type Level = "debug" | "info" | "warn" | "error";

function write(level: Level, values: unknown[]): void {
  if (current === 0) return;
  for (const line of values.map(shown).join(" ").split("\n")) logging.log(level, "", line);
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "function") return `[function ${value.name}]`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const at =
  (level: Level) =>
  (...values: unknown[]): void =>
    write(level, values);

export const console = {
  trace: at("debug"),
  debug: at("debug"),
  log: at("info"),
  info: at("info"),
  dir: at("info"),
  warn: at("warn"),
  error: at("error"),
  assert(holds: unknown, ...values: unknown[]): void {
    if (!holds) write("error", ["assertion failed:", ...values]);
  },
};
