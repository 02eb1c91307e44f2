// Written from wit/ by `cargo xtask contract`; do not change it here.

import type { Facts } from "./facts.ts";
import type { Contribution, Outcome } from "./outcome.ts";

/** The reason why a key was not changed. */
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
  /** The estimated number of tokens in the conversation. */
  used: number;
  /** The number of messages in the conversation. */
  messages: number;
}

/** The result of a compaction. */
export interface CompactionResult {
  /** The number of messages removed. */
  removed: number;
  /** The number of messages after the compaction. */
  messages: number;
  /** The size of the summary, in bytes. */
  summaryBytes: number;
}

/** The effect of a failure of the hook. */
export type FailurePolicy =
  /** The failure counts as no answer: the call continues. */
  | "fail-open"
  /** The failure counts as a refusal, which names the hook and the cause. */
  | "fail-closed";

/** The way that the agent waits for the hook. */
export type ExecutionPolicy =
  /** The agent waits until the hook answers. */
  | "blocking"
  /** The agent waits until the hook answers or its deadline passes, which is a failure. */
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
  /** The sort of hook, such as `guardrail` or `audit`; free text. */
  kind: string;
  /** One sentence on what it does. */
  description: string;
  /** The points that it serves, by name. They must be the ones it exports. */
  points: string[];
  /** The priority: low runs first at forward points, high first at reverse ones; 100 if left out. */
  priority: number | null;
  /** The failure policy; if left out, a hook that can decide anything fails closed, and one that only observes fails open. */
  failure: FailurePolicy | null;
  /** The time limit of one call, in milliseconds; the host's default if left out. */
  deadlineMs: number | null;
  /** The way that the agent waits for the hook. */
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
  /** The number of messages to send. */
  messages: number;
  /** The number of tools to offer. */
  tools: number;
  /** The estimated number of tokens in the messages. */
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
  /** The wait that the provider asks for, in milliseconds. */
  retryAfterMs: number | null;
  /** The providers that the agent has, by name, in the operator's order. */
  providers: string[];
}

/** The kind of a piece. */
export type DeltaKind =
  /** The model's text. */
  | "text"
  /** The model's reasoning. */
  | "thinking";

/** A piece of a response. The host gathers what providers send into larger pieces. */
export interface Delta {
  /** The kind of the piece. */
  kind: DeltaKind;
  /** The index of the piece among those of its kind, counted from 0. */
  index: number;
  /** The size in bytes. */
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
  /** The size of the user's text, in bytes. */
  textBytes: number;
  /** The number of messages. */
  messages: number;
  /** The number of tools that the model is offered. */
  tools: number;
  /** The number of policies contributed so far. */
  policies: number;
}

/** The context so far. */
export interface ContextSet {
  /** The size of the user's text, in bytes. */
  textBytes: number;
  /** The number of policies in force. */
  policies: number;
  /** The number of items contributed so far. */
  items: number;
}

/** The plan of what to recall. */
export interface RecallPlan {
  /** The number of queries in the plan. */
  queries: number;
  /** The most items to recall. */
  maxItems: number;
  /** The most tokens to recall. */
  maxTokens: number;
  /** Whether it is the fallback plan, made without a planner. */
  fallback: boolean;
  /** The number of items contributed so far. */
  items: number;
}

/** The tools so far. */
export interface ToolSet {
  /** The number of tools. */
  tools: number;
  /** The number of bundles contributed so far. */
  bundles: number;
}

/** The draft of the prompt. */
export interface PromptDraft {
  /** The number of sections so far. */
  sections: number;
  /** The number of items of context. */
  items: number;
  /** The estimated number of tokens in the sections. */
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
  /** The number of tools that the model is offered. */
  tools: number;
}

/** The sub-agent. */
export interface SubagentSpec {
  /** The id of the tool call that starts the sub-agent. */
  callId: string;
  /** The name of the sub-agent. */
  agent: string;
  /** The size of the task, in bytes. */
  taskBytes: number;
  /** The depth of nesting: 1 for a sub-agent of the first agent. */
  depth: number;
}

/** The policy's grant to the tool. */
export interface ExecutionGrant {
  /** The directory that the tool works in. */
  workingDir: string | null;
  /** The time limit of the run, in milliseconds. */
  timeoutMs: number;
}

/** The call about to be made. */
export interface ToolRequest {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** The size of the arguments, in bytes. */
  argumentsBytes: number;
  /** The policy's grant to the tool. */
  grant: ExecutionGrant;
}

/** The call that was made. */
export interface ToolOutcome {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** The size of the output, in bytes. */
  outputBytes: number;
  /** Whether the tool failed. */
  isError: boolean;
  /** The duration of the run, in microseconds. */
  elapsedUs: number;
}

/** The update. */
export interface ToolUpdateToolProgress {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** The index of the update within the call, counted from 0. */
  index: number;
  /** The size of the text, in bytes. */
  textBytes: number;
}

/** The update. */
export interface ToolUpdateSentToolProgress {
  /** The id of the call. */
  callId: string;
  /** The name of the tool. */
  name: string;
  /** The index of the update within the call, counted from 0. */
  index: number;
  /** The size of the text, in bytes. */
  textBytes: number;
}

/** The turn that begins. The user's message is in the view `content`. */
export interface TurnInput {
  /** The size of the user's text, in bytes. */
  textBytes: number;
  /** The number of parts. */
  parts: number;
}

/** The kind of failure. */
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
  /** The kind of failure. */
  kind: ErrorKind;
  /** A description of the failure. */
  message: string;
}

/** The reason why a turn is suspended. */
export type SuspendReason =
  /** The turn waits for a person's decision. */
  | "human"
  /** The turn waits for a tool that the client runs. */
  | "client-tool"
  /** The turn waits for a sub-agent that is suspended itself. */
  | "children";

/** The turn that is suspended. */
export interface Suspension {
  /** The reason for the suspension. */
  reason: SuspendReason;
  /** The checkpoint that it can be resumed from. */
  checkpoint: string;
  /** The ids of the tool calls that wait. */
  pending: string[];
  /** Whether other calls of the same step are done already. */
  partial: boolean;
  /** The number of steps so far. */
  steps: number;
}

/** The turn that is resumed. */
export interface Resumption {
  /** The checkpoint that it was resumed from. */
  checkpoint: string;
  /** The ids of the tool calls that waited. */
  resolved: string[];
  /** The duration of the wait, in milliseconds. */
  waitedMs: number;
  /** The number of steps before the suspension. */
  steps: number;
}

/** The session, the turn and the step of a call. */
export interface Context {
  /** The session's id, unique within the host. */
  sessionId: string;
  /** The name of the agent whose loop is running. */
  agent: string;
  /** The turn, counted from 1; 0 outside of any turn. */
  turn: number;
  /** The step within the turn, counted from 1; 0 outside of any step. */
  step: number;
}

/** The author of a message. */
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
  /** The author of the message. */
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

/** The reason why the model stopped writing. */
export type StopReason =
  /** The model was done. */
  | { tag: "end-turn" }
  /** The model reached the token limit. */
  | { tag: "max-tokens" }
  /** The model wrote a stop sequence. */
  | { tag: "stop-sequence" }
  /** The model asks for tools. */
  | { tag: "tool-use" }
  /** The model, or its provider, refused. */
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
  /** The name by which the model calls the tool. */
  name: string;
  /** The description for the model. */
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

/** The reason why a turn ends early, without an error. */
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
  /** The kind of reason. */
  kind: StopKind;
  /** The reason, in words. */
  message: string;
}

/** A directory that tools work in. */
export interface Workspace {
  /** The name of the workspace. */
  name: string;
  /** The path of the directory. */
  path: string;
  /** The reason why the workspace was opened, closed or evicted, in words. */
  reason: string;
}

/** The rules for a turn in one domain, such as `memory`. */
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
  /** Whether the turn needs this section. Needed sections are cut last. */
  essential: boolean;
}

/** The implementation of a tool that a hook contributes. */
export type ToolRoute =
  /** The agent's own tool of this name. */
  | { tag: "agent"; val: string }
  /** The hook that contributes the tool: it answers at `pre-tool-call`. */
  | { tag: "hook" };

/** A tool that a hook contributes. */
export interface BundledTool {
  /** The tool, as it is described to the model. */
  spec: ToolSpec;
  /** The implementation of the tool. */
  route: ToolRoute;
}

/** Tools that belong together. */
export interface ToolBundle {
  /** The bundle's name. */
  name: string;
  /** The tools. */
  tools: BundledTool[];
}

/** The reason why state could not be read or written. */
export type StateError =
  /** The operator does not let the hook use this namespace. */
  | { tag: "denied"; val: string }
  /** The hook has used up its keys or bytes; the text says which. */
  | { tag: "full"; val: string }
  /** The value at the key is not a decimal integer, or the sum leaves the range of `s64`. */
  | { tag: "not-a-number" };

/** Changes to a call. A field that is left out stays as it is. */
export interface LlmCallEdit {
  /** Another model of the same provider. */
  model: string | null;
  /** Another temperature. */
  temperature: number | null;
  /** Another limit on the model's output. */
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
  /** The model's stop reason. */
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
  /** The model's stop reason. */
  stop: StopReason;
  /** The tokens that the call used. */
  usage: Usage;
  /** The size of the response's text, in bytes. */
  textBytes: number;
  /** The names of the tools it asks for, in order. */
  toolCalls: string[];
  /** The duration of the call, in microseconds. */
  elapsedUs: number;
}

/** The message. */
export interface AddedMessage {
  /** The index of the message in the conversation. */
  index: number;
  /** The author of the message. */
  role: Role;
  /** The number of parts. */
  parts: number;
  /** The size of the text, in bytes, tool results included. */
  textBytes: number;
}

/** A completion of the model. */
export interface Completion {
  /** The text. */
  text: string;
  /** The model's stop reason. Text that reached the token limit is not complete. */
  stop: StopReason;
  /** The tokens that were used. */
  usage: Usage;
}

/** The reason why there is no completion. */
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

/** Changes to the draft. A field that is left out stays as it is. */
export interface PromptEdit {
  /** Other instructions in place of the operator's, for this turn. Empty ones change nothing. */
  system: string | null;
  /** The format of the model's responses in this turn. */
  responseFormat: ResponseFormat | null;
  /** These sections in place of all contributed so far. */
  sections: PromptSection[] | null;
}

/** The reason why a session ends. */
export type EndReason =
  /** The embedder closed the session. */
  | "closed"
  /** A hook refused the session at its start. */
  | "rejected"
  /** The session was cancelled. */
  | "cancelled"
  /** Something failed. */
  | "failed";

/** The session that ends. */
export interface SessionSummary {
  /** The reason for the end. */
  reason: EndReason;
  /** The number of turns. */
  turns: number;
  /** The tokens that all its model calls used. */
  usage: Usage;
}

/** The state of the turn. The messages are in the view `conversation`. */
export interface StepState {
  /** The number of messages. */
  messages: number;
  /** The estimated number of tokens in the messages. */
  estimatedTokens: number;
  /** The number of steps that the turn has taken. */
  steps: number;
  /** The tokens that the turn's model calls used so far. */
  usage: Usage;
  /** The duration of the turn so far, in microseconds. */
  elapsedUs: number;
}

/** The step that is done. */
export interface StepReport {
  /** The model's stop reason. */
  stop: StopReason;
  /** The number of tool calls that the model asked for. */
  toolCalls: number;
  /** The tokens that the step used. */
  stepUsage: Usage;
  /** The tokens that the turn's model calls used so far. */
  usage: Usage;
  /** The duration of the turn so far, in microseconds. */
  elapsedUs: number;
}

/** The result of a sub-agent. */
export interface SubagentResult {
  /** The id of the tool call that started the sub-agent. */
  callId: string;
  /** The name of the sub-agent. */
  agent: string;
  /** The sub-agent's session; none if it was not started. */
  sessionId: string | null;
  /** Whether the sub-agent failed. */
  isError: boolean;
  /** The size of the result, in bytes. */
  outputBytes: number;
  /** The number of steps. */
  steps: number;
  /** The tokens that its model calls used. */
  usage: Usage;
  /** The duration, in microseconds. */
  elapsedUs: number;
}

/** The turn that is done. Its output is in the view `content`. */
export interface TurnOutput {
  /** The size of the output's text, in bytes. */
  textBytes: number;
  /** The number of steps. */
  steps: number;
  /** The stop reason of the last step. */
  stop: StopReason;
  /** The tokens that its model calls used. */
  usage: Usage;
  /** The duration, in microseconds. */
  elapsedUs: number;
}

/** The cause of the turn's end. */
export type TurnEnding =
  /** The model is done, and says why. */
  | { tag: "model"; val: StopReason }
  /** A tool whose result is the turn's output ran: its name. */
  | { tag: "tool"; val: string }
  /** A hook stops the turn. */
  | { tag: "signal"; val: StopSignal };

/** The turn that is about to end. */
export interface Stopping {
  /** The cause of the turn's end. */
  ending: TurnEnding;
  /** The number of steps. */
  steps: number;
  /** The tokens that its model calls used. */
  usage: Usage;
  /** The number of times that hooks have kept the turn going. */
  keptGoing: number;
  /** Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit. */
  mayKeepGoing: boolean;
}

/** A hook's failure. */
export interface HookFailure {
  /** The code of the cause, such as `trap` or `deadline`. */
  cause: string;
  /** A description of the failure. */
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

/** A decision, the hook that made it, and the hooks that changed the value. */
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
  /** The size in bytes. */
  bytes: number;
}

/** The facts of a call at `pre-compaction`. */
export type PreCompactionFacts = Facts<TokenBudget>;

/** The outcomes that a handler of `pre-compaction` may return. */
export type PreCompactionOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", { keep: number[]; instructions: string | null }>
  | Outcome<"reject", never>;

/** The facts of a call at `post-compaction`. */
export type PostCompactionFacts = Facts<CompactionResult>;

/** The outcomes that a handler of `post-compaction` may return. */
export type PostCompactionOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `pre-llm-call`. */
export type PreLlmCallFacts = Facts<LlmCall>;

/** The outcomes that a handler of `pre-llm-call` may return. */
export type PreLlmCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", LlmCallEdit>
  | Outcome<"reject", never>
  | Outcome<"replace", LlmCallEdit>
  | Outcome<"answer", LlmResponse>;

/** The facts of a call at `post-llm-call`. */
export type PostLlmCallFacts = Facts<LlmResult>;

/** The outcomes that a handler of `post-llm-call` may return. */
export type PostLlmCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", ContentPart[]>
  | Outcome<"reject", never>
  | Outcome<"replace", ContentPart[]>;

/** The facts of a call at `llm-error`. */
export type LlmErrorFacts = Facts<LlmFailure>;

/** The outcomes that a handler of `llm-error` may return. */
export type LlmErrorOutcome =
  | Outcome<"continue", never>
  | Outcome<"retry", never>
  | Outcome<"switch-provider", never>
  | Outcome<"give-up", never>;

/** The facts of a call at `llm-delta`. */
export type LlmDeltaFacts = Facts<Delta>;

/** The outcomes that a handler of `llm-delta` may return. */
export type LlmDeltaOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>
  | Outcome<"reject", never>
  | Outcome<"stop", never>;

/** The facts of a call at `state-changed`. */
export type StateChangedFacts = Facts<StateChange>;

/** The outcomes that a handler of `state-changed` may return. */
export type StateChangedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `message-added`. */
export type MessageAddedFacts = Facts<AddedMessage>;

/** The outcomes that a handler of `message-added` may return. */
export type MessageAddedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `prompt-policy`. */
export type PromptPolicyFacts = Facts<TurnFacts>;

/** The outcomes that a handler of `prompt-policy` may return. */
export type PromptPolicyOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-policy"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** The facts of a call at `prompt-context`. */
export type PromptContextFacts = Facts<ContextSet>;

/** The outcomes that a handler of `prompt-context` may return. */
export type PromptContextOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-context"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** The facts of a call at `prompt-recall`. */
export type PromptRecallFacts = Facts<RecallPlan>;

/** The outcomes that a handler of `prompt-recall` may return. */
export type PromptRecallOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-context"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** The facts of a call at `prompt-tools`. */
export type PromptToolsFacts = Facts<ToolSet>;

/** The outcomes that a handler of `prompt-tools` may return. */
export type PromptToolsOutcome =
  | Outcome<"continue", never>
  | Outcome<"contribute", Contribution<"add-tools"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** The facts of a call at `prompt-compile`. */
export type PromptCompileFacts = Facts<PromptDraft>;

/** The outcomes that a handler of `prompt-compile` may return. */
export type PromptCompileOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", PromptEdit>
  | Outcome<"contribute", Contribution<"add-section"> | Contribution<"add-note"> | Contribution<"add-job">>;

/** The facts of a call at `session-start`. */
export type SessionStartFacts = Facts<SessionInfo>;

/** The outcomes that a handler of `session-start` may return. */
export type SessionStartOutcome =
  | Outcome<"continue", never>
  | Outcome<"reject", never>;

/** The facts of a call at `session-end`. */
export type SessionEndFacts = Facts<SessionSummary>;

/** The outcomes that a handler of `session-end` may return. */
export type SessionEndOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `pre-step`. */
export type PreStepFacts = Facts<StepState>;

/** The outcomes that a handler of `pre-step` may return. */
export type PreStepOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", MessageEdit[]>
  | Outcome<"reject", never>
  | Outcome<"stop", never>;

/** The facts of a call at `post-step`. */
export type PostStepFacts = Facts<StepReport>;

/** The outcomes that a handler of `post-step` may return. */
export type PostStepOutcome =
  | Outcome<"continue", never>
  | Outcome<"stop", never>;

/** The facts of a call at `pre-subagent`. */
export type PreSubagentFacts = Facts<SubagentSpec>;

/** The outcomes that a handler of `pre-subagent` may return. */
export type PreSubagentOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>
  | Outcome<"reject", never>
  | Outcome<"replace", string>
  | Outcome<"answer", { content: string; isError: boolean }>;

/** The facts of a call at `post-subagent`. */
export type PostSubagentFacts = Facts<SubagentResult>;

/** The outcomes that a handler of `post-subagent` may return. */
export type PostSubagentOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>;

/** The facts of a call at `pre-tool-call`. */
export type PreToolCallFacts = Facts<ToolRequest>;

/** The outcomes that a handler of `pre-tool-call` may return. */
export type PreToolCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", string>
  | Outcome<"reject", never>
  | Outcome<"replace", string>
  | Outcome<"answer", { content: string; isError: boolean }>
  | Outcome<"ask", never>;

/** The facts of a call at `post-tool-call`. */
export type PostToolCallFacts = Facts<ToolOutcome>;

/** The outcomes that a handler of `post-tool-call` may return. */
export type PostToolCallOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", { content: string; isError: boolean }>
  | Outcome<"reject", never>
  | Outcome<"replace", { content: string; isError: boolean }>;

/** The facts of a call at `tool-update`. */
export type ToolUpdateFacts = Facts<ToolUpdateToolProgress>;

/** The outcomes that a handler of `tool-update` may return. */
export type ToolUpdateOutcome =
  | Outcome<"continue", never>
  | Outcome<"reject", never>;

/** The facts of a call at `tool-update-sent`. */
export type ToolUpdateSentFacts = Facts<ToolUpdateSentToolProgress>;

/** The outcomes that a handler of `tool-update-sent` may return. */
export type ToolUpdateSentOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `pre-turn`. */
export type PreTurnFacts = Facts<TurnInput>;

/** The outcomes that a handler of `pre-turn` may return. */
export type PreTurnOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", ContentPart[]>
  | Outcome<"reject", never>
  | Outcome<"replace", ContentPart[]>
  | Outcome<"answer", ContentPart[]>;

/** The facts of a call at `post-turn`. */
export type PostTurnFacts = Facts<TurnOutput>;

/** The outcomes that a handler of `post-turn` may return. */
export type PostTurnOutcome =
  | Outcome<"continue", never>
  | Outcome<"transform", ContentPart[]>
  | Outcome<"reject", never>
  | Outcome<"replace", ContentPart[]>
  | Outcome<"contribute", Contribution<"add-note"> | Contribution<"add-job">>;

/** The facts of a call at `turn-error`. */
export type TurnErrorFacts = Facts<Failure>;

/** The outcomes that a handler of `turn-error` may return. */
export type TurnErrorOutcome =
  | Outcome<"continue", never>
  | Outcome<"replace", ContentPart[]>;

/** The facts of a call at `turn-stopping`. */
export type TurnStoppingFacts = Facts<Stopping>;

/** The outcomes that a handler of `turn-stopping` may return. */
export type TurnStoppingOutcome =
  | Outcome<"continue", never>
  | Outcome<"keep-going", never>;

/** The facts of a call at `turn-suspended`. */
export type TurnSuspendedFacts = Facts<Suspension>;

/** The outcomes that a handler of `turn-suspended` may return. */
export type TurnSuspendedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `turn-resumed`. */
export type TurnResumedFacts = Facts<Resumption>;

/** The outcomes that a handler of `turn-resumed` may return. */
export type TurnResumedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `workspace-opened`. */
export type WorkspaceOpenedFacts = Facts<Workspace>;

/** The outcomes that a handler of `workspace-opened` may return. */
export type WorkspaceOpenedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `workspace-closed`. */
export type WorkspaceClosedFacts = Facts<Workspace>;

/** The outcomes that a handler of `workspace-closed` may return. */
export type WorkspaceClosedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `workspace-evicted`. */
export type WorkspaceEvictedFacts = Facts<Workspace>;

/** The outcomes that a handler of `workspace-evicted` may return. */
export type WorkspaceEvictedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `workspace-eviction-retried`. */
export type WorkspaceEvictionRetriedFacts = Facts<EvictionRetry>;

/** The outcomes that a handler of `workspace-eviction-retried` may return. */
export type WorkspaceEvictionRetriedOutcome =
  | Outcome<"continue", never>;

/** The facts of a call at `workspace-snapshotted`. */
export type WorkspaceSnapshottedFacts = Facts<Snapshot>;

/** The outcomes that a handler of `workspace-snapshotted` may return. */
export type WorkspaceSnapshottedOutcome =
  | Outcome<"continue", never>;

/** The facts and the outcomes of each point, for its handler. */
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
  /** A turn's prompt is about to be assembled: hooks contribute policies. The user's message is in the view `content`. */
  promptPolicy: { facts: PromptPolicyFacts; outcome: PromptPolicyOutcome };
  /** Hooks contribute context to the turn. The user's message is in the view `content`, the policies in `prompt`. */
  promptContext: { facts: PromptContextFacts; outcome: PromptContextOutcome };
  /** The agent has planned its queries to memory: hooks contribute more context. The queries are in the view `prompt`. */
  promptRecall: { facts: PromptRecallFacts; outcome: PromptRecallOutcome };
  /** The tools are about to be offered to the model: hooks contribute more. The tools so far are in the view `tool-catalog`. */
  promptTools: { facts: PromptToolsFacts; outcome: PromptToolsOutcome };
  /** The prompt is about to be written. The contributions are in the view `prompt`. */
  promptCompile: { facts: PromptCompileFacts; outcome: PromptCompileOutcome };
  /** A session begins: before its first turn. */
  sessionStart: { facts: SessionStartFacts; outcome: SessionStartOutcome };
  /** A session ends, however it ends. */
  sessionEnd: { facts: SessionEndFacts; outcome: SessionEndOutcome };
  /** A step begins: one model call, and the tool calls it asks for. */
  preStep: { facts: PreStepFacts; outcome: PreStepOutcome };
  /** A step is done, its tools included. The model's response is in the view `content`. */
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
