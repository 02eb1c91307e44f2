/** What the entry of a component is made of; `portcullis build` writes the entry. */

import type { Descriptor, HookError, Points } from "./contract.ts";
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

/** What becomes of a point's calls, other than that they go on. */
export function serve<P extends keyof Points>(hook: Hook, point: P) {
  let answer: () => Points[P]["outcome"] | "continue";
  return {
    /** The handler has answered something. */
    answered(outcome: Points[P]["outcome"]) {
      answer = () => (LOOKING_ON.has(point) ? outcome.tag : outcome);
      return true;
    },
    /** The handler has thrown something. */
    failed(error: unknown) {
      answer = () => {
        throw failure(error);
      };
      return true;
    },
    /** What the component says when it is asked. */
    answer: () => answer(),
  };
}

/** What was thrown, as the hook's failure. */
function failure(error: unknown): HookError {
  if (error instanceof BadConfig) return { tag: "bad-config", val: error.message };
  if (!(error instanceof Error)) return { tag: "failed", val: String(error) };
  const at = (error.stack ?? "").split("\n").find((line) => line.trim() !== "") ?? "";
  return { tag: "failed", val: `${error.name}: ${error.message}${at === "" ? "" : ` (${at.trim()})`}` };
}
