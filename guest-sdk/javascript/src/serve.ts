/** The parts of a component's entry; `portcullis build` writes the entry. */

import * as call from "portcullis:hooks/call@0.2.0";
import { badConfig, fail } from "portcullis:hooks/failure@0.2.0";
import type { Context, Descriptor } from "./contract.ts";
import { POINTS } from "./contract.ts";
import { BadConfig } from "./errors.ts";
import { type Facts, facts } from "./facts.ts";
import { type Hook, points } from "./hook.ts";
import { CONTINUE, Outcome } from "./outcome.ts";
import type { Located } from "./places.ts";
import { failure, written } from "./shown.ts";
import { wellFormed } from "./utf8.ts";

export { begin } from "./calls.ts";
export { derive, derivedSettings } from "./config.ts";
export { facts, points };

/** The session, the agent, the turn and the step of the current call. */
export const context: Facts<Context> = /* @__PURE__ */ facts({ ...call }, "context");

/** Returns the hook's declaration in the contract's form. */
export function descriptor(hook: Hook): Descriptor {
  return {
    id: hook.id,
    version: hook.version ?? "0.1.0",
    kind: hook.kind ?? "hook",
    description: hook.description,
    points: points(hook).map((point) => POINTS[point]),
    priority: hook.priority ?? null,
    failure: hook.failure ?? null,
    deadlineMs: hook.deadlineMs ?? null,
    execution: hook.execution ?? "blocking",
    after: hook.after ?? [],
  };
}

/** Returns the JSON schema of the hook's configuration. */
export function configSchema(hook: Hook): string {
  return JSON.stringify(hook.config?.schema ?? {});
}

/** Gives the answer that a handler returned. Returns whether there was one. */
export function answered(outcome: unknown, handler: string): boolean {
  // This comes first, since looking up the class takes as long as the rest of a call that continues.
  if (outcome === CONTINUE || outcome === undefined || outcome === null) return false;
  if (!(outcome instanceof Outcome)) throw new TypeError(notMade(outcome, handler));
  return outcome.give(handler);
}

function notMade(outcome: unknown, handler: string): string {
  return `\`${handler}\` returned ${written(outcome)}: an outcome is made by \`proceed\`, \`reject\` or another function of the SDK`;
}

/** Reports an error that a handler threw as the hook's failure. */
export function failed(error: unknown, handler: Located): true {
  if (error instanceof BadConfig) badConfig(wellFormed(error.message));
  else fail(wellFormed(failure(error, handler)));
  return true;
}
