/** Drops a handle from the host. */
export function drop(handle: object): void {
  (handle as Record<symbol, () => void>)[(Symbol as unknown as { dispose: symbol }).dispose]!();
}
