import { decide, type Approver } from "./ask.js";
import type { ToolOutput } from "./contract.js";
import { refusal } from "./errors.js";
import type { Session } from "./session.js";
import type { Verdict } from "./verdict.js";

/** A call of a tool. */
export interface ToolCall {
  name: string;
  /** The arguments, as JSON text or as a value. */
  input: unknown;
  callId: string;
  /** Returns the function that runs the tool. If hooks changed the arguments, `changed` has them as text. */
  prepare: (changed: string | undefined) => Promise<() => Promise<unknown>>;
  /** Aborted when the call is cancelled or times out. A tool that has not started then does not run. */
  signal: AbortSignal | undefined;
}

/** The result of a tool, or a hook's answer in its place. */
interface Given {
  text: string;
  isError: boolean;
  /** Returns the model's input if no hook changes it. */
  result: () => unknown;
}

/**
 * Calls `pre-tool-call`, runs the tool and calls `post-tool-call`, also for a hook's answer in place of the tool.
 * Returns the value that the model reads.
 */
export async function callTool(session: Session, approver: Approver | undefined, call: ToolCall): Promise<unknown> {
  const { name, input, callId } = call;
  const before = await decide(session, session.preToolCall(name, input, { callId }), approver);
  if (!before.passed && before.kind !== "answer") return refusal("The tool was not run", before);
  const given = before.kind === "answer" ? answered(before.answer as ToolOutput) : await run(call, before);
  const { text, isError } = given;
  const after = await decide(session, session.postToolCall(name, before.payload, text, { callId, isError }), approver);
  if (!after.passed) return refusal("The tool's output was withheld", after);
  return after.kind === "transform" ? after.payload.content : given.result();
}

const answered = ({ content, isError }: ToolOutput): Given => ({ text: content, isError, result: () => content });

async function run({ prepare, signal }: ToolCall, before: Verdict<string>): Promise<Given> {
  const start = await prepare(before.kind === "transform" ? before.payload : undefined);
  signal?.throwIfAborted();
  try {
    const output = await start();
    return { text: written(output), isError: false, result: () => output };
  } catch (error) {
    const result = () => {
      throw error;
    };
    return { text: String(error), isError: true, result };
  }
}

/** Returns a tool's output as text. */
export const written = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");
