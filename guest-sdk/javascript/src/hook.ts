import type { Context, ContributionKind, Points } from "./contract.ts";
import { POINTS } from "./contract.ts";

/** What a hook says of itself. These are its author's wishes; the operator's `hooks.toml` wins. */
export interface Card {
  /** The stable id: lower-case letters, digits and dashes. */
  id: string;
  /** One sentence on what it does. */
  description: string;
  /** `gate` continues or refuses, `transform` may answer anything, `observe` looks on. */
  role: "gate" | "transform" | "observe";
  /** Its own version; `0.1.0` if left out. */
  version?: string;
  /** What sort of hook it is, such as `guardrail`; `hook` if left out. */
  kind?: string;
  /** Low runs first; the host's default, 100, if left out. */
  priority?: number;
  /** What its failure means; by role if left out: gate and transform fail closed, observe fails open. */
  failure?: "fail-open" | "fail-closed";
  /** How long one call may take, in milliseconds; the host's default if left out. */
  deadlineMs?: number;
  /** How the agent waits for it; `blocking` if left out. */
  execution?: "blocking" | "deadline" | "fire-and-record" | "background";
  /** The ids of the hooks that must run before it. */
  after?: string[];
  /** What it contributes; anything else it contributes is not taken. */
  contributes?: ContributionKind[];
}

/**
 * A handler for each point that the hook serves. One that returns nothing continues; what one throws is
 * the hook's failure, never a refusal.
 */
export type Handlers = {
  [P in keyof Points]?: (context: Context, input: Points[P]["input"]) => Points[P]["outcome"] | void;
};

/** A hook: its card and its handlers. */
export type Hook = Card & Handlers;

const CARD = new Set([
  "id",
  "description",
  "role",
  "version",
  "kind",
  "priority",
  "failure",
  "deadlineMs",
  "execution",
  "after",
  "contributes",
]);

/**
 * Defines the hook of this module: `export default defineHook({ … })`.
 *
 * @throws TypeError on a key that is neither the card's nor a point's, and on a hook that serves no point.
 */
export function defineHook(hook: Hook): Hook {
  for (const key of Object.keys(hook)) {
    if (!CARD.has(key) && !(key in POINTS)) {
      throw new TypeError(`\`${key}\` is neither a point nor a key of a hook's card${nearest(key)}`);
    }
  }
  for (const key of ["id", "description", "role"] as const) {
    if (typeof hook[key] !== "string") throw new TypeError(`a hook needs \`${key}\``);
  }
  if (points(hook).length === 0) {
    throw new TypeError(`the hook \`${hook.id}\` serves no point: give it a handler, such as preTurn()`);
  }
  return hook;
}

/** The points that a hook has handlers for. */
export function points(hook: Hook): (keyof Points)[] {
  return (Object.keys(POINTS) as (keyof Points)[]).filter((point) => typeof hook[point] === "function");
}

function nearest(key: string): string {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");
  const letters = (name: string) => [...plain(name)].sort().join("");
  const all = [...CARD, ...Object.keys(POINTS)];
  const near = all.find((name) => plain(name) === plain(key)) ?? all.find((name) => letters(name) === letters(key));
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}
