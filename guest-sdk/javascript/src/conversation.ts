/** The messages so far. */

import { get as at, slice as between, turnStart } from "portcullis:hooks/conversation@0.2.0";
import type { Message } from "./contract.ts";
import { count } from "./whole.ts";

export { last, len, turnStart } from "portcullis:hooks/conversation@0.2.0";

/** Returns the message at `index`. The oldest is at 0. */
export function get(index: number): Message | null {
  return at(count(index, "conversation.get"));
}

/**
 * Returns the messages from `start` up to, but not including, `end`. Indexes outside of the conversation are ignored.
 * Unlike those of an array, indexes do not count from the end.
 */
export function slice(start: number, end: number): Message[] {
  return between(count(start, "conversation.slice"), count(end, "conversation.slice"));
}

/** Returns the messages that the current turn has added so far; at `postTurn`, all messages of the turn. */
export function ofTurn(): Message[] {
  return between(turnStart(), 0x7fff_ffff);
}
