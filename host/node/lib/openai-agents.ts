/** The OpenAI Agents SDK: guarded agents, models and tools. */

import type { Agent, FunctionTool, InputGuardrail, Model, ModelProvider, OutputGuardrail, Tool } from "@openai/agents";

import { decide, type Approver } from "./ask.js";
import { textOf } from "./content.js";
import type { ContentPart } from "./contract.js";
import { PortcullisError, refusal } from "./errors.js";
import { lastText } from "./openai-items.js";
import { GuardedModel } from "./openai-model.js";
import { NamedModel } from "./openai-named-model.js";
import type { Session } from "./session.js";
import { callTool, written } from "./tool.js";
import type { Verdict } from "./verdict.js";

export type { Approver, Decision } from "./ask.js";

/** The options of a guard. */
export interface GuardOptions {
  /** Asks a person the questions of hooks. Default: none, so that a question refuses. */
  approver?: Approver;
}

/** The options of a guarded agent. */
export interface GuardAgentOptions extends GuardOptions {
  /** Finds the model, if the agent has only its name or none. The runner's own provider and model are then not used. */
  modelProvider?: ModelProvider;
  /** Whether the agent may have a model, tools and handoffs that hooks do not see. Default: false. */
  allowUnguarded?: boolean;
}

const guarded = new WeakSet<object>();

/**
 * A copy of the agent whose input, output, function tools and model pass the hooks of a session.
 *
 * An agent with something that hooks do not see is refused unless `allowUnguarded` is set: tools that run elsewhere
 * (hosted tools and those of MCP servers); a model that is only a name, without a provider that finds it; and handoffs
 * to agents that are not guarded.
 */
export function guard<A extends Agent<any, any>>(agent: A, session: Session, options: GuardAgentOptions = {}): A {
  const unseen = options.allowUnguarded ? [] : unguarded(agent, options);
  if (unseen.length > 0) throw new PortcullisError(`hooks cannot see ${unseen.join("; ")}; or set \`allowUnguarded\``);
  const model = modelOf(agent, options);
  const clone = agent.clone({
    tools: agent.tools.map((tool) => guardTool(tool, session, options)),
    inputGuardrails: [inputGuardrail(session, options), ...agent.inputGuardrails],
    outputGuardrails: [...agent.outputGuardrails, outputGuardrail(session, options)],
    ...(model && { model: guardModel(model, session, options) }),
  }) as A;
  guarded.add(clone);
  return clone;
}

/** Returns the agent's model, if it is more than a name. The copy holds the model, so that no runner can replace it. */
function modelOf(agent: Agent<any, any>, { modelProvider }: GuardAgentOptions): Model | undefined {
  if (typeof agent.model !== "string") return agent.model;
  return modelProvider && new NamedModel(modelProvider, agent);
}

/** Returns the parts of an agent that hooks would not see, each with the fix. */
function unguarded(agent: Agent<any, any>, options: GuardAgentOptions): string[] {
  const unseen = [];
  const tools = agent.tools.filter((tool) => tool.type !== "function").map((tool) => tool.name);
  tools.push(...agent.mcpServers.map((server) => server.name));
  if (tools.length > 0) unseen.push(`the tools of ${tools.join(", ")}: remove them from the agent`);
  const agents = agent.handoffs.map((to) => ("agent" in to ? to.agent : to)).filter((to) => !guarded.has(to));
  if (agents.length > 0) unseen.push(`what ${agents.map(({ name }) => name).join(", ")} does: guard it first`);
  if (!modelOf(agent, options)) {
    const name = agent.model === "" ? "the default model" : `the model \`${agent.model}\`, of which the agent has the name`;
    unseen.push(`${name}: give the agent the model, or \`guard\` a \`modelProvider\``);
  }
  return unseen;
}

/** The same model, whose calls pass the hooks of a session. A refusal ends the run with `Refused`. */
export const guardModel = (model: Model, session: Session, options: GuardOptions = {}): Model =>
  new GuardedModel(model, session, options.approver);

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
