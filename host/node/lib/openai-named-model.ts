import type { Agent, Model, ModelProvider, ModelRequest, ModelResponse, ModelSettings, StreamEvent } from "@openai/agents";

type AdviceRequest = Parameters<NonNullable<Model["getRetryAdvice"]>>[0];
type Advice = Awaited<ReturnType<NonNullable<Model["getRetryAdvice"]>>>;

/** A model that an agent knows by name. Its provider finds it at each call, as the runner does. */
export class NamedModel implements Model {
  /** The name; without one, the provider's default model is used. */
  readonly #name: string | undefined;
  /** The settings that the SDK derived from the name. The runner uses them only if the model is a name. */
  readonly #settings: ModelSettings;
  /** The model that was called last. */
  #called: Model | undefined;

  constructor(
    private readonly provider: ModelProvider,
    { model, modelSettings: { reasoning, text } }: Agent<any, any>,
  ) {
    this.#name = typeof model === "string" && model ? model : undefined;
    this.#settings = { ...(reasoning && { reasoning }), ...(text && { text }) };
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    return (await this.#found()).getResponse(this.#named(request));
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    yield* (await this.#found()).getStreamedResponse(this.#named(request));
  }

  async getRetryAdvice(request: AdviceRequest): Promise<Advice> {
    return this.#called?.getRetryAdvice?.(request);
  }

  async #found(): Promise<Model> {
    return (this.#called = await this.provider.getModel(this.#name));
  }

  /** Returns the request as the runner makes it for a name. If the agent names no model, a stored prompt chooses it. */
  #named(request: ModelRequest): ModelRequest {
    if (!this.#name && request.prompt) return { ...request, overridePromptModel: false };
    return { ...request, modelSettings: { ...this.#settings, ...request.modelSettings } };
  }
}
