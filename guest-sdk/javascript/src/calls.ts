/** Which call is the current one: 0 while the module is loaded. */
export let current = 0;

/** Begins a call. */
export function begin(): void {
  current++;
}
