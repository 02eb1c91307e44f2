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

/** What a key takes, in words, and whether a value is that. */
type Taken = readonly [expected: string, fits: (value: unknown) => boolean];

const TEXT: Taken = ["a string", (value) => typeof value === "string"];

/** A number beyond it would be cut off. */
const MOST = 0x7fff_ffff;

const TAKEN: { readonly [K in keyof Declaration]-?: Taken } = {
  id: TEXT,
  description: TEXT,
  version: TEXT,
  kind: TEXT,
  priority: whole(-MOST - 1),
  failure: oneOf(["fail-open", "fail-closed"]),
  deadlineMs: whole(0),
  execution: oneOf(["blocking", "deadline", "fire-and-record", "background"]),
  after: ["an array of strings", (value) => Array.isArray(value) && value.every((id) => typeof id === "string")],
  config: ["what `config` or `configOf` gave", (value) => typeof value === "function" && "schema" in value],
};

/** The keys of a declaration. */
export const KEYS: readonly string[] = Object.keys(TAKEN);

/** Whether a declaration has this key. */
export function isKey(key: string): key is keyof Declaration {
  return KEYS.includes(key);
}

/** What is wrong with the value of a key. What is left out may be `undefined`. */
export function wrongValue(key: keyof Declaration, value: unknown): string | undefined {
  const [expected, fits] = TAKEN[key];
  if (value === undefined || fits(value)) return undefined;
  return `\`${key}\` takes ${expected}, but was given ${written(value)}`;
}

function oneOf(words: readonly string[]): Taken {
  const expected = words.map((word) => JSON.stringify(word)).join(" or ");
  return [expected, (value) => words.some((word) => word === value)];
}

function whole(least: number): Taken {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= MOST;
  return [`a whole number from ${least} to ${MOST}`, fits];
}
