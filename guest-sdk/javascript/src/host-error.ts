/** Calls a function of the host. What it returns as its error is thrown as `toError` makes it. */
export function attempt<Cause, T>(run: () => T, toError: (cause: Cause) => Error): T {
  try {
    return run();
  } catch (error) {
    // The runtime throws an `Error` of its own, which has what the host returned as its payload.
    throw error instanceof Error && "payload" in error ? toError(error.payload as Cause) : error;
  }
}
