import type { Settings } from "./config.ts";
import { written } from "./shown.ts";

/** What a hook's author declares. The operator's `hooks.toml` overrides it. */
export interface Declaration {
  /** The stable id: lower-case letters, digits and dashes. */
  id: string;
  /** One sentence on what it does. */
  description: string;
  /** Its own version; `0.1.0` if left out. */
  version?: string;
  /** What sort of hook it is, such as `guardrail`; `hook` if left out. */
  kind?: string;
  /** Low runs first; the host's default, 100, if left out. */
  priority?: number;
  /** What its failure means; if left out, a hook that can decide anything fails closed, one that only observes open. */
  failure?: "fail-open" | "fail-closed";
  /** How long one call may take, in milliseconds; the host's default if left out. */
  deadlineMs?: number;
  /** How the agent waits for it; `blocking` if left out. */
  execution?: "blocking" | "deadline" | "fire-and-record" | "background";
  /** The ids of the hooks that must run before it. */
  after?: string[];
  /** What `config` or `configOf` gave: the host then checks the configuration when it loads the hook. */
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

/** A number beyond it would be cut off. */
const MOST = 0x7fff_ffff;

/** Whether a declaration has this key. */
export function isKey(key: string): key is keyof Declaration {
  return (KEYS as readonly string[]).includes(key);
}

/** What is wrong with the value of a key. What is left out may be `undefined`. */
export function wrongValue(key: keyof Declaration, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const [expected, fits] = taken(key, value);
  return fits ? undefined : `\`${key}\` takes ${expected}, but was given ${written(value)}`;
}

/** What a key takes, in words, and whether a value is that. */
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
