/** The current tool call. */

import { input, output } from "portcullis:hooks/tool-data@0.2.0";

export { input, output };

/**
 * Returns the arguments, read from their JSON text. The model wrote their values: check them before use.
 *
 * @throws Error outside of a tool call.
 */
export function args(): Record<string, unknown> {
  const text = input();
  if (text === "") throw new Error("there is no current tool call");
  return JSON.parse(text) as Record<string, unknown>;
}
