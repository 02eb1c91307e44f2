/** What a handler answers. Which are legal is the point's to say: the types check it. */

import type { AskRequest, ContentPart, Message, Rejection, StopKind, StopSignal } from "./contract.ts";

/** Go on. A handler that returns nothing says the same. */
export function proceed(): { readonly tag: "continue" } {
  return CONTINUE;
}

const CONTINUE = Object.freeze({ tag: "continue" });

/** Go on with this value. */
export function transform<T>(val: T): { tag: "transform"; val: T } {
  return { tag: "transform", val };
}

/** Use this value as it is; hooks that could change it are skipped, gates still see it. */
export function replace<T>(val: T): { tag: "replace"; val: T } {
  return { tag: "replace", val };
}

/** Skip the operation itself and use this result. */
export function answer<T>(val: T): { tag: "answer"; val: T } {
  return { tag: "answer", val };
}

/**
 * Refuse. `code` is short and stable, for programs; `reason` is for the person or the model that is refused;
 * `details` are written as JSON.
 */
export function reject(code: string, reason: string, details?: unknown): { tag: "reject"; val: Rejection } {
  return { tag: "reject", val: { code, reason, details: details === undefined ? null : JSON.stringify(details) } };
}

/** A person must decide. */
export function ask(question: string, details?: string): { tag: "ask"; val: AskRequest } {
  return { tag: "ask", val: { question, details: details ?? null } };
}

/** End the turn in good order. `why` is a short, stable code, or one of the contract's kinds. */
export function stop(why: string | StopKind, message: string): { tag: "stop"; val: StopSignal } {
  const kind: StopKind = typeof why === "string" ? { tag: "other", val: why } : why;
  return { tag: "stop", val: { kind, message } };
}

/** Say this to the model instead of ending the turn. */
export function keepGoing(val: string): { tag: "keep-going"; val: string } {
  return { tag: "keep-going", val };
}

/** Go on, and add these: see `policy`, `contextItem`, `section`, `tools`, `note` and `job`. */
export function contribute<T>(...val: T[]): { tag: "contribute"; val: T[] } {
  return { tag: "contribute", val };
}

/** A text part. */
export function text(val: string): ContentPart {
  return { tag: "text", val };
}

/** A message of one text. */
export function message(role: Message["role"], said: string): Message {
  return { role, content: [text(said)] };
}

/** The text of these parts, joined. */
export function textOf(parts: ContentPart[]): string {
  return parts.map((part) => (part.tag === "text" ? part.val : "")).join("");
}
