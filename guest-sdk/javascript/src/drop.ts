/** Drops a handle of the host's. */
export function drop(handle: object): void {
  (handle as Record<symbol, () => void>)[(Symbol as unknown as { dispose: symbol }).dispose]!();
}
