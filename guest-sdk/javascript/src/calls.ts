/** The number of the current call: 0 while the module is loaded. */
export let current = 0;

/** Begins a call. */
export function begin(): void {
  current++;
}
