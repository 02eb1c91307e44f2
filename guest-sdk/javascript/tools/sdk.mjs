// The directory of the SDK.

import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const SDK = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the name of a file within the SDK; `undefined` if it is not in the SDK. */
export function inSdk(file) {
  const name = relative(SDK, resolve(file));
  // On another drive, the relative path is absolute.
  const isOutside = name === ".." || /^\.\.[\\/]/.test(name) || isAbsolute(name);
  return isOutside ? undefined : name.replaceAll("\\", "/");
}
