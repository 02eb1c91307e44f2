import type { Settings } from "./config.ts";
import { written } from "./shown.ts";

/** The author's declaration of a hook. The operator's `hooks.toml` overrides it. */
export interface Declaration {
  /** The stable id: lower-case letters, digits and dashes. */
  id: string;
  /** One sentence on what it does. */
  description: string;
  /** Its own version; `0.1.0` if left out. */
  version?: string;
  /** The sort of hook, such as `guardrail`; `hook` if left out. */
  kind?: string;
  /** The priority: low runs first; the host's default, 100, if left out. */
  priority?: number;
  /** The failure policy; if left out, a hook that can decide anything fails closed, one that only observes open. */
  failure?: "fail-open" | "fail-closed";
  /** The time limit of one call, in milliseconds; the host's default if left out. */
  deadlineMs?: number;
  /** The way that the agent waits for the hook; `blocking` if left out. */
  execution?: "blocking" | "deadline" | "fire-and-record" | "background";
  /** The ids of the hooks that must run before it. */
  after?: string[];
  /** The result of `config` or `configOf`: the host then checks the configuration when it loads the hook. */
  config?: Settings<object>;
}

/** The keys of a declaration. */
export const KEYS: readonly (keyof Declaration)[] = [
  "id",
  "description",
  "version",
  "kind",
  "priority",
  "failure",
  "deadlineMs",
  "execution",
  "after",
  "config",
];

/** The runtime would truncate a larger number. */
const MOST = 0x7fff_ffff;

/** Returns whether a declaration has this key. */
export function isKey(key: string): key is keyof Declaration {
  return (KEYS as readonly string[]).includes(key);
}

/** Returns what is wrong with the value of a key. A key that is left out may be `undefined`. */
export function wrongValue(key: keyof Declaration, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const [expected, fits] = taken(key, value);
  return fits ? undefined : `\`${key}\` takes ${expected}, but was given ${written(value)}`;
}

/** Returns the values that a key takes, in words, and whether a value is one. */
function taken(key: keyof Declaration, value: unknown): [expected: string, fits: boolean] {
  switch (key) {
    case "id":
    case "description":
    case "version":
    case "kind":
      return ["a string", typeof value === "string"];
    case "priority":
      return whole(value, -MOST - 1);
    case "deadlineMs":
      return whole(value, 0);
    case "failure":
      return oneOf(value, ["fail-open", "fail-closed"]);
    case "execution":
      return oneOf(value, ["blocking", "deadline", "fire-and-record", "background"]);
    case "after":
      return ["an array of strings", Array.isArray(value) && value.every((id) => typeof id === "string")];
    case "config":
      return ["what `config` or `configOf` gave", typeof value === "function" && "schema" in value];
  }
}

function oneOf(value: unknown, words: string[]): [string, boolean] {
  return [words.map((word) => JSON.stringify(word)).join(" or "), words.some((word) => word === value)];
}

function whole(value: unknown, least: number): [string, boolean] {
  const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= MOST;
  return [`a whole number from ${least} to ${MOST}`, fits];
}
