import type { Model, ModelRequest, ModelResponse, StreamEvent } from "@openai/agents";

import { decide, type Approver } from "./ask.js";
import type { ContentPart, Message } from "./contract.js";
import { PortcullisError, Refused } from "./errors.js";
import { itemsOf, message, parts, spec, usage, withMessages, withParts } from "./openai-items.js";
import type { Session } from "./session.js";

/** A model whose calls pass the hooks of a session. */
export class GuardedModel implements Model {
  readonly supportsPromptModelSelection: boolean;
  /** Advises the runner about a failed call; absent if the model has no such method. */
  readonly getRetryAdvice: NonNullable<Model["getRetryAdvice"]> | undefined;
  /** The number of failures of a request, by its input, which is the same object in a retry. */
  readonly #failed = new WeakMap<object, number>();

  constructor(
    private readonly model: Model,
    private readonly session: Session,
    private readonly approver: Approver | undefined,
  ) {
    this.supportsPromptModelSelection = model.supportsPromptModelSelection ?? false;
    this.getRetryAdvice = model.getRetryAdvice?.bind(model);
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const attempt = this.#attempt(request);
    const changed = await this.#before(request, attempt);
    const response = await this.#counted(request, () => this.model.getResponse(changed));
    const output = await this.#after(response, attempt);
    return output ? { ...response, output } : response;
  }

  /** Returns the whole stream at once: nothing is shown before the hooks' decision. */
  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const attempt = this.#attempt(request);
    const changed = await this.#before(request, attempt);
    const events = await this.#counted(request, async () => {
      const events: StreamEvent[] = [];
      for await (const event of this.model.getStreamedResponse(changed)) events.push(event);
      return events;
    });
    const done = events.find((event) => event.type === "response_done");
    if (!done) throw new PortcullisError("the stream of the model ended without `response_done`");
    const { response } = done;
    const details = [response.usage.inputTokensDetails ?? []].flat();
    const answer = {
      output: response.output as ModelResponse["output"],
      usage: { ...response.usage, inputTokensDetails: details } as ModelResponse["usage"],
    };
    const output = await this.#after(answer, attempt);
    if (!output) yield* events;
    else yield { ...done, response: { ...response, output: output as typeof response.output } };
  }

  /** Returns the number of the attempt, counted from 1. */
  #attempt({ input }: ModelRequest): number {
    return 1 + ((typeof input === "object" && this.#failed.get(input)) || 0);
  }

  /** Calls the model, and counts a failure. */
  async #counted<T>(request: ModelRequest, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (typeof request.input === "object") this.#failed.set(request.input, this.#attempt(request));
      throw error;
    }
  }

  async #before(request: ModelRequest, attempt: number): Promise<ModelRequest> {
    const items = itemsOf(request.input);
    const messages = items.map(message);
    const system = request.systemInstructions;
    if (system !== undefined) messages.unshift({ role: "system", content: [{ text: system }] });
    const { temperature, maxTokens: maxOutputTokens } = request.modelSettings;
    const tools = request.tools.map(spec);
    const called = this.session.preLlmCall(messages, { tools, temperature, maxOutputTokens, attempt });
    const verdict = await decide(this.session, called, this.approver);
    if (!verdict.passed) throw new Refused("The model was not called", verdict);
    if (verdict.kind !== "transform") return request;
    const left = verdict.payload as {
      call: { model: string; temperature?: number | null; maxOutputTokens?: number | null };
      messages: Message[];
      tools: string[];
    };
    if (left.call.model !== this.session.model) {
      throw new PortcullisError(
        `a hook switched the model to \`${left.call.model}\`, which a guarded model cannot do; ` +
          "remove the hook's grant `transform` at `pre-llm-call`",
      );
    }
    const [first, ...others] = left.messages;
    const instructs = first?.role === "system";
    return {
      ...request,
      systemInstructions: instructs ? first.content.map((part) => ("text" in part ? part.text : "")).join("") : undefined,
      input: withMessages(items, instructs ? others : left.messages),
      tools: request.tools.filter((tool) => left.tools.includes(tool.name)),
      modelSettings: {
        ...request.modelSettings,
        temperature: left.call.temperature ?? undefined,
        maxTokens: left.call.maxOutputTokens ?? undefined,
      },
    };
  }

  /** Returns the output, if hooks changed it. */
  async #after(response: ModelResponse, attempt: number): Promise<ModelResponse["output"] | undefined> {
    const content: ContentPart[] = response.output.flatMap(parts);
    const stop = content.some((part) => "toolCall" in part) ? "tool-use" : "end-turn";
    const called = this.session.postLlmCall(content, { stop, usage: usage(response), attempt });
    const verdict = await decide(this.session, called, this.approver);
    if (!verdict.passed) throw new Refused("The model's answer was withheld", verdict);
    return verdict.kind === "transform" ? withParts(response.output, verdict.payload) : undefined;
  }
}
