/** The tool call in hand. */

import { input, output } from "portcullis:hooks/tool-data@0.1.0";

export { input, output };

/**
 * The arguments, read from their JSON text. What they hold is what the model wrote: check it before use.
 *
 * @throws Error outside of a tool call.
 */
export function args(): Record<string, unknown> {
  const text = input();
  if (text === "") throw new Error("there is no tool call in hand");
  return JSON.parse(text) as Record<string, unknown>;
}
