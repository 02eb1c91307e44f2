/** What the entry of a component is made of; `portcullis build` writes the entry. */

import * as call from "portcullis:hooks/call@0.2.0";
import { badConfig, fail } from "portcullis:hooks/failure@0.2.0";
import type { Context, Descriptor } from "./contract.ts";
import { POINTS } from "./contract.ts";
import { BadConfig } from "./errors.ts";
import { type Facts, facts } from "./facts.ts";
import { type Hook, points } from "./hook.ts";
import { Outcome } from "./outcome.ts";

export { begin, facts } from "./facts.ts";
export { points };

/** Where in the agent's life the current call happens. */
export const context: Facts<Context> = /* @__PURE__ */ facts({ ...call }, "context");

/** The hook's declaration in the contract's form. */
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

/** Gives the answer that a handler returned. Returns whether there was one. */
export function answered(outcome: unknown, point: keyof typeof POINTS): boolean {
  if (outcome === undefined || outcome === null) return false;
  if (!(outcome instanceof Outcome)) throw new TypeError(notMade(outcome, point));
  const { answers } = outcome;
  for (const { name, imports } of answers) {
    if (!(point in imports)) throw new TypeError(`\`${name}\` is not an answer at \`${POINTS[point]}\``);
  }
  for (const { imports, values } of answers) imports[point]!(...values);
  return answers.length > 0;
}

function notMade(outcome: unknown, point: string): string {
  const returned = outcome instanceof Promise ? "a promise; it cannot be async" : `${JSON.stringify(outcome)}`;
  return `\`${point}\` must return what a function such as \`reject\` or \`proceed\` made, but returned ${returned}`;
}

/** Reports what a handler threw as the hook's failure. */
export function failed(error: unknown): true {
  if (error instanceof BadConfig) badConfig(error.message);
  else fail(error instanceof Error ? described(error) : String(error));
  return true;
}

function described({ name, message, stack = "" }: Error): string {
  const place = stack.split("\n").find((line) => line.trim() !== "");
  return `${name}: ${message}${place === undefined ? "" : ` (${place.trim()})`}`;
}
