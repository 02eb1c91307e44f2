/** Outcomes, the results of handlers. Each point has its own legal outcomes, which the types check. */

import answers from "portcullis:answers/answer";
import asks from "portcullis:answers/ask";
import givesUp from "portcullis:answers/give-up";
import keepsGoing from "portcullis:answers/keep-going";
import rejects from "portcullis:answers/reject";
import replaces from "portcullis:answers/replace";
import retries from "portcullis:answers/retry";
import stops from "portcullis:answers/stop";
import switches from "portcullis:answers/switch-provider";
import transforms from "portcullis:answers/transform";
import type { ContentPart, Message, StopKind } from "./contract.ts";
import { CONTINUE, type Contribution, Contributions, Outcome } from "./outcome.ts";
import { wellFormed } from "./utf8.ts";

/** Continues. A handler that returns nothing does the same. */
export function proceed(): Outcome<"continue", never> {
  return CONTINUE;
}

/** Continues with this value. */
export function transform<T>(value: T): Outcome<"transform", T> {
  return new Outcome("transform", transforms, [value]);
}

/** Continues with this value. Later hooks still see it and may refuse it, but cannot change it. */
export function replace<T>(value: T): Outcome<"replace", T> {
  return new Outcome("replace", replaces, [value]);
}

/** Skips the operation and uses this result. */
export function answer<T>(value: T): Outcome<"answer", T> {
  return new Outcome("answer", answers, [value]);
}

/**
 * Refuses. `code` is short and stable, for programs; `reason` is for the person or the model that is refused;
 * `details` are written as JSON.
 */
export function reject(code: string, reason: string, details?: unknown): Outcome<"reject", never> {
  return new Outcome("reject", rejects, [code, reason, details === undefined ? null : JSON.stringify(details)]);
}

/** Asks a person to decide. */
export function ask(question: string, details?: string): Outcome<"ask", never> {
  return new Outcome("ask", asks, [question, details === undefined ? null : wellFormed(details)]);
}

/** Ends the turn without an error. `why` is a short, stable code, or one of the contract's kinds. */
export function stop(why: string | StopKind, message: string): Outcome<"stop", never> {
  const kind: StopKind = typeof why === "string" ? { tag: "other", val: wellFormed(why) } : why;
  return new Outcome("stop", stops, [kind, message]);
}

/** Continues the turn that is about to end, and gives the model this message. */
export function keepGoing(message: string): Outcome<"keep-going", never> {
  return new Outcome("keep-going", keepsGoing, [message]);
}

/** Calls the same provider again after this many milliseconds. */
export function retry(afterMs: number): Outcome<"retry", never> {
  return new Outcome("retry", retries, [afterMs]);
}

/** Calls another provider, with its default model if none is named. */
export function switchProvider(provider: string, model?: string): Outcome<"switch-provider", never> {
  return new Outcome("switch-provider", switches, [provider, model ?? null]);
}

/** Fails the step. */
export function giveUp(): Outcome<"give-up", never> {
  return new Outcome("give-up", givesUp, []);
}

/** Continues, and adds these: see `policy`, `contextItem`, `section`, `tools`, `note` and `job`. */
export function contribute<C extends Contribution<string>>(...added: C[]): Outcome<"contribute", C> {
  return new Contributions(added);
}

/** Returns a text part. */
export function text(val: string): ContentPart {
  return { tag: "text", val: wellFormed(val) };
}

/** Returns a message of one text part. */
export function message(role: Message["role"], said: string): Message {
  return { role, content: [text(said)] };
}

/** Returns the text of these parts, joined. */
export function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.tag === "text" ? part.val : "")).join("");
}
