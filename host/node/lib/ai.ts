/** The AI SDK: a middleware for models, and guarded tools. */

import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { asSchema, type ToolSet } from "ai";

import type { Approver } from "./ask.js";
import { PortcullisError } from "./errors.js";
import type { Session } from "./session.js";
import { ModelGuard } from "./ai-model.js";
import { collected, streamOf } from "./ai-stream.js";
import { callTool } from "./tool.js";

export type { Approver, Decision } from "./ask.js";

/** The options of a guard. */
export interface GuardOptions {
  /** Asks a person the questions of hooks. Default: none, so that a question refuses. */
  approver?: Approver;
}

/**
 * A middleware for `wrapLanguageModel`. A prompt that ends with a message of the user begins a turn, and an
 * answer without tool calls ends it.
 */
export function portcullisMiddleware(session: Session, options: GuardOptions = {}): LanguageModelV4Middleware {
  const guard = new ModelGuard(session, options.approver);
  return {
    specificationVersion: "v4",
    wrapGenerate: async ({ params, model }) => guard.call(params, (changed) => model.doGenerate(changed)),
    wrapStream: async ({ params, model }) => {
      // A hook may withhold the answer, so nothing is shown before the decision.
      const result = await guard.call(params, async (changed) => collected(await model.doStream(changed)));
      return { stream: streamOf(result) };
    },
  };
}

/**
 * The same tools, whose calls pass the hooks of a session. A tool without `execute` is run by the client or by
 * the provider, where hooks do not see it: it is refused.
 */
export function guardTools<T extends ToolSet>(tools: T, session: Session, options: GuardOptions = {}): T {
  const guarded = Object.entries(tools).map(([name, tool]) => {
    const run = tool.execute;
    if (!run) throw new PortcullisError(`hooks cannot see the tool \`${name}\`, which has no \`execute\``);
    const execute = (input: unknown, call: Parameters<typeof run>[1]): Promise<unknown> =>
      callTool(session, options.approver, {
        name,
        input,
        callId: call.toolCallId,
        signal: call.abortSignal,
        prepare: async (changed) => {
          const value = changed === undefined ? input : await checked(tool, changed);
          return () => last(run(value as never, call));
        },
      });
    return [name, { ...tool, execute }];
  });
  return Object.fromEntries(guarded) as T;
}

/** Returns the arguments that a hook gave, if the tool's schema allows them. */
async function checked(tool: ToolSet[string], text: string): Promise<unknown> {
  const value: unknown = JSON.parse(text);
  const result = await asSchema(tool.inputSchema as never).validate?.(value);
  if (result && !result.success) {
    throw new PortcullisError(`a hook changed the arguments to ${text}, which the tool does not take`);
  }
  return result ? result.value : value;
}

/** Returns a tool's output; of a stream, the last value. */
async function last(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output)) return output;
  let value: unknown;
  for await (value of output as AsyncIterable<unknown>);
  return value;
}
