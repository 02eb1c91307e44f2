/** `structuredClone`. */

import clone from "portcullis:library/structured-clone";

export function structuredClone<T>(value: T): T {
  // With an option, the library never calls the global of this name.
  return clone(value, { lossy: false }) as T;
}
