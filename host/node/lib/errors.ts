import type { Verdict } from "./verdict.js";

/** The hooks decided nothing. An agent that guards an operation must then not proceed. */
export class PortcullisError extends Error {
  override name = this.constructor.name;
}

/** The hooks do not load. The message names each file, its fault and the fix. */
export class LoadError extends PortcullisError {}

/** The call is wrong: there is no such point, or the input, a view or the session's id does not fit. */
export class RequestError extends PortcullisError {}

/** No question waits for this answer: it was answered already, or has expired. */
export class NoQuestionError extends PortcullisError {}

/** The session cannot be opened: another process has it, or too many are open. */
export class SessionError extends PortcullisError {}

/** The store cannot be opened, read or written. */
export class StoreError extends PortcullisError {}

/** Hooks refused, or a hook that must not fail has failed. */
export class Refused extends PortcullisError {
  constructor(
    what: string,
    readonly verdict: Verdict<unknown>,
  ) {
    super(refusal(what, verdict));
  }
}

const CLASSES = { LoadError, RequestError, NoQuestionError, SessionError, StoreError, PortcullisError };

/** Converts an error of the addon to one of the classes; its message begins with the name of the class. */
export function fromNative(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [, name, message] = /^(\w+): ([^]*)$/.exec(error.message) ?? [];
  const found = Object.entries(CLASSES).find(([known]) => known === name)?.[1];
  return found && message !== undefined ? new found(message) : error;
}

/** Returns the reason why an operation does not proceed, as a text for the model or a person. */
export function refusal(what: string, verdict: Verdict<unknown>): string {
  const hook = verdict.by.map((id) => `\`${id}\``).join(", ");
  switch (verdict.kind) {
    case "reject":
      return `[${what}: hook ${hook} refused. Its reason (${verdict.code}): ${verdict.reason}]`;
    case "pending":
      return `[${what}: hook ${hook} asks a person, and nobody has answered: ${verdict.reason}]`;
    case "stop":
      return `[${what}: hook ${hook} ends the turn: ${verdict.reason}]`;
    case "answer":
      return `[${what}: hook ${hook} answered in its place]`;
    case "failed":
      return `[${what}: hook ${hook} failed (${verdict.code}): ${verdict.reason}]`;
    default:
      return `[${what}]`;
  }
}
