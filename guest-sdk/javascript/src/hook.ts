import type { Settings } from "./config.ts";
import type { Context, Points } from "./contract.ts";
import { POINTS } from "./contract.ts";
import type { Facts } from "./facts.ts";

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

/**
 * A handler for each point that the hook serves, which may be `async`. One that returns nothing continues; what one
 * throws is the hook's failure, never a refusal.
 */
export type Handlers = {
  [P in keyof Points]?: (
    context: Facts<Context>,
    call: Points[P]["facts"],
  ) => Points[P]["outcome"] | void | Promise<Points[P]["outcome"] | void>;
};

/** A hook: its declaration and its handlers. */
export type Hook = Declaration & Handlers;

const KEYS = new Set([
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
]);

/** A hook that cannot be defined. The build knows it by its name, and looks for the nearest of the known keys. */
class WrongHook extends TypeError {
  override name = "WrongHook";
  unknown?: { key: string; known: string[] };
}

/**
 * Defines the hook of this module: `export default defineHook({ … })`.
 *
 * @throws TypeError on an unknown key, and on a hook that serves no point.
 */
export function defineHook(hook: Hook): Hook {
  for (const key of Object.keys(hook)) {
    if (!KEYS.has(key) && !(key in POINTS)) {
      const wrong = new WrongHook(`\`${key}\` is neither a point nor a key of a hook's declaration`);
      wrong.unknown = { key, known: [...KEYS, ...Object.keys(POINTS)] };
      throw wrong;
    }
  }
  for (const key of ["id", "description"] as const) {
    if (typeof hook[key] !== "string") throw new WrongHook(`a hook needs \`${key}\``);
  }
  if (points(hook).length === 0) {
    throw new WrongHook(`the hook \`${hook.id}\` serves no point: give it a handler, such as preTurn()`);
  }
  return hook;
}

/** The points that a hook has handlers for. */
export function points(hook: Hook): (keyof Points)[] {
  return (Object.keys(POINTS) as (keyof Points)[]).filter((point) => typeof hook[point] === "function");
}
