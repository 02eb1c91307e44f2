import { decide, type Approver } from "./ask.js";
import { refusal } from "./errors.js";
import type { Session } from "./session.js";

/** A call of a tool. */
export interface ToolCall {
  name: string;
  /** The arguments, as JSON text or as a value. */
  input: unknown;
  callId: string;
  /** Gives what runs the tool: with the arguments as text that hooks left, if they changed them. */
  prepare: (changed: string | undefined) => Promise<() => Promise<unknown>>;
  /** Is aborted when nobody waits for the call any more. A tool that has not started then does not run. */
  signal: AbortSignal | undefined;
}

/** Calls `pre-tool-call`, runs the tool and calls `post-tool-call`. Gives what the model reads. */
export async function callTool(session: Session, approver: Approver | undefined, call: ToolCall): Promise<unknown> {
  const { name, input, callId } = call;
  const before = await decide(session, session.preToolCall(name, input, { callId }), approver);
  if (before.kind === "answer") return (before.answer as { content: string }).content;
  if (!before.passed) return refusal("The tool was not run", before);
  const run = await call.prepare(before.kind === "transform" ? before.payload : undefined);
  call.signal?.throwIfAborted();
  let output: unknown;
  let failed: { error: unknown } | undefined;
  try {
    output = await run();
  } catch (error) {
    failed = { error };
  }
  const text = failed ? String(failed.error) : written(output);
  const isError = failed !== undefined;
  const called = session.postToolCall(name, before.payload, text, { callId, isError });
  const after = await decide(session, called, approver);
  if (!after.passed) return refusal("The tool's output was withheld", after);
  if (after.kind === "transform") return after.payload.content;
  if (failed) throw failed.error;
  return output;
}

/** What a tool gives, as text. */
export const written = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");
