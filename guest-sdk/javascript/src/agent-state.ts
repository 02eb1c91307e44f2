/** What tools, hooks and the embedder keep in the agent's state. */

import * as view from "portcullis:hooks/agent-state@0.2.0";

/** The value at a key; nothing if there is none. */
export function get(key: string): unknown {
  const json = view.get(key);
  return json === null ? undefined : JSON.parse(json);
}

/** The current change: for each key that changed the values before and after, `null` where there is none. */
export function diff(): Record<string, [unknown, unknown]> {
  const json = view.diff();
  return json === "" ? {} : JSON.parse(json);
}

/** The hook that made the current change; nothing if a tool made it. */
export function changedBy(): string | null {
  return view.changedBy();
}
