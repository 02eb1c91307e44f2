import type { Agent, Model, ModelProvider, ModelRequest, ModelResponse, ModelSettings, StreamEvent } from "@openai/agents";

type AdviceRequest = Parameters<NonNullable<Model["getRetryAdvice"]>>[0];
type Advice = Awaited<ReturnType<NonNullable<Model["getRetryAdvice"]>>>;

/** The model of which an agent has the name. Its provider finds it at each call, as the runner does. */
export class NamedModel implements Model {
  /** Without a name it is the provider's default model. */
  readonly #name: string | undefined;
  /** What the SDK chose by the name. The runner does that for names alone. */
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

  /** The request as the runner makes it for a name. A stored prompt chooses the model where the agent names none. */
  #named(request: ModelRequest): ModelRequest {
    if (!this.#name && request.prompt) return { ...request, overridePromptModel: false };
    return { ...request, modelSettings: { ...this.#settings, ...request.modelSettings } };
  }
}
