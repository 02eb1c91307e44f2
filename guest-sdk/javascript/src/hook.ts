import type { Context, Points } from "./contract.ts";
import { POINTS } from "./contract.ts";
import { type Declaration, isKey, KEYS, wrongValue } from "./declaration.ts";
import type { Facts } from "./facts.ts";
import { written } from "./shown.ts";

/**
 * A handler for each point that the hook serves, which may be `async`. A handler that returns nothing continues; one
 * that throws reports the hook's failure, never a refusal.
 */
export type Handlers = {
  [P in keyof Points]?: (
    context: Facts<Context>,
    call: Points[P]["facts"],
  ) => Points[P]["outcome"] | void | Promise<Points[P]["outcome"] | void>;
};

/** A hook: its declaration and its handlers. */
export type Hook = Declaration & Handlers;

/** A hook that cannot be defined. The build recognizes the name, and looks for the nearest of the known keys. */
class WrongHook extends TypeError {
  override name = "WrongHook";
  unknown?: { key: string; known: string[] };
}

/**
 * Defines the hook of this module: `export default defineHook({ … })`.
 *
 * @throws TypeError on an unknown key, on a key whose value is of another type, and on a hook that serves no point.
 */
export function defineHook(hook: Hook): Hook {
  for (const [key, value] of Object.entries(hook)) {
    if (isKey(key)) refuse(wrongValue(key, value));
    else if (key in POINTS) refuse(wrongHandler(key, value));
    else {
      const wrong = new WrongHook(`\`${key}\` is neither a point nor a key of a hook's declaration`);
      wrong.unknown = { key, known: [...KEYS, ...Object.keys(POINTS)] };
      throw wrong;
    }
  }
  for (const key of ["id", "description"] as const) {
    if (hook[key] === undefined) throw new WrongHook(`a hook needs \`${key}\``);
  }
  if (points(hook).length === 0) {
    throw new WrongHook(`the hook \`${hook.id}\` serves no point: give it a handler, such as preTurn()`);
  }
  return hook;
}

function refuse(why: string | undefined): void {
  if (why !== undefined) throw new WrongHook(why);
}

function wrongHandler(key: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "function") return undefined;
  return `\`${key}\` takes a function, but was given ${written(value)}`;
}

/** Returns the points that a hook has handlers for. */
export function points(hook: Hook): (keyof Points)[] {
  return (Object.keys(POINTS) as (keyof Points)[]).filter((point) => typeof hook[point] === "function");
}
