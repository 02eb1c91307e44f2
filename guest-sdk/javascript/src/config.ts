/** The operator's configuration of this hook: its `[hooks.ID.config]` table. */

import * as store from "wasi:config/store@0.2.0-rc.1";
import { BadConfig } from "./errors.ts";

/** A JSON schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Reads one value, or says what is expected in its place. `undefined` is a key that was left out. Its `schema` is what
 * the host checks the value against; without one, any value fits.
 */
export interface Reader<T> {
  (value: unknown): { ok: T } | { expected: string };
  readonly schema?: Schema;
}

/** Gives the configuration, read at the first call. */
export interface Settings<T> {
  (): Readonly<T>;
  /** The JSON schema of the table. */
  readonly schema: Schema;
}

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
export function config<T extends object>(readers: { [K in keyof T]: Reader<T[K]> }): Settings<T> {
  let table: T | undefined;
  return Object.assign(() => (table ??= Object.freeze(readBy(readers))), { schema: schemaOf(readers) });
}

function schemaOf(readers: Record<string, Reader<unknown>>): Schema {
  const all = Object.entries(readers);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([key, read]) => [key, read.schema ?? {}])),
    // A reader that takes what was left out has a default.
    required: all.filter(([, read]) => "expected" in read(undefined)).map(([key]) => key),
    additionalProperties: false,
  };
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

function reader<T>(expected: string, schema: Schema, fits: (value: unknown) => value is T, initial?: T): Reader<T> {
  const read = (value: unknown) => {
    if (value === undefined) return initial === undefined ? { expected } : { ok: initial };
    return fits(value) ? { ok: value } : { expected };
  };
  return Object.assign(read, { schema: initial === undefined ? schema : { ...schema, default: initial } });
}

/** The same reader, with what its value means, which operators are shown: `about("The words …", strings())`. */
export function about<T>(description: string, read: Reader<T>): Reader<T> {
  return Object.assign((value: unknown) => read(value), { schema: { ...read.schema, description } });
}

/** A string; required without a default. */
export function string(initial?: string): Reader<string> {
  return reader("a string", { type: "string" }, (value) => typeof value === "string", initial);
}

/** A number; required without a default. */
export function number(initial?: number): Reader<number> {
  return reader("a number", { type: "number" }, (value) => typeof value === "number", initial);
}

/** `true` or `false`; required without a default. */
export function boolean(initial?: boolean): Reader<boolean> {
  return reader("true or false", { type: "boolean" }, (value) => typeof value === "boolean", initial);
}

/** A list of strings; required without a default. */
export function strings(initial?: readonly string[]): Reader<readonly string[]> {
  const fits = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  return reader("a list of strings", { type: "array", items: { type: "string" } }, fits, initial);
}

/** One of these words; required without a default. */
export function oneOf<const W extends string>(words: readonly W[], initial?: NoInfer<W>): Reader<W> {
  const expected = `one of ${words.map((word) => `"${word}"`).join(", ")}`;
  return reader(expected, { enum: words }, (value): value is W => words.some((word) => word === value), initial);
}
