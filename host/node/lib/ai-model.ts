import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

import { decide, type Approver } from "./ask.js";
import { message, spec, withMessages } from "./ai-prompt.js";
import { textOf } from "./content.js";
import type { ContentPart, Message, Usage } from "./contract.js";
import { PortcullisError, refusal } from "./errors.js";
import type { Session } from "./session.js";

type Params = LanguageModelV4CallOptions;
type Result = LanguageModelV4GenerateResult;

/** Runs hooks around the calls of a model. */
export class ModelGuard {
  constructor(
    private readonly session: Session,
    private readonly approver: Approver | undefined,
  ) {}

  /** Calls the points of the turn and of the model. */
  async call(params: Params, model: (params: Params) => PromiseLike<Result>): Promise<Result> {
    const last = params.prompt.at(-1);
    if (last?.role === "user") {
      const given = message(last);
      const verdict = await decide(this.session, this.session.preTurn(given.content), this.approver);
      if (verdict.kind === "answer") return said(textOf(verdict.answer as ContentPart[]));
      if (!verdict.passed) return said(refusal("The turn was not started", verdict));
      if (verdict.kind === "transform") {
        const before = params.prompt.map(message);
        const after: Message[] = [...before.slice(0, -1), { role: "user", content: verdict.payload }];
        params = { ...params, prompt: withMessages(params.prompt, before, after) };
      }
    }
    const result = await this.#model(params, model);
    return result.content.some((part) => part.type === "tool-call") ? result : this.#end(result);
  }

  async #model(params: Params, model: (params: Params) => PromiseLike<Result>): Promise<Result> {
    const messages = params.prompt.map(message);
    const tools = (params.tools ?? []).map(spec);
    const { temperature, maxOutputTokens } = params;
    const called = this.session.preLlmCall(messages, { tools, temperature, maxOutputTokens });
    const before = await decide(this.session, called, this.approver);
    if (before.kind === "answer") return said(textOf((before.answer as { content: ContentPart[] }).content));
    if (!before.passed) return said(refusal("The model was not called", before));
    if (before.kind === "transform") params = this.#changed(params, messages, before.payload as never);
    const result = await model(params);
    const stop = result.content.some((part) => part.type === "tool-call") ? "tool-use" : "end-turn";
    const answered = this.session.postLlmCall(parts(result.content), { stop, usage: usage(result.usage) });
    const after = await decide(this.session, answered, this.approver);
    if (!after.passed) return said(refusal("The model's answer was withheld", after));
    return after.kind === "transform" ? { ...result, content: content(after.payload) } : result;
  }

  #changed(
    params: Params,
    messages: Message[],
    payload: {
      call: { model: string; temperature?: number | null; maxOutputTokens?: number | null };
      messages: Message[];
      tools: string[];
    },
  ): Params {
    if (payload.call.model !== this.session.model) {
      throw new PortcullisError(
        `a hook switched the model to \`${payload.call.model}\`, which this middleware cannot do; ` +
          "remove the hook's grant `transform` at `pre-llm-call`",
      );
    }
    return {
      ...params,
      prompt: withMessages(params.prompt, messages, payload.messages),
      tools: params.tools?.filter((tool) => payload.tools.includes(tool.name)),
      temperature: payload.call.temperature ?? undefined,
      maxOutputTokens: payload.call.maxOutputTokens ?? undefined,
    };
  }

  async #end(result: Result): Promise<Result> {
    const given = parts(result.content);
    const called = this.session.postTurn(given, { usage: usage(result.usage) });
    const verdict = await decide(this.session, called, this.approver);
    if (!verdict.passed) return said(refusal("The answer was withheld", verdict));
    return verdict.kind === "transform" ? { ...result, content: content(verdict.payload) } : result;
  }
}

/** Converts a model's content to parts of the contract. */
function parts(content: LanguageModelV4Content[]): ContentPart[] {
  return content.flatMap((part): ContentPart[] => {
    if (part.type === "text") return [{ text: part.text }];
    if (part.type === "reasoning") return [{ thinking: part.text }];
    if (part.type !== "tool-call") return [];
    return [{ toolCall: { id: part.toolCallId, name: part.toolName, arguments: part.input } }];
  });
}

/** Converts the parts that hooks left to a model's content. */
function content(parts: ContentPart[]): LanguageModelV4Content[] {
  return parts.flatMap((part): LanguageModelV4Content[] => {
    if ("text" in part) return [{ type: "text", text: part.text }];
    if ("thinking" in part) return [{ type: "reasoning", text: part.thinking }];
    if (!("toolCall" in part)) return [];
    const { id, name, arguments: input } = part.toolCall;
    return [{ type: "tool-call", toolCallId: id, toolName: name, input }];
  });
}

/** Returns a text of a hook as a model's result. */
function said(text: string): Result {
  const none = { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  return {
    content: [{ type: "text", text }],
    finishReason: { unified: "stop", raw: undefined },
    usage: { inputTokens: none, outputTokens: { total: 0, text: undefined, reasoning: undefined } },
    warnings: [],
  };
}

const usage = ({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage => ({
  inputTokens: inputTokens.total ?? 0,
  outputTokens: outputTokens.total ?? 0,
  cacheReadTokens: inputTokens.cacheRead ?? 0,
  cacheWriteTokens: inputTokens.cacheWrite ?? 0,
});
