import type { StateError as Cause } from "./contract.ts";
import { attempt as call } from "./host-error.ts";

/** The error of state that could not be read or written; `cause` says why. */
export class StateError extends Error {
  override name = "StateError";
  override cause: Cause;

  constructor(cause: Cause) {
    super("val" in cause ? cause.val : "the value is not a whole number, or the sum is too large");
    this.cause = cause;
  }
}

/** Calls the host, and throws an error that it returns as a `StateError`. */
export function attempt<T>(run: () => T): T {
  return call(run, (cause: Cause) => new StateError(cause));
}
