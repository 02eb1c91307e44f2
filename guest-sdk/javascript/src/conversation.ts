/** The messages so far. */

import { slice, turnStart } from "portcullis:hooks/conversation@0.2.0";
import type { Message } from "./contract.ts";

export { get, last, len, slice, turnStart } from "portcullis:hooks/conversation@0.2.0";

/** The messages that the current turn has added so far; at `postTurn` these are all. */
export function ofTurn(): Message[] {
  return slice(turnStart(), 0xffff_ffff);
}
