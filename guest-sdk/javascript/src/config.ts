/** The operator's configuration of this hook: its `[hooks.ID.config]` table. */

import * as store from "wasi:config/store@0.2.0-rc.1";
import { BadConfig } from "./errors.ts";

/** A JSON schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Reads one value, or says what is expected in its place. `undefined` is a key that was left out. The host checks the
 * value against the `schema`; without one, any value fits.
 */
export interface Reader<T> {
  (value: unknown): { ok: T } | { expected: string };
  readonly schema?: Schema;
}

/** Returns the configuration, which is read at the first call. */
export interface Settings<T> {
  (): Readonly<T>;
  /** The JSON schema of the table. */
  readonly schema: Schema;
}

/** A table of which any part may be left out, as an operator writes it. A list or a `Record` is given as a whole. */
export type Part<T> = { readonly [K in keyof T]?: PartOf<T[K]> };

type PartOf<V> = V extends number | readonly unknown[]
  ? V
  : V extends object
    ? // A `Record`: keys of any name, of which none must be there.
      string extends keyof V
      ? object extends V
        ? V
        : Part<V>
      : Part<V>
    : V;

/** Examples for operators, shown beside the keys. */
export interface Shown<T> {
  /** Examples of the whole table, in the form of `hooks.toml`. The build checks them against the schema. */
  examples?: readonly Part<T>[];
}

/** A whole number, in a type that `configOf` is called with. */
export type Integer = number & { readonly "portcullis:integer"?: never };

/** Returns the whole table as it is; empty if there is none. */
export function configTable(): Record<string, unknown> {
  return givenTable() ?? {};
}

function givenTable(): Record<string, unknown> | undefined {
  return JSON.parse(store.get("") ?? "null") ?? undefined;
}

/**
 * Reads the whole table with these readers when a handler first asks for it. The result does not change: an
 * instance of a hook has one configuration as long as it lives. A key with no reader is an error.
 *
 * ```ts
 * const settings = config({ blocked: strings([]), limit: number(10) });
 * // … in a handler:
 * const { blocked, limit } = settings();
 * ```
 *
 * The returned function throws BadConfig, naming the key, at each call until the configuration is right.
 */
export function config<T extends object>(
  readers: { [K in keyof T]: Reader<T[K]> },
  shown: Shown<NoInfer<T>> = {},
): Settings<T> {
  let table: T | undefined;
  const schema = withExamples(schemaOf(readers), shown.examples);
  return Object.assign(() => (table ??= Object.freeze(readBy(readers))), { schema });
}

/** The schema of the type that `configOf` is called with. The build sets it before it runs the hook's module. */
let derived: Schema = {};
/** The results of all calls of `configOf`. */
export const derivedSettings: Settings<unknown>[] = [];

/** Sets the schema of that type. */
export function derive(schema: Schema): void {
  derived = schema;
}

/**
 * Returns the whole table as a TypeScript type. The build derives the schema from the type, with its comments as descriptions, and
 * the host checks the table by it when it loads the hook, so give the result to `defineHook` as `config`.
 *
 * ```ts
 * interface Settings {
 *   blocked: string[];
 *   limit: Integer;
 *   mode?: "ask" | "reject";
 * }
 *
 * const settings = configOf<Settings>({ limit: 10 });
 * ```
 *
 * A key that the operator leaves out has its value in `defaults`, also within an object that is given in part. A
 * list, a `Record` or a union is given as a whole, so its default is a whole one too. A key must be given unless it has a
 * default or is optional.
 */
export function configOf<T extends object>(defaults: Part<T> = {}, shown: Shown<NoInfer<T>> = {}): Settings<T> {
  let table: T | undefined;
  const schema = withExamples(withDefaults(derived, defaults), shown.examples);
  const read = () => frozen(filled(schema, defaults, givenTable()) ?? {}) as T;
  const settings: Settings<T> = Object.assign(() => (table ??= read()), { schema });
  derivedSettings.push(settings);
  return settings;
}

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the keys that a part of a schema names. */
function keysOf(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  return schema["properties"] as Record<string, Schema> | undefined;
}

/** Returns the required keys of a part of a schema that names keys. */
function requiredOf(schema: Schema): readonly string[] {
  return schema["required"] as string[];
}

/** Returns the schema with these examples before its own. */
function withExamples(schema: Schema, examples: readonly unknown[] = []): Schema {
  const all = [...examples, ...((schema["examples"] as unknown[] | undefined) ?? [])];
  return all.length > 0 ? { ...schema, examples: all } : schema;
}

/** Returns the schema that a reference refers to: that of an object that may contain objects of its own type. */
function resolved(schema: Schema): Schema {
  const { $ref, ...said } = schema;
  if (typeof $ref !== "string") return schema;
  const definitions = derived["$defs"] as Record<string, Schema>;
  return { ...definitions[$ref.slice("#/$defs/".length)], ...said };
}

/** Returns the schema with these defaults: a key with a default may be left out. */
function withDefaults(reference: Schema, defaults: unknown): Schema {
  const schema = resolved(reference);
  const keys = keysOf(schema);
  if (keys === undefined || !isTable(defaults)) return { ...reference, default: defaults };
  const properties = { ...keys };
  for (const [key, initial] of Object.entries(defaults)) {
    if (initial !== undefined && key in keys) properties[key] = withDefaults(keys[key]!, initial);
  }
  const isGiven = (key: string) => {
    const of = properties[key]!;
    return of !== keys[key] && ("default" in of || requiredOf(of).length === 0);
  };
  return { ...schema, properties, required: requiredOf(schema).filter((key) => !isGiven(key)) };
}

/** Returns the given value over the defaults. An object that needs more keys than its defaults have is there only if it is given. */
function filled(schema: Schema, defaults: unknown, given: unknown): unknown {
  const keys = keysOf(schema);
  if (keys === undefined || !isTable(defaults)) return given === undefined ? defaults : given;
  if (given === undefined && requiredOf(schema).length > 0) return undefined;
  const over = given === undefined ? {} : given;
  if (!isTable(over)) return over;
  const all = Object.keys({ ...defaults, ...over });
  const values = all.map((key) => [key, filled(keys[key] ?? {}, defaults[key], over[key])] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Freezes a value and all that it contains: all calls share it. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

function schemaOf(readers: Record<string, Reader<unknown>>): Schema {
  const all = Object.entries(readers);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([key, read]) => [key, read.schema ?? {}])),
    // A reader that accepts `undefined` has a default.
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
    // All calls share the value.
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

/** Returns the same reader with a description and examples of its value for operators: `about("The words …", strings(), ["password"])`. */
export function about<T>(description: string, read: Reader<T>, ...examples: readonly NoInfer<T>[]): Reader<T> {
  const schema = withExamples({ ...read.schema, description }, examples);
  return Object.assign((value: unknown) => read(value), { schema });
}

/** Reads a string; required without a default. */
export function string(initial?: string): Reader<string> {
  return reader("a string", { type: "string" }, (value) => typeof value === "string", initial);
}

/** Reads a number; required without a default. */
export function number(initial?: number): Reader<number> {
  return reader("a number", { type: "number" }, (value) => typeof value === "number", initial);
}

/** Reads `true` or `false`; required without a default. */
export function boolean(initial?: boolean): Reader<boolean> {
  return reader("true or false", { type: "boolean" }, (value) => typeof value === "boolean", initial);
}

/** Reads a list of strings; required without a default. */
export function strings(initial?: readonly string[]): Reader<readonly string[]> {
  const fits = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  return reader("a list of strings", { type: "array", items: { type: "string" } }, fits, initial);
}

/** Reads one of these words; required without a default. */
export function oneOf<const W extends string>(words: readonly W[], initial?: NoInfer<W>): Reader<W> {
  const expected = `one of ${words.map((word) => `"${word}"`).join(", ")}`;
  return reader(expected, { enum: words }, (value): value is W => words.some((word) => word === value), initial);
}
