// Written from wit/ by `cargo xtask contract`; do not change it here.

import type { Facts } from "./facts.ts";
import type { Contribution, Outcome } from "./outcome.ts";

/** Why a key was not changed. */
export type EditError =
  /**
   * The operator does not let the hook change this key, or the state cannot be changed at this point: at
   * `state-changed`, which would fire again, at `turn-suspended` and `session-end`, where the state is saved
   * already, and at the points of workspaces, which have no state. The text says which.
   */
  | { tag: "denied"; val: string }
  /** The keys that the hook may change would be too many or too large; the text says which. */
  | { tag: "full"; val: string }
  /** The key is empty or has control characters, or the value is not the text of a JSON value; the text says which. */
  | { tag: "invalid"; val: string };

/** The size of the conversation, and its limit. */
export interface TokenBudget {
  /** The most tokens the conversation may have. */
  limit: number;
  /** How many tokens it has, as the host estimates. */
  used: number;
  /** How many messages it has. */
  messages: number;
}

/** The result of a compaction. */
export interface CompactionResult {
  /** How many messages were removed. */
  removed: number;
  /** How many messages there are now. */
  messages: number;
  /** How many bytes the summary has. */
  summaryBytes: number;
}

/** What a failure of the hook means. */
export type FailurePolicy =
  /** As if the hook had said `continue`. */
  | "fail-open"
  /** As if the hook had refused, naming the hook and the cause. */
  | "fail-closed";

/** How the agent waits for the hook. */
export type ExecutionPolicy =
  /** Until it answers. */
  | "blocking"
  /** Until it answers or its deadline passes, which is a failure. */
  | "deadline"
  /** The agent does not wait; the run is recorded. For hooks that only observe. */
  | "fire-and-record"
  /** The agent does not wait; the run is queued and may outlive the turn. For hooks that only observe. */
  | "background";

/** The declaration. */
export interface Descriptor {
  /** The stable id: lower-case letters, digits and dashes. */
  id: string;
  /** The hook's own version, such as `1.4.0`. */
  version: string;
  /** What sort of hook it is, such as `guardrail` or `audit`; free text. */
  kind: string;
  /** One sentence on what it does. */
  description: string;
  /** The points that it serves, by name. They must be the ones it exports. */
  points: string[];
  /** The priority: low runs first at forward points, high first at reverse ones; 100 if left out. */
  priority: number | null;
  /** What its failure means; if left out, a hook that can decide anything fails closed, and one that only observes fails open. */
  failure: FailurePolicy | null;
  /** How long one call may take, in milliseconds; the host's default if left out. */
  deadlineMs: number | null;
  /** How the agent waits for it. */
  execution: ExecutionPolicy;
  /** The ids of the hooks that must run before it. */
  after: string[];
}

/** The call about to be made. */
export interface LlmCall {
  /** The provider. */
  provider: string;
  /** The model. */
  model: string;
  /** The number of the attempt, counted from 1. */
  attempt: number;
  /** How many messages are sent. */
  messages: number;
  /** How many tools are offered. */
  tools: number;
  /** How many tokens the messages have, as the host estimates. */
  estimatedTokens: number;
  /** The sampling temperature; the provider's default if left out. */
  temperature: number | null;
  /** The most tokens the model may write; the provider's default if left out. */
  maxOutputTokens: number | null;
}

/** The kind of failure. */
export type ProviderErrorKind =
  /** No response in time. */
  | "timeout"
  /** Too many requests. */
  | "rate-limited"
  /** The provider is overloaded. */
  | "overloaded"
  /** The key is missing, wrong or lacks a permission. */
  | "auth"
  /** The provider does not accept the request. */
  | "bad-request"
  /** The messages are too long for the model. */
  | "context-length"
  /** The provider could not be reached. */
  | "network"
  /** The provider failed. */
  | "server"
  /** Anything else. */
  | "other";

/** A failed call. */
export interface LlmFailure {
  /** The provider that failed. */
  provider: string;
  /** The model that was called. */
  model: string;
  /** The number of the failed attempt, counted from 1. */
  attempt: number;
  /** The kind of failure. */
  kind: ProviderErrorKind;
  /** The HTTP status, if there was one. */
  status: number | null;
  /** The provider's message. */
  message: string;
  /** How long the provider asks to wait, in milliseconds. */
  retryAfterMs: number | null;
  /** The providers that the agent has, by name, in the operator's order. */
  providers: string[];
}

/** What a piece is part of. */
export type DeltaKind =
  /** The model's text. */
  | "text"
  /** The model's reasoning. */
  | "thinking";

/** A piece of a response. The host gathers what providers send into larger pieces. */
export interface Delta {
  /** What the piece is part of. */
  kind: DeltaKind;
  /** The index of the piece among those of its kind, counted from 0. */
  index: number;
  /** How many bytes it has. */
  bytes: number;
  /** Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here. */
  last: boolean;
}

/** The change. */
export interface StateChange {
  /** The tool that made the change. Empty if a hook made it; the view `agent-state` says which. */
  tool: string;
  /** The id of the tool's call. Empty if a hook made the change. */
  callId: string;
  /** The keys that changed, in order. */
  keys: string[];
}

/** The turn whose prompt is assembled. */
export interface TurnFacts {
  /** How many bytes of text the user wrote. */
  textBytes: number;
  /** How many messages there are. */
  messages: number;
  /** How many tools the model is offered. */
  tools: number;
  /** How many policies were contributed so far. */
  policies: number;
}

/** The context so far. */
export interface ContextSet {
  /** How many bytes of text the user wrote. */
  textBytes: number;
  /** How many policies are in force. */
  policies: number;
  /** How many items were contributed so far. */
  items: number;
}

/** The plan of what to recall. */
export interface RecallPlan {
  /** How many queries the plan has. */
  queries: number;
  /** The most items to recall. */
  maxItems: number;
  /** The most tokens to recall. */
  maxTokens: number;
  /** Whether it is the fallback plan, made without a planner. */
  fallback: boolean;
  /** How many items were contributed so far. */
  items: number;
}

/** The tools so far. */
export interface ToolSet {
  /** How many tools there are. */
  tools: number;
  /** How many bundles were contributed so far. */
  bundles: number;
}

/** The draft of the prompt. */
export interface PromptDraft {
  /** How many sections there are so far. */
  sections: number;
  /** How many items of context there are. */
  items: number;
  /** How many tokens the sections have, as the host estimates. */
  tokens: number;
  /** The most tokens that the sections may have. */
  budgetTokens: number;
}

/** The session that begins. */
export interface SessionInfo {
  /** The provider that the agent calls first. */
  provider: string;
  /** The model that the agent calls first. */
  model: string;
  /** How many tools the model is offered. */
  tools: number;
}

/** The sub-agent. */
export interface SubagentSpec {
  /** The id of the tool call that starts the sub-agent. */
  callId: string;
  /** The name of the sub-agent. */
  agent: string;
  /** How many bytes its task has. */
  taskBytes: number;
  /** The depth of nesting: 1 for a sub-agent of the first agent. */
  depth: number;
}

/** What the policy lets the tool do. */
export interface ExecutionGrant {
  /** The directory it works in. */
  workingDir: string | null;
  /** How long it may run, in milliseconds. */
  timeoutMs: number;
}

/** The call about to be made. */
export interface ToolRequest {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** How many bytes the arguments have. */
  argumentsBytes: number;
  /** What the policy lets the tool do. */
  grant: ExecutionGrant;
}

/** The call that was made. */
export interface ToolOutcome {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** How many bytes the output has. */
  outputBytes: number;
  /** Whether the tool failed. */
  isError: boolean;
  /** How long it ran, in microseconds. */
  elapsedUs: number;
}

/** The update. */
export interface ToolUpdateToolProgress {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** Which update of the call it is, counted from 0. */
  index: number;
  /** How many bytes of text it has. */
  textBytes: number;
}

/** The update. */
export interface ToolUpdateSentToolProgress {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** Which update of the call it is, counted from 0. */
  index: number;
  /** How many bytes of text it has. */
  textBytes: number;
}

/** The turn that begins. What the user said is in the view `content`. */
export interface TurnInput {
  /** How many bytes of text the user wrote. */
  textBytes: number;
  /** How many parts there are. */
  parts: number;
}

/** What failed. */
export type ErrorKind =
  /** The model's provider. */
  | "provider"
  /** A hook refused something the turn cannot do without. */
  | "rejected"
  /** A hook whose failure ends the turn. */
  | "hook"
  /** The turn reached one of the agent's limits. */
  | "limit"
  /** An internal error of the agent. */
  | "internal";

/** The failure. */
export interface Failure {
  /** What failed. */
  kind: ErrorKind;
  /** What happened, in words. */
  message: string;
}

/** What a turn waits for. */
export type SuspendReason =
  /** A person's decision. */
  | "human"
  /** A tool that the client runs. */
  | "client-tool"
  /** A sub-agent that is suspended itself. */
  | "children";

/** The turn that is suspended. */
export interface Suspension {
  /** What it waits for. */
  reason: SuspendReason;
  /** The checkpoint that it can be resumed from. */
  checkpoint: string;
  /** The ids of the tool calls that wait. */
  pending: string[];
  /** Whether other calls of the same step are done already. */
  partial: boolean;
  /** How many steps it took so far. */
  steps: number;
}

/** The turn that is resumed. */
export interface Resumption {
  /** The checkpoint that it was resumed from. */
  checkpoint: string;
  /** The ids of the tool calls that waited. */
  resolved: string[];
  /** How long it waited, in milliseconds. */
  waitedMs: number;
  /** How many steps it took before. */
  steps: number;
}

/** The session, the turn and the step of a call. */
export interface Context {
  /** The session, unique within the host. */
  sessionId: string;
  /** The name of the agent whose loop is running. */
  agent: string;
  /** The turn, counted from 1; 0 outside of any turn. */
  turn: number;
  /** The step within the turn, counted from 1; 0 outside of any step. */
  step: number;
}

/** Who wrote a message. */
export type Role =
  /** The instructions that the operator gives the model. */
  | "system"
  /** The person, or the program, that talks to the agent. */
  | "user"
  /** The model. */
  | "assistant"
  /** A tool, answering the model's call. */
  | "tool";

/** The source of an image. */
export type ImageSource =
  /** A URL that the provider can read. */
  | { tag: "url"; val: string }
  /** The bytes of the image file. */
  | { tag: "bytes"; val: Uint8Array };

/** A picture in a message. */
export interface Image {
  /** The media type, such as `image/png`. */
  mediaType: string;
  /** The source of the picture. */
  source: ImageSource;
}

/** The model's request to run a tool. */
export interface ToolCall {
  /** The id of the call. Its result has the same id. */
  id: string;
  /** The name of the tool. */
  name: string;
  /** The arguments, as the text of a JSON object. */
  arguments: string;
}

/** The result of a tool call, as the model sees it. */
export interface ToolResult {
  /** The id of the call that it answers. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** The text that the model is given. */
  content: string;
  /** Whether the tool failed. */
  isError: boolean;
}

/** A part of a message. */
export type ContentPart =
  /** Text. */
  | { tag: "text"; val: string }
  /** The model's reasoning, where the provider shows it. */
  | { tag: "thinking"; val: string }
  /** A picture. */
  | { tag: "image"; val: Image }
  /** A request to run a tool. */
  | { tag: "tool-call"; val: ToolCall }
  /** The result of a tool call. */
  | { tag: "tool-result"; val: ToolResult };

/** One message of a conversation. */
export interface Message {
  /** Who wrote it. */
  role: Role;
  /** The parts of the message, in order. */
  content: ContentPart[];
}

/** Tokens spent. */
export interface Usage {
  /** Tokens sent to the model, those read from a cache included. */
  inputTokens: number;
  /** Tokens that the model wrote, reasoning included. */
  outputTokens: number;
  /** The part of `input-tokens` that was read from the provider's cache. */
  cacheReadTokens: number;
  /** The part of `input-tokens` that was written to the provider's cache. */
  cacheWriteTokens: number;
}

/** Why the model stopped writing. */
export type StopReason =
  /** It was done. */
  | { tag: "end-turn" }
  /** It reached the token limit. */
  | { tag: "max-tokens" }
  /** It wrote a stop sequence. */
  | { tag: "stop-sequence" }
  /** It asks for tools. */
  | { tag: "tool-use" }
  /** It, or its provider, refused. */
  | { tag: "refusal" }
  /** Another reason, in the provider's words. */
  | { tag: "other"; val: string };

/** A hook's refusal. A refusal is final: no later hook clears it. */
export interface Rejection {
  /** A short, stable code for programs, such as `over-budget`. */
  code: string;
  /** The reason, for the person or the model that is refused. */
  reason: string;
  /** Additional data for programs, as JSON text. */
  details: string | null;
}

/** A tool, as it is described to the model. */
export interface ToolSpec {
  /** The name the model calls it by. */
  name: string;
  /** Its description for the model. */
  description: string;
  /** The JSON schema of its arguments. */
  schema: string;
}

/** One change to a list of messages. An index refers to the list after the edits before this one. */
export type MessageEdit =
  /** Inserts a message before the one at the index. The length of the list as index appends the message. */
  | { tag: "insert"; val: [number, Message] }
  /** Replaces the message at the index. */
  | { tag: "set"; val: [number, Message] }
  /** Removes the message at the index. */
  | { tag: "remove"; val: number };

/** Why a turn ends early, without an error. */
export type StopKind =
  /** The turn reached its limit of steps. */
  | { tag: "steps-limit" }
  /** The turn reached its limit of tokens. */
  | { tag: "token-limit" }
  /** The turn reached its time limit. */
  | { tag: "time-limit" }
  /** The model stopped for a reason that ends the turn: the reason's name. */
  | { tag: "finish-reason"; val: string }
  /** Another reason: a short, stable code for programs. */
  | { tag: "other"; val: string };

/** A hook's request to end the turn early, without an error. */
export interface StopSignal {
  /** Why. */
  kind: StopKind;
  /** Why, in words. */
  message: string;
}

/** A directory that tools work in. */
export interface Workspace {
  /** The name of the workspace. */
  name: string;
  /** The path of the directory. */
  path: string;
  /** Why it was opened, closed or evicted, in words. */
  reason: string;
}

/** What a turn may do in one domain, such as `memory`. */
export interface DomainPolicy {
  /** The domain. */
  domain: string;
  /** The rules: the text of a JSON object, whose meaning is the domain's. */
  rules: string;
}

/** An item of context for the hooks that write the prompt. */
export interface ContextItem {
  /** The kind of the item, such as `memory.fact`. */
  kind: string;
  /** The text. */
  text: string;
  /** Additional data for programs, as JSON text. */
  data: string | null;
}

/** A part of the prompt. */
export interface PromptSection {
  /** The id, unique in the prompt; a later section with the same id replaces the earlier one. */
  id: string;
  /** A heading. */
  title: string | null;
  /** The text. */
  text: string;
  /** The position in the prompt: low numbers first. */
  order: number;
  /** The most tokens of the text; a longer text is cut at its end. */
  maxTokens: number | null;
  /** Whether the turn needs this section: such sections are cut last. */
  essential: boolean;
}

/** Who runs a tool that a hook contributes. */
export type ToolRoute =
  /** The agent's own tool of this name. */
  | { tag: "agent"; val: string }
  /** The hook that contributes it: it answers at `pre-tool-call`. */
  | { tag: "hook" };

/** A tool that a hook contributes. */
export interface BundledTool {
  /** The tool, as it is described to the model. */
  spec: ToolSpec;
  /** Who runs it. */
  route: ToolRoute;
}

/** Tools that belong together. */
export interface ToolBundle {
  /** The bundle's name. */
  name: string;
  /** The tools. */
  tools: BundledTool[];
}

/** Why state could not be read or written. */
export type StateError =
  /** The operator does not let the hook use this namespace. */
  | { tag: "denied"; val: string }
  /** The hook has used up its keys or bytes; the text says which. */
  | { tag: "full"; val: string }
  /** The value at the key is not a decimal integer, or the sum leaves the range of `s64`. */
  | { tag: "not-a-number" };

/** Changes to a call. What is left out stays as it is. */
export interface LlmCallEdit {
  /** Another model of the same provider. */
  model: string | null;
  /** Another temperature. */
  temperature: number | null;
  /** Another limit on what the model writes. */
  maxOutputTokens: number | null;
  /** The only tools to offer, by name; names that are not offered already are refused. */
  tools: string[] | null;
  /** Changes to the messages, in order. */
  messages: MessageEdit[];
}

/** A model's response. */
export interface LlmResponse {
  /** The content, tool calls included. */
  content: ContentPart[];
  /** Why the model stopped. */
  stop: StopReason;
  /** The tokens that the call used. */
  usage: Usage;
}

/** The response, without its content. */
export interface LlmResult {
  /** The provider that answered. */
  provider: string;
  /** The model that answered. */
  model: string;
  /** The number of the attempt, counted from 1. */
  attempt: number;
  /** Why the model stopped. */
  stop: StopReason;
  /** The tokens that the call used. */
  usage: Usage;
  /** How many bytes of text the response has. */
  textBytes: number;
  /** The names of the tools it asks for, in order. */
  toolCalls: string[];
  /** How long the call took, in microseconds. */
  elapsedUs: number;
}

/** The message. */
export interface AddedMessage {
  /** The index of the message in the conversation. */
  index: number;
  /** Who wrote it. */
  role: Role;
  /** How many parts it has. */
  parts: number;
  /** How many bytes of text it has, tool results included. */
  textBytes: number;
}

/** A completion of the model. */
export interface Completion {
  /** The text. */
  text: string;
  /** Why the model stopped. Text that reached the token limit is not complete. */
  stop: StopReason;
  /** The tokens that were used. */
  usage: Usage;
}

/** Why there is no completion. */
export type ModelError =
  /** There is no model to ask; the text says why. */
  | { tag: "no-model"; val: string }
  /** The tokens that are left of the hook's budget are too few for the prompt. */
  | { tag: "budget"; val: string }
  /** Instructions and prompt together have more bytes than this limit. */
  | { tag: "too-long"; val: number }
  /** The provider failed; the text says how. */
  | { tag: "provider"; val: string };

/** A JSON schema that the response must fit. */
export interface NamedSchema {
  /** The schema's name. */
  name: string;
  /** The JSON schema. */
  schema: string;
}

/** The format of the model's response. */
export type ResponseFormat =
  /** Text of any form. */
  | { tag: "text" }
  /** A JSON object. */
  | { tag: "json" }
  /** JSON that fits this schema. */
  | { tag: "schema"; val: NamedSchema };

/** Changes to the draft. What is left out stays as it is. */
export interface PromptEdit {
  /** Other instructions in place of the operator's, for this turn. Empty ones change nothing. */
  system: string | null;
  /** The format of the model's responses in this turn. */
  responseFormat: ResponseFormat | null;
  /** These sections in place of all contributed so far. */
  sections: PromptSection[] | null;
}

/** Why a session ends. */
export type EndReason =
  /** The embedder closed it. */
  | "closed"
  /** A hook refused it at its start. */
  | "rejected"
  /** It was cancelled. */
  | "cancelled"
  /** Something failed. */
  | "failed";

/** The session that ends. */
export interface SessionSummary {
  /** Why it ends. */
  reason: EndReason;
  /** How many turns it had. */
  turns: number;
  /** The tokens that all its model calls used. */
  usage: Usage;
}

/** The state of the turn. The messages are in the view `conversation`. */
export interface StepState {
  /** How many messages there are. */
  messages: number;
  /** How many tokens the messages have, as the host estimates. */
  estimatedTokens: number;
  /** How many steps the turn has taken. */
  steps: number;
  /** The tokens that the turn's model calls used so far. */
  usage: Usage;
  /** How long the turn has taken, in microseconds. */
  elapsedUs: number;
}

/** The step that is done. */
export interface StepReport {
  /** Why the model stopped. */
  stop: StopReason;
  /** How many tool calls the model asked for. */
  toolCalls: number;
  /** The tokens that the step used. */
  stepUsage: Usage;
  /** The tokens that the turn's model calls used so far. */
  usage: Usage;
  /** How long the turn has taken, in microseconds. */
  elapsedUs: number;
}

/** The result of a sub-agent. */
export interface SubagentResult {
  /** The id of the tool call that started the sub-agent. */
  callId: string;
  /** The name of the sub-agent. */
  agent: string;
  /** Its session; none if it was not started. */
  sessionId: string | null;
  /** Whether it failed. */
  isError: boolean;
  /** How many bytes its result has. */
  outputBytes: number;
  /** How many steps it took. */
  steps: number;
  /** The tokens that its model calls used. */
  usage: Usage;
  /** How long it took, in microseconds. */
  elapsedUs: number;
}

/** The turn that is done. Its output is in the view `content`. */
export interface TurnOutput {
  /** How many bytes of text the output has. */
  textBytes: number;
  /** How many steps it took. */
  steps: number;
  /** Why the last step stopped. */
  stop: StopReason;
  /** The tokens that its model calls used. */
  usage: Usage;
  /** How long it took, in microseconds. */
  elapsedUs: number;
}

/** What ends the turn. */
export type TurnEnding =
  /** The model is done, and says why. */
  | { tag: "model"; val: StopReason }
  /** A tool whose result is the turn's output ran: its name. */
  | { tag: "tool"; val: string }
  /** A hook stops the turn. */
  | { tag: "signal"; val: StopSignal };

/** The turn that is about to end. */
export interface Stopping {
  /** What ends the turn. */
  ending: TurnEnding;
  /** How many steps it took. */
  steps: number;
  /** The tokens that its model calls used. */
  usage: Usage;
  /** How many times hooks have kept the turn going. */
  keptGoing: number;
  /** Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit. */
  mayKeepGoing: boolean;
}

/** How a hook failed. */
export interface HookFailure {
  /** The code of the cause, such as `trap` or `deadline`. */
  cause: string;
  /** What happened, in words. */
  message: string;
}

/** The decision. */
export type Decision =
  /** The value passed. */
  | { tag: "passed" }
  /** A hook refused. */
  | { tag: "rejected"; val: Rejection }
  /** A hook answered in place of the operation. */
  | { tag: "answered" }
  /** A hook ended the turn. */
  | { tag: "stopped"; val: string }
  /** A hook that fails closed failed. This is no refusal. */
  | { tag: "failed"; val: HookFailure };

/** A decision, who made it, and who changed the value. */
export interface ChainVerdict {
  /** The decision. */
  decision: Decision;
  /** The hook that decided, if one did. */
  decidedBy: string | null;
  /** The hooks that changed the value, in order. */
  changedBy: string[];
}

/** A failed eviction. */
export interface EvictionRetry {
  /** The workspace. */
  workspace: Workspace;
  /** The number of the failed attempt, counted from 1. */
  attempt: number;
}

/** A snapshot. */
export interface Snapshot {
  /** The workspace. */
  workspace: Workspace;
  /** The path of the copy. */
  path: string;
  /** How many bytes it has. */
  bytes: number;
}

/** What a handler of `pre-compaction` is called with. */
export type PreCompactionFacts = Facts<TokenBudget>;

/** What a handler of `pre-compaction` may return. */
export type PreCompactionOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", { keep: number[]; instructions: string | null }>
  | Outcome<"reject", never>;

/** What a handler of `post-compaction` is called with. */
export type PostCompactionFacts = Facts<CompactionResult>;

/** What a handler of `post-compaction` may return. */
export type PostCompactionOutcome =
  | Outcome<"continue", never>;

/** What a handler of `pre-llm-call` is called with. */
export type PreLlmCallFacts = Facts<LlmCall>;

/** What a handler of `pre-llm-call` may return. */
export type PreLlmCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", LlmCallEdit>
  | Outcome<"reject", never>
  | Outcome<"replace", LlmCallEdit>
  | Outcome<"answer", LlmResponse>;

/** What a handler of `post-llm-call` is called with. */
export type PostLlmCallFacts = Facts<LlmResult>;

/** What a handler of `post-llm-call` may return. */
export type PostLlmCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", ContentPart[]>
  | Outcome<"reject", never>
  | Outcome<"replace", ContentPart[]>;

/** What a handler of `llm-error` is called with. */
export type LlmErrorFacts = Facts<LlmFailure>;

/** What a handler of `llm-error` may return. */
export type LlmErrorOutcome =
  | Outcome<"continue", never>
  | Outcome<"retry", never>
  | Outcome<"switch-provider", never>
  | Outcome<"give-up", never>;

/** What a handler of `llm-delta` is called with. */
export type LlmDeltaFacts = Facts<Delta>;

/** What a handler of `llm-delta` may return. */
export type LlmDeltaOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>
  | Outcome<"reject", never>
  | Outcome<"stop", never>;

/** What a handler of `state-changed` is called with. */
export type StateChangedFacts = Facts<StateChange>;

/** What a handler of `state-changed` may return. */
export type StateChangedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `message-added` is called with. */
export type MessageAddedFacts = Facts<AddedMessage>;

/** What a handler of `message-added` may return. */
export type MessageAddedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `prompt-policy` is called with. */
export type PromptPolicyFacts = Facts<TurnFacts>;

/** What a handler of `prompt-policy` may return. */
export type PromptPolicyOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-policy"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** What a handler of `prompt-context` is called with. */
export type PromptContextFacts = Facts<ContextSet>;

/** What a handler of `prompt-context` may return. */
export type PromptContextOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-context"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** What a handler of `prompt-recall` is called with. */
export type PromptRecallFacts = Facts<RecallPlan>;

/** What a handler of `prompt-recall` may return. */
export type PromptRecallOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-context"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** What a handler of `prompt-tools` is called with. */
export type PromptToolsFacts = Facts<ToolSet>;

/** What a handler of `prompt-tools` may return. */
export type PromptToolsOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-tools"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** What a handler of `prompt-compile` is called with. */
export type PromptCompileFacts = Facts<PromptDraft>;

/** What a handler of `prompt-compile` may return. */
export type PromptCompileOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", PromptEdit>
  | Outcome<"contribute", Contribution<"add-section"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** What a handler of `session-start` is called with. */
export type SessionStartFacts = Facts<SessionInfo>;

/** What a handler of `session-start` may return. */
export type SessionStartOutcome =
  | Outcome<"continue", never>
  | Outcome<"reject", never>;

/** What a handler of `session-end` is called with. */
export type SessionEndFacts = Facts<SessionSummary>;

/** What a handler of `session-end` may return. */
export type SessionEndOutcome =
  | Outcome<"continue", never>;

/** What a handler of `pre-step` is called with. */
export type PreStepFacts = Facts<StepState>;

/** What a handler of `pre-step` may return. */
export type PreStepOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", MessageEdit[]>
  | Outcome<"reject", never>
  | Outcome<"stop", never>;

/** What a handler of `post-step` is called with. */
export type PostStepFacts = Facts<StepReport>;

/** What a handler of `post-step` may return. */
export type PostStepOutcome =
  | Outcome<"continue", never>
  | Outcome<"stop", never>;

/** What a handler of `pre-subagent` is called with. */
export type PreSubagentFacts = Facts<SubagentSpec>;

/** What a handler of `pre-subagent` may return. */
export type PreSubagentOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>
  | Outcome<"reject", never>
  | Outcome<"replace", string>
  | Outcome<"answer", { content: string; isError: boolean }>;

/** What a handler of `post-subagent` is called with. */
export type PostSubagentFacts = Facts<SubagentResult>;

/** What a handler of `post-subagent` may return. */
export type PostSubagentOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>;

/** What a handler of `pre-tool-call` is called with. */
export type PreToolCallFacts = Facts<ToolRequest>;

/** What a handler of `pre-tool-call` may return. */
export type PreToolCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>
  | Outcome<"reject", never>
  | Outcome<"replace", string>
  | Outcome<"answer", { content: string; isError: boolean }>
  | Outcome<"ask", never>;

/** What a handler of `post-tool-call` is called with. */
export type PostToolCallFacts = Facts<ToolOutcome>;

/** What a handler of `post-tool-call` may return. */
export type PostToolCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", { content: string; isError: boolean }>
  | Outcome<"reject", never>
  | Outcome<"replace", { content: string; isError: boolean }>;

/** What a handler of `tool-update` is called with. */
export type ToolUpdateFacts = Facts<ToolUpdateToolProgress>;

/** What a handler of `tool-update` may return. */
export type ToolUpdateOutcome =
  | Outcome<"continue", never>
  | Outcome<"reject", never>;

/** What a handler of `tool-update-sent` is called with. */
export type ToolUpdateSentFacts = Facts<ToolUpdateSentToolProgress>;

/** What a handler of `tool-update-sent` may return. */
export type ToolUpdateSentOutcome =
  | Outcome<"continue", never>;

/** What a handler of `pre-turn` is called with. */
export type PreTurnFacts = Facts<TurnInput>;

/** What a handler of `pre-turn` may return. */
export type PreTurnOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", ContentPart[]>
  | Outcome<"reject", never>
  | Outcome<"replace", ContentPart[]>
  | Outcome<"answer", ContentPart[]>;

/** What a handler of `post-turn` is called with. */
export type PostTurnFacts = Facts<TurnOutput>;

/** What a handler of `post-turn` may return. */
export type PostTurnOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", ContentPart[]>
  | Outcome<"reject", never>
  | Outcome<"replace", ContentPart[]>
  | Outcome<"contribute", Contribution<"add-note"> | Contribution<"add-job">>;

/** What a handler of `turn-error` is called with. */
export type TurnErrorFacts = Facts<Failure>;

/** What a handler of `turn-error` may return. */
export type TurnErrorOutcome =
  | Outcome<"continue", never>
  | Outcome<"replace", ContentPart[]>;

/** What a handler of `turn-stopping` is called with. */
export type TurnStoppingFacts = Facts<Stopping>;

/** What a handler of `turn-stopping` may return. */
export type TurnStoppingOutcome =
  | Outcome<"continue", never>
  | Outcome<"keep-going", never>;

/** What a handler of `turn-suspended` is called with. */
export type TurnSuspendedFacts = Facts<Suspension>;

/** What a handler of `turn-suspended` may return. */
export type TurnSuspendedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `turn-resumed` is called with. */
export type TurnResumedFacts = Facts<Resumption>;

/** What a handler of `turn-resumed` may return. */
export type TurnResumedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `workspace-opened` is called with. */
export type WorkspaceOpenedFacts = Facts<Workspace>;

/** What a handler of `workspace-opened` may return. */
export type WorkspaceOpenedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `workspace-closed` is called with. */
export type WorkspaceClosedFacts = Facts<Workspace>;

/** What a handler of `workspace-closed` may return. */
export type WorkspaceClosedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `workspace-evicted` is called with. */
export type WorkspaceEvictedFacts = Facts<Workspace>;

/** What a handler of `workspace-evicted` may return. */
export type WorkspaceEvictedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `workspace-eviction-retried` is called with. */
export type WorkspaceEvictionRetriedFacts = Facts<EvictionRetry>;

/** What a handler of `workspace-eviction-retried` may return. */
export type WorkspaceEvictionRetriedOutcome =
  | Outcome<"continue", never>;

/** What a handler of `workspace-snapshotted` is called with. */
export type WorkspaceSnapshottedFacts = Facts<Snapshot>;

/** What a handler of `workspace-snapshotted` may return. */
export type WorkspaceSnapshottedOutcome =
  | Outcome<"continue", never>;

/** What the handler of each point is called with and may return. */
export interface Points {
  /** The conversation is over its budget and about to be compacted. It is in the view `conversation`. */
  preCompaction: { facts: PreCompactionFacts; outcome: PreCompactionOutcome };
  /** The conversation has been compacted. The summary is in the view `content`. */
  postCompaction: { facts: PostCompactionFacts; outcome: PostCompactionOutcome };
  /** A model is about to be called. The messages are in the view `conversation`. */
  preLlmCall: { facts: PreLlmCallFacts; outcome: PreLlmCallOutcome };
  /** A model has answered. The response is in the view `content`. */
  postLlmCall: { facts: PostLlmCallFacts; outcome: PostLlmCallOutcome };
  /** A model call has failed. */
  llmError: { facts: LlmErrorFacts; outcome: LlmErrorOutcome };
  /** A piece of a model's response is about to be shown, before the response is whole. It is in the view `content`. */
  llmDelta: { facts: LlmDeltaFacts; outcome: LlmDeltaOutcome };
  /** A tool or a hook changed the agent's state. The change is in the view `agent-state`. */
  stateChanged: { facts: StateChangedFacts; outcome: StateChangedOutcome };
  /** A message was added to the conversation. It is in the view `content`, and the last in `conversation`. */
  messageAdded: { facts: MessageAddedFacts; outcome: MessageAddedOutcome };
  /** A turn's prompt is about to be assembled: hooks contribute policies. What the user said is in the view `content`. */
  promptPolicy: { facts: PromptPolicyFacts; outcome: PromptPolicyOutcome };
  /** Hooks contribute context to the turn. What the user said is in the view `content`, the policies in `prompt`. */
  promptContext: { facts: PromptContextFacts; outcome: PromptContextOutcome };
  /** The agent has planned its queries to memory: hooks contribute more context. The queries are in the view `prompt`. */
  promptRecall: { facts: PromptRecallFacts; outcome: PromptRecallOutcome };
  /** The tools are about to be offered to the model: hooks contribute more. The tools so far are in the view `tool-catalog`. */
  promptTools: { facts: PromptToolsFacts; outcome: PromptToolsOutcome };
  /** The prompt is about to be written. What was contributed is in the view `prompt`. */
  promptCompile: { facts: PromptCompileFacts; outcome: PromptCompileOutcome };
  /** A session begins: before its first turn. */
  sessionStart: { facts: SessionStartFacts; outcome: SessionStartOutcome };
  /** A session ends, however it ends. */
  sessionEnd: { facts: SessionEndFacts; outcome: SessionEndOutcome };
  /** A step begins: one model call, and the tool calls it asks for. */
  preStep: { facts: PreStepFacts; outcome: PreStepOutcome };
  /** A step is done, its tools included. What the model said in it is in the view `content`. */
  postStep: { facts: PostStepFacts; outcome: PostStepOutcome };
  /** A sub-agent is about to be started. Its task is in the view `content`. */
  preSubagent: { facts: PreSubagentFacts; outcome: PreSubagentOutcome };
  /** A sub-agent is done. Its result is in the view `content`. */
  postSubagent: { facts: PostSubagentFacts; outcome: PostSubagentOutcome };
  /** A tool is about to run: the policy allows it, nothing has been done. The arguments are in the view `tool-data`. */
  preToolCall: { facts: PreToolCallFacts; outcome: PreToolCallOutcome };
  /** A tool has run. Arguments and output are in the view `tool-data`. */
  postToolCall: { facts: PostToolCallFacts; outcome: PostToolCallOutcome };
  /** A running tool reports its progress. The text is in the view `content`. */
  toolUpdate: { facts: ToolUpdateFacts; outcome: ToolUpdateOutcome };
  /** An update of a running tool was shown. The text is in the view `content`. */
  toolUpdateSent: { facts: ToolUpdateSentFacts; outcome: ToolUpdateSentOutcome };
  /** A turn begins: the user has said something, and nothing has been done with it yet. */
  preTurn: { facts: PreTurnFacts; outcome: PreTurnOutcome };
  /** A turn is done, and its output has not been returned yet. */
  postTurn: { facts: PostTurnFacts; outcome: PostTurnOutcome };
  /** A turn has failed. */
  turnError: { facts: TurnErrorFacts; outcome: TurnErrorOutcome };
  /** A turn is about to end. Its output is in the view `content`. */
  turnStopping: { facts: TurnStoppingFacts; outcome: TurnStoppingOutcome };
  /** A turn is suspended: its checkpoint is saved, and the loop is about to end. */
  turnSuspended: { facts: TurnSuspendedFacts; outcome: TurnSuspendedOutcome };
  /** A suspended turn is resumed: its checkpoint is loaded, and nothing else has happened yet. */
  turnResumed: { facts: TurnResumedFacts; outcome: TurnResumedOutcome };
  /** A workspace was opened. */
  workspaceOpened: { facts: WorkspaceOpenedFacts; outcome: WorkspaceOpenedOutcome };
  /** A workspace was closed; its directory stays. */
  workspaceClosed: { facts: WorkspaceClosedFacts; outcome: WorkspaceClosedOutcome };
  /** A workspace was evicted to make room. */
  workspaceEvicted: { facts: WorkspaceEvictedFacts; outcome: WorkspaceEvictedOutcome };
  /** A workspace could not be evicted, and the host tries again. */
  workspaceEvictionRetried: { facts: WorkspaceEvictionRetriedFacts; outcome: WorkspaceEvictionRetriedOutcome };
  /** A snapshot of a workspace was saved. */
  workspaceSnapshotted: { facts: WorkspaceSnapshottedFacts; outcome: WorkspaceSnapshottedOutcome };
}

/** The points by the names of their handlers. */
export const POINTS = {
  preCompaction: "pre-compaction",
  postCompaction: "post-compaction",
  preLlmCall: "pre-llm-call",
  postLlmCall: "post-llm-call",
  llmError: "llm-error",
  llmDelta: "llm-delta",
  stateChanged: "state-changed",
  messageAdded: "message-added",
  promptPolicy: "prompt-policy",
  promptContext: "prompt-context",
  promptRecall: "prompt-recall",
  promptTools: "prompt-tools",
  promptCompile: "prompt-compile",
  sessionStart: "session-start",
  sessionEnd: "session-end",
  preStep: "pre-step",
  postStep: "post-step",
  preSubagent: "pre-subagent",
  postSubagent: "post-subagent",
  preToolCall: "pre-tool-call",
  postToolCall: "post-tool-call",
  toolUpdate: "tool-update",
  toolUpdateSent: "tool-update-sent",
  preTurn: "pre-turn",
  postTurn: "post-turn",
  turnError: "turn-error",
  turnStopping: "turn-stopping",
  turnSuspended: "turn-suspended",
  turnResumed: "turn-resumed",
  workspaceOpened: "workspace-opened",
  workspaceClosed: "workspace-closed",
  workspaceEvicted: "workspace-evicted",
  workspaceEvictionRetried: "workspace-eviction-retried",
  workspaceSnapshotted: "workspace-snapshotted",
} as const satisfies Record<keyof Points, string>;
