import { contentParts, textBytes, type Content } from "./content.js";
import type { ContentPart, Message, Points, StopReason, ToolOutput, ToolSpec, Usage } from "./contract.js";
import { fromNative, Refused } from "./errors.js";
import type { NativeHost } from "./native.js";
import type { Reporter } from "./report.js";
import { Verdict } from "./verdict.js";
import type { SessionView, Views } from "./views.js";

/** The usage of a model that does not report it. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** The data about a session that hooks may read. */
export interface SessionOptions {
  /** The name of the agent. Default: `node`. */
  agent?: string;
  /** The provider of the model. Default: empty. */
  provider?: string;
  /** The model. Default: empty. */
  model?: string;
  /** The directory that tools work in. Default: the current directory. */
  workingDir?: string;
  /** The owner of the session. */
  info?: SessionView;
  /** The trace that its calls are part of: see `Session.trace`. */
  trace?: Record<string, string>;
}

/** A session. `preTurn` begins the next turn, and `preLlmCall` the next step. */
export class Session {
  readonly id: string;
  readonly agent: string;
  readonly provider: string;
  readonly model: string;
  readonly workingDir: string;
  turn = 0;
  step = 0;
  /**
   * The trace that the next calls are part of, as `propagation.inject` of OpenTelemetry writes it: `traceparent`, and
   * `tracestate` and `baggage` if there are any. Requests of hooks carry it. Set it again for each turn. An invalid
   * trace is ignored.
   */
  trace?: Record<string, string>;
  readonly #host: NativeHost;
  readonly #reporter: Reporter;
  readonly #views: Views;

  constructor(host: NativeHost, reporter: Reporter, id: string, options: SessionOptions) {
    this.#host = host;
    this.#reporter = reporter;
    this.#views = options.info ? { session: options.info } : {};
    this.id = id;
    this.agent = options.agent ?? "node";
    this.provider = options.provider ?? "";
    this.model = options.model ?? "";
    this.workingDir = options.workingDir ?? process.cwd();
    this.trace = options.trace;
  }

  /** Calls the hooks of a point, with its facts and the views that hooks may see. */
  async call<P extends keyof Points>(
    point: P,
    input: Points[P]["input"],
    views: Views = {},
  ): Promise<Verdict<Points[P]["payload"]>> {
    const context = { sessionId: this.id, agent: this.agent, turn: this.turn, step: this.step };
    const request = { point, context, input, views: { ...this.#views, ...views }, trace: this.trace };
    return this.#verdict(() => this.#host.call(JSON.stringify(request)));
  }

  /** Calls `session-start`; a refusal throws `Refused`. */
  async begin(tools = 0): Promise<void> {
    const started = await this.call("session-start", { provider: this.provider, model: this.model, tools });
    if (started.passed) return;
    await this.close();
    throw new Refused("The session was not started", started);
  }

  /** Calls `session-end` and closes the session. */
  async end(failed = false): Promise<void> {
    const turns = this.turn;
    this.turn = this.step = 0;
    await this.call("session-end", { reason: failed ? "failed" : "closed", turns, usage: NO_USAGE });
  }

  /** Calls `pre-turn`: a turn begins with this message. */
  async preTurn(content: Content): Promise<Verdict<ContentPart[]>> {
    this.turn += 1;
    this.step = 0;
    const parts = contentParts(content);
    return this.call("pre-turn", { textBytes: textBytes(parts), parts: parts.length }, { content: parts });
  }

  /** Calls `post-turn`: the turn ends with this message. */
  async postTurn(
    content: Content,
    options: { stop?: StopReason; usage?: Usage; elapsedUs?: number } = {},
  ): Promise<Verdict<ContentPart[]>> {
    const parts = contentParts(content);
    const { stop = "end-turn", usage = NO_USAGE, elapsedUs = 0 } = options;
    const input = { textBytes: textBytes(parts), steps: this.step, stop, usage, elapsedUs };
    return this.call("post-turn", input, { content: parts });
  }

  /** Calls `pre-llm-call`: the model is about to be called. The first attempt begins a step. */
  async preLlmCall(
    messages: Message[],
    options: { tools?: ToolSpec[]; temperature?: number; maxOutputTokens?: number; attempt?: number } = {},
  ): Promise<Verdict<Record<string, unknown>>> {
    const { tools = [], attempt = 1 } = options;
    if (attempt === 1) this.step += 1;
    const bytes = messages.reduce((sum, message) => sum + textBytes(message.content), 0);
    const input = {
      provider: this.provider,
      model: this.model,
      attempt,
      messages: messages.length,
      tools: tools.length,
      estimatedTokens: Math.floor(bytes / 4),
      temperature: options.temperature ?? null,
      maxOutputTokens: options.maxOutputTokens ?? null,
    };
    return this.call("pre-llm-call", input, { conversation: messages, toolCatalog: tools });
  }

  /** Calls `post-llm-call`: the model has answered. */
  async postLlmCall(
    content: Content,
    options: { stop?: StopReason; usage?: Usage; elapsedUs?: number; attempt?: number } = {},
  ): Promise<Verdict<ContentPart[]>> {
    const parts = contentParts(content);
    const { stop = "end-turn", usage = NO_USAGE, elapsedUs = 0, attempt = 1 } = options;
    const toolCalls = parts.flatMap((part) => ("toolCall" in part ? [part.toolCall.name] : []));
    const { provider, model } = this;
    const facts = { provider, model, attempt, stop, usage, toolCalls, elapsedUs };
    return this.call("post-llm-call", { ...facts, textBytes: textBytes(parts) }, { content: parts });
  }

  /** Calls `pre-tool-call`: a tool is about to run. The payload is the text of its arguments. */
  async preToolCall(
    name: string,
    args: unknown,
    options: { callId?: string; timeoutMs?: number } = {},
  ): Promise<Verdict<string>> {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const grant = { workingDir: this.workingDir, timeoutMs: options.timeoutMs ?? 10_000 };
    const input = { callId: options.callId ?? "", name, argumentsBytes: Buffer.byteLength(text), grant };
    return this.call("pre-tool-call", input, { toolData: { input: text } });
  }

  /** Calls `post-tool-call`: a tool has run. */
  async postToolCall(
    name: string,
    args: unknown,
    output: string,
    options: { callId?: string; isError?: boolean; elapsedUs?: number } = {},
  ): Promise<Verdict<ToolOutput>> {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const { callId = "", isError = false, elapsedUs = 0 } = options;
    const input = { callId, name, outputBytes: Buffer.byteLength(output), isError, elapsedUs };
    return this.call("post-tool-call", input, { toolData: { input: text, output } });
  }

  /** Answers the first question of a verdict: the person approves. */
  approve<T>(verdict: Verdict<T>): Promise<Verdict<T>> {
    return this.#answer(verdict, "approve");
  }

  /** Answers the first question of a verdict: the person denies, for this reason. */
  deny<T>(verdict: Verdict<T>, reason: string): Promise<Verdict<T>> {
    return this.#answer(verdict, { deny: reason });
  }

  /** Answers the first question: the person approves this value instead. All hooks see it before it is used. */
  edit<T>(verdict: Verdict<T>, value: string): Promise<Verdict<T>> {
    return this.#answer(verdict, { edit: value });
  }

  /** Closes the session without `session-end`. The hooks' state stays in the store. */
  async close(): Promise<void> {
    try {
      await this.#host.closeSession(this.id);
    } catch (error) {
      throw fromNative(error);
    }
  }

  async #answer<T>(verdict: Verdict<T>, decision: unknown): Promise<Verdict<T>> {
    const id = verdict.questionId;
    if (id === undefined) {
      throw new TypeError(`nothing was asked: the verdict is \`${verdict.kind}\`, not \`pending\``);
    }
    const request = { sessionId: this.id, id, decision };
    return this.#verdict(() => this.#host.answer(JSON.stringify(request)));
  }

  async #verdict<T>(call: () => string | Promise<string>): Promise<Verdict<T>> {
    let verdict: Verdict<T>;
    try {
      const reply = call();
      const text = typeof reply === "string" ? reply : await reply;
      verdict = new Verdict<T>(JSON.parse(text));
    } catch (error) {
      throw fromNative(error);
    }
    for (const { by: hook, value } of verdict.contributions.sideOutputs) {
      if (value.job) this.#reporter.job({ session: this.id, hook, ...value.job });
    }
    return verdict;
  }
}
