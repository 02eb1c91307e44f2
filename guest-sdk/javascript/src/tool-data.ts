/** The current tool call. */

import { input, output } from "portcullis:hooks/tool-data@0.2.0";

export { input, output };

/**
 * The arguments, read from their JSON text. What they hold is what the model wrote: check it before use.
 *
 * @throws Error outside of a tool call.
 */
export function args(): Record<string, unknown> {
  const text = input();
  if (text === "") throw new Error("there is no current tool call");
  return JSON.parse(text) as Record<string, unknown>;
}
