/**
 * The agent's model, within a budget of tokens that the operator grants. Its text is data: compare it with the
 * few answers that you expect.
 */

import * as model from "portcullis:hooks/model@0.2.0";
import type { Completion, ModelError as Cause } from "./contract.ts";
import { attempt } from "./host-error.ts";
import { wellFormed } from "./utf8.ts";
import { count } from "./whole.ts";

/** The error of a request for a completion; `cause` says why it failed. */
export class ModelError extends Error {
  override name = "ModelError";
  override cause: Cause;

  constructor(cause: Cause) {
    super(cause.tag === "too-long" ? `the prompt has more than ${cause.val} bytes` : cause.val);
    this.cause = cause;
  }
}

/** Asks the model for a completion of at most `maxTokens`, 1,024 if left out. Throws a `ModelError`. */
export function complete(instructions: string, prompt: string, maxTokens?: number): Completion {
  const most = maxTokens === undefined ? null : count(maxTokens, "model.complete");
  const complete = () => model.complete(wellFormed(instructions), wellFormed(prompt), most);
  return attempt(complete, (cause: Cause) => new ModelError(cause));
}

/** Returns the tokens that are left of the hook's budget for the current turn. */
export function tokensLeft(): number {
  return model.tokensLeft();
}
