/** Calls a function of the host. An error that it returns is converted by `toError` and thrown. */
export function attempt<Cause, T>(run: () => T, toError: (cause: Cause) => Error): T {
  try {
    return run();
  } catch (error) {
    // The runtime throws an `Error` of its own, whose payload is the error of the host.
    throw error instanceof Error && "payload" in error ? toError(error.payload as Cause) : error;
  }
}
