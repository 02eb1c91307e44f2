// Where the SDK is.

import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const SDK = dirname(dirname(fileURLToPath(import.meta.url)));

/** A file as it is named within the SDK; `undefined` if it is not in it. */
export function inSdk(file) {
  const name = relative(SDK, resolve(file));
  // On another drive it is named from there.
  const isOutside = name === ".." || /^\.\.[\\/]/.test(name) || isAbsolute(name);
  return isOutside ? undefined : name.replaceAll("\\", "/");
}
