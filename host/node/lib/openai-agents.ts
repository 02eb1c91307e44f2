/** The OpenAI Agents SDK: guarded agents, models and tools. */

import type { Agent, FunctionTool, InputGuardrail, Model, ModelProvider, OutputGuardrail, Tool } from "@openai/agents";

import { decide, type Approver } from "./ask.js";
import { textOf } from "./content.js";
import type { ContentPart } from "./contract.js";
import { PortcullisError, refusal } from "./errors.js";
import { lastText } from "./openai-items.js";
import { GuardedModel } from "./openai-model.js";
import type { Session } from "./session.js";
import { callTool, written } from "./tool.js";
import type { Verdict } from "./verdict.js";

export type { Approver, Decision } from "./ask.js";

/** How hooks are asked. */
export interface GuardOptions {
  /** Puts the questions of hooks to a person. Default: none, so that a question refuses. */
  approver?: Approver;
}

/** How an agent is guarded. */
export interface GuardAgentOptions extends GuardOptions {
  /** Whether the agent may have tools that hooks do not see. Default: false. */
  allowUnguarded?: boolean;
}

/**
 * A copy of the agent whose input, output and function tools pass the hooks of a session, and whose model does, if it
 * is an object. A model that is named by a string is guarded by `guardProvider`.
 *
 * Hooks do not see tools that run elsewhere: hosted ones, and those of MCP servers. An agent that has any is refused
 * unless `allowUnguarded` is set. Agents that it hands over to are guarded by themselves.
 */
export function guard<A extends Agent<any, any>>(agent: A, session: Session, options: GuardAgentOptions = {}): A {
  const unseen = agent.tools.filter((tool) => tool.type !== "function").map((tool) => tool.name);
  unseen.push(...agent.mcpServers.map((server) => server.name));
  if (unseen.length > 0 && !options.allowUnguarded) {
    throw new PortcullisError(
      `hooks cannot see the tools of ${unseen.join(", ")}; remove them from the agent, or set \`allowUnguarded\``,
    );
  }
  const { model } = agent;
  return agent.clone({
    tools: agent.tools.map((tool) => guardTool(tool, session, options)),
    inputGuardrails: [inputGuardrail(session, options), ...agent.inputGuardrails],
    outputGuardrails: [...agent.outputGuardrails, outputGuardrail(session, options)],
    ...(typeof model === "string" ? {} : { model: guardModel(model, session, options) }),
  }) as A;
}

/** The same model, whose calls pass the hooks of a session. A refusal ends the run with `Refused`. */
export const guardModel = (model: Model, session: Session, options: GuardOptions = {}): Model =>
  new GuardedModel(model, session, options.approver);

/** A provider whose models are guarded, for `new Runner({ modelProvider })`. */
export const guardProvider = (
  provider: ModelProvider,
  session: Session,
  options: GuardOptions = {},
): ModelProvider => ({
  getModel: async (name) => guardModel(await provider.getModel(name), session, options),
});

/** Calls `pre-turn`, and trips if a hook refuses, answers, or changes the input. */
export const inputGuardrail = (session: Session, options: GuardOptions = {}): InputGuardrail => ({
  name: "portcullis pre-turn",
  runInParallel: false,
  execute: async ({ input }) => {
    const verdict = await decide(session, session.preTurn(lastText(input)), options.approver);
    return tripped("The turn was not started", verdict);
  },
});

/** Calls `post-turn`, and trips if a hook refuses or changes the output. */
export const outputGuardrail = (session: Session, options: GuardOptions = {}): OutputGuardrail<any> => ({
  name: "portcullis post-turn",
  execute: async ({ agentOutput }) => {
    const verdict = await decide(session, session.postTurn(written(agentOutput)), options.approver);
    return tripped("The answer was withheld", verdict);
  },
});

function guardTool<T extends Tool<any>>(tool: T, session: Session, options: GuardOptions): T {
  if (tool.type !== "function") return tool;
  const { invoke, name } = tool;
  const guarded: FunctionTool<any, any, any>["invoke"] = (context, input, details) =>
    callTool(session, options.approver, {
      name,
      input: input || "{}",
      callId: details?.toolCall?.callId ?? "",
      signal: details?.signal,
      prepare: async (changed) => () => invoke(context, changed ?? input, details),
    });
  return { ...tool, invoke: guarded };
}

function tripped(what: string, verdict: Verdict<ContentPart[]>) {
  if (verdict.kind === "continue") return { tripwireTriggered: false, outputInfo: undefined };
  const hooks = verdict.by.join(", ");
  const outputInfo =
    verdict.kind === "transform"
      ? `[${what}: hook \`${hooks}\` changed it to: ${textOf(verdict.payload)}]`
      : verdict.kind === "answer"
        ? textOf(verdict.answer as ContentPart[])
        : refusal(what, verdict);
  return { tripwireTriggered: true, outputInfo };
}
