/** What the entry of a component is made of; `portcullis build` writes the entry. */

import type { Context, Descriptor, HookError, Points } from "./contract.ts";
import { LOOKING_ON, POINTS } from "./contract.ts";
import { BadConfig } from "./errors.ts";
import type { Hook } from "./hook.ts";
import { points } from "./hook.ts";

export { points };

/** The hook's card in the contract's form. */
export function card(hook: Hook): Descriptor {
  return {
    id: hook.id,
    version: hook.version ?? "0.1.0",
    kind: hook.kind ?? "hook",
    description: hook.description,
    role: hook.role,
    points: points(hook).map((point) => POINTS[point]),
    priority: hook.priority ?? null,
    failure: hook.failure ?? null,
    deadlineMs: hook.deadlineMs ?? null,
    execution: hook.execution ?? "blocking",
    after: hook.after ?? [],
    contributes: hook.contributes ?? [],
  };
}

/** The handler of a point as the component exports it. */
export function serve<P extends keyof Points>(hook: Hook, point: P) {
  const handler = hook[point] as (context: Context, input: Points[P]["input"]) => Points[P]["outcome"] | void;
  return {
    handle(context: Context, input: Points[P]["input"]) {
      let outcome;
      try {
        outcome = handler.call(hook, context, input) ?? { tag: "continue" };
      } catch (error) {
        throw failure(error);
      }
      return LOOKING_ON.has(point) ? outcome.tag : outcome;
    },
  };
}

/** What was thrown, as the hook's failure. */
function failure(error: unknown): HookError {
  if (error instanceof BadConfig) return { tag: "bad-config", val: error.message };
  if (!(error instanceof Error)) return { tag: "failed", val: String(error) };
  const at = (error.stack ?? "").split("\n").find((line) => line.trim() !== "") ?? "";
  return { tag: "failed", val: `${error.name}: ${error.message}${at === "" ? "" : ` (${at.trim()})`}` };
}
