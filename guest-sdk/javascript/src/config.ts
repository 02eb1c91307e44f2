/** The operator's configuration of this hook: its `[hooks.ID.config]` table. */

import * as store from "wasi:config/store@0.2.0-rc.1";
import { BadConfig } from "./errors.ts";

/** Reads one value, or says what is expected in its place. `undefined` is a key that was left out. */
export type Reader<T> = (value: unknown) => { ok: T } | { expected: string };

/** The whole table as it is; empty where there is none. */
export function configTable(): Record<string, unknown> {
  return JSON.parse(store.get("") ?? "{}");
}

/**
 * The whole table, read by these readers when a handler first asks for it, and the same from then on: an
 * instance of a hook has one configuration all its life. A key with no reader is an error.
 *
 * ```ts
 * const settings = config({ blocked: strings([]), limit: number(10) });
 * // … in a handler:
 * const { blocked, limit } = settings();
 * ```
 *
 * What it gives throws BadConfig, naming the key, at each call until the configuration is right.
 */
export function config<T extends object>(readers: { [K in keyof T]: Reader<T[K]> }): () => Readonly<T> {
  let table: T | undefined;
  return () => (table ??= Object.freeze(readBy(readers)));
}

function readBy<T extends object>(readers: { [K in keyof T]: Reader<T[K]> }): T {
  const table = configTable();
  const known = Object.keys(readers) as (keyof T & string)[];
  for (const key of Object.keys(table)) {
    if (!Object.hasOwn(readers, key)) {
      throw new BadConfig(`\`${key}\`: unknown key, expected ${known.map((key) => `\`${key}\``).join(", ") || "none"}`);
    }
  }
  const read = {} as T;
  for (const key of known) {
    const value = readers[key](table[key]);
    if ("expected" in value) {
      throw new BadConfig(key in table ? `\`${key}\`: expected ${value.expected}` : `\`${key}\`: missing`);
    }
    // All calls share it.
    Object.freeze(value.ok);
    read[key] = value.ok;
  }
  return read;
}

function reader<T>(expected: string, fits: (value: unknown) => value is T, initial?: T): Reader<T> {
  return (value) => {
    if (value === undefined) return initial === undefined ? { expected } : { ok: initial };
    return fits(value) ? { ok: value } : { expected };
  };
}

/** A string; required without a default. */
export function string(initial?: string): Reader<string> {
  return reader("a string", (value) => typeof value === "string", initial);
}

/** A number; required without a default. */
export function number(initial?: number): Reader<number> {
  return reader("a number", (value) => typeof value === "number", initial);
}

/** `true` or `false`; required without a default. */
export function boolean(initial?: boolean): Reader<boolean> {
  return reader("true or false", (value) => typeof value === "boolean", initial);
}

/** A list of strings; required without a default. */
export function strings(initial?: readonly string[]): Reader<readonly string[]> {
  const fits = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  return reader("a list of strings", fits, initial);
}

/** One of these words; required without a default. */
export function oneOf<const W extends string>(words: readonly W[], initial?: NoInfer<W>): Reader<W> {
  const expected = `one of ${words.map((word) => `"${word}"`).join(", ")}`;
  return reader(expected, (value): value is W => words.some((word) => word === value), initial);
}
