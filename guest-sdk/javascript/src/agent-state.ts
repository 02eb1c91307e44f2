/** The agent's state: a JSON object that tools, hooks and the embedder write. */

import * as view from "portcullis:hooks/agent-state@0.2.0";

/** Returns the value at a key; nothing if there is none. */
export function get(key: string): unknown {
  const json = view.get(key);
  return json === null ? undefined : JSON.parse(json);
}

/** Returns the current change: for each changed key the values before and after, with `null` for no value. */
export function diff(): Record<string, [unknown, unknown]> {
  const json = view.diff();
  return json === "" ? {} : JSON.parse(json);
}

/** Returns the hook that made the current change; nothing if a tool made it. */
export function changedBy(): string | null {
  return view.changedBy();
}
