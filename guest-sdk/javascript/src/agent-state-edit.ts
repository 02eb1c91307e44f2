/** Changes of the agent's state, once this call has succeeded; the operator grants each key. */

import * as edit from "portcullis:hooks/agent-state-edit@0.2.0";
import type { EditError as Cause } from "./contract.ts";
import { attempt } from "./host-error.ts";

/** The error of a key that was not changed; `cause` says why. */
export class EditError extends Error {
  override name = "EditError";
  override cause: Cause;

  constructor(cause: Cause) {
    super(cause.val);
    this.cause = cause;
  }
}

/** Sets the value at a key; `null` removes the key. Throws an `EditError`. */
export function set(key: string, value: unknown): void {
  // `undefined` has no JSON text.
  const json = JSON.stringify(value) ?? "null";
  attempt(() => edit.set(key, json), (cause: Cause) => new EditError(cause));
}

/** Removes a key. It is not an error if there is no such key. Throws an `EditError`. */
export function remove(key: string): void {
  attempt(() => edit.remove(key), (cause: Cause) => new EditError(cause));
}
