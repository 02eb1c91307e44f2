import type { StateError as Cause } from "./contract.ts";

/** State could not be read or written; `cause` says why. */
export class StateError extends Error {
  override name = "StateError";
  override cause: Cause;

  constructor(cause: Cause) {
    super("val" in cause ? cause.val : "the value is not a whole number, or the sum is too large");
    this.cause = cause;
  }
}

/** What the host throws as a `StateError`. */
export function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw isCause(error) ? new StateError(error) : error;
  }
}

function isCause(error: unknown): error is Cause {
  return typeof error === "object" && error !== null && "tag" in error;
}
