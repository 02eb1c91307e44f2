/** `structuredClone`. */

import clone from "portcullis:library/structured-clone";

export function structuredClone<T>(value: T): T {
  // With an option, it is never the global of this name that it calls.
  return clone(value, { lossy: false }) as T;
}
