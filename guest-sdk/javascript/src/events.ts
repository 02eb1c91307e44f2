/** Events for the agent's subscribers; the operator grants them. */

import * as events from "portcullis:hooks/events@0.2.0";

/** Emits an event with `data` as JSON, once this call has succeeded. */
export function emit(name: string, data: unknown): void {
  events.emit(name, JSON.stringify(data));
}
