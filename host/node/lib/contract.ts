// Written from wit/ by `cargo xtask contract`; do not change it here.

/** The reason why a key was not changed. */
export type EditError =
  | { denied: string }
  | { full: string }
  | { invalid: string };

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
export type FailurePolicy = "fail-open" | "fail-closed";

/** The way that the agent waits for the hook. */
export type ExecutionPolicy = "blocking" | "deadline" | "fire-and-record" | "background";

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
  priority?: number | null;
  /** The failure policy; if left out, a hook that can decide anything fails closed, and one that only observes fails open. */
  failure?: FailurePolicy | null;
  /** The time limit of one call, in milliseconds; the host's default if left out. */
  deadlineMs?: number | null;
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
  temperature?: number | null;
  /** The most tokens the model may write; the provider's default if left out. */
  maxOutputTokens?: number | null;
}

/** The kind of failure. */
export type ProviderErrorKind = "timeout" | "rate-limited" | "overloaded" | "auth" | "bad-request" | "context-length" | "network" | "server" | "other";

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
  status?: number | null;
  /** The provider's message. */
  message: string;
  /** The wait that the provider asks for, in milliseconds. */
  retryAfterMs?: number | null;
  /** The providers that the agent has, by name, in the operator's order. */
  providers: string[];
}

/** The kind of a piece. */
export type DeltaKind = "text" | "thinking";

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
  workingDir?: string | null;
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
export type ErrorKind = "provider" | "rejected" | "hook" | "limit" | "internal";

/** The failure. */
export interface Failure {
  /** The kind of failure. */
  kind: ErrorKind;
  /** A description of the failure. */
  message: string;
}

/** The reason why a turn is suspended. */
export type SuspendReason = "human" | "client-tool" | "children";

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
export type Role = "system" | "user" | "assistant" | "tool";

/** The source of an image. */
export type ImageSource =
  | { url: string }
  | { bytes: number[] };

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
  | { text: string }
  | { thinking: string }
  | { image: Image }
  | { toolCall: ToolCall }
  | { toolResult: ToolResult };

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
  | "end-turn"
  | "max-tokens"
  | "stop-sequence"
  | "tool-use"
  | "refusal"
  | { other: string };

/** A hook's refusal. A refusal is final: no later hook clears it. */
export interface Rejection {
  /** A short, stable code for programs, such as `over-budget`. */
  code: string;
  /** The reason, for the person or the model that is refused. */
  reason: string;
  /** Additional data for programs, as JSON text. */
  details?: string | null;
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
  | { insert: [number, Message] }
  | { set: [number, Message] }
  | { remove: number };

/** The reason why a turn ends early, without an error. */
export type StopKind =
  | "steps-limit"
  | "token-limit"
  | "time-limit"
  | { finishReason: string }
  | { other: string };

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
  data?: string | null;
}

/** A part of the prompt. */
export interface PromptSection {
  /** The id, unique in the prompt; a later section with the same id replaces the earlier one. */
  id: string;
  /** A heading. */
  title?: string | null;
  /** The text. */
  text: string;
  /** The position in the prompt: low numbers first. */
  order: number;
  /** The most tokens of the text; a longer text is cut at its end. */
  maxTokens?: number | null;
  /** Whether the turn needs this section. Needed sections are cut last. */
  essential: boolean;
}

/** The implementation of a tool that a hook contributes. */
export type ToolRoute =
  | { agent: string }
  | "hook";

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
  | { denied: string }
  | { full: string }
  | "not-a-number";

/** Changes to a call. A field that is left out stays as it is. */
export interface LlmCallEdit {
  /** Another model of the same provider. */
  model?: string | null;
  /** Another temperature. */
  temperature?: number | null;
  /** Another limit on the model's output. */
  maxOutputTokens?: number | null;
  /** The only tools to offer, by name; names that are not offered already are refused. */
  tools?: string[] | null;
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
  | { noModel: string }
  | { budget: string }
  | { tooLong: number }
  | { provider: string };

/** A JSON schema that the response must fit. */
export interface NamedSchema {
  /** The schema's name. */
  name: string;
  /** The JSON schema. */
  schema: string;
}

/** The format of the model's response. */
export type ResponseFormat =
  | "text"
  | "json"
  | { schema: NamedSchema };

/** Changes to the draft. A field that is left out stays as it is. */
export interface PromptEdit {
  /** Other instructions in place of the operator's, for this turn. Empty ones change nothing. */
  system?: string | null;
  /** The format of the model's responses in this turn. */
  responseFormat?: ResponseFormat | null;
  /** These sections in place of all contributed so far. */
  sections?: PromptSection[] | null;
}

/** The reason why a session ends. */
export type EndReason = "closed" | "rejected" | "cancelled" | "failed";

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
  sessionId?: string | null;
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
  | { model: StopReason }
  | { tool: string }
  | { signal: StopSignal };

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
  | "passed"
  | { rejected: Rejection }
  | "answered"
  | { stopped: string }
  | { failed: HookFailure };

/** A decision, the hook that made it, and the hooks that changed the value. */
export interface ChainVerdict {
  /** The decision. */
  decision: Decision;
  /** The hook that decided, if one did. */
  decidedBy?: string | null;
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

/** A tool's output. */
export interface ToolOutput {
  content: string;
  isError: boolean;
}

/** The input of each point, and what hooks may change there. */
export interface Points {
  /** The conversation is over its budget and about to be compacted. It is in the view `conversation`. */
  "pre-compaction": { input: TokenBudget; payload: Record<string, unknown> };
  /** The conversation has been compacted. The summary is in the view `content`. */
  "post-compaction": { input: CompactionResult; payload: unknown };
  /** A model is about to be called. The messages are in the view `conversation`. */
  "pre-llm-call": { input: LlmCall; payload: Record<string, unknown> };
  /** A model has answered. The response is in the view `content`. */
  "post-llm-call": { input: LlmResult; payload: ContentPart[] };
  /** A model call has failed. */
  "llm-error": { input: LlmFailure; payload: unknown };
  /** A piece of a model's response is about to be shown, before the response is whole. It is in the view `content`. */
  "llm-delta": { input: Delta; payload: ContentPart[] };
  /** A tool or a hook changed the agent's state. The change is in the view `agent-state`. */
  "state-changed": { input: StateChange; payload: unknown };
  /** A message was added to the conversation. It is in the view `content`, and the last in `conversation`. */
  "message-added": { input: AddedMessage; payload: unknown };
  /** A turn's prompt is about to be assembled: hooks contribute policies. The user's message is in the view `content`. */
  "prompt-policy": { input: TurnFacts; payload: unknown };
  /** Hooks contribute context to the turn. The user's message is in the view `content`, the policies in `prompt`. */
  "prompt-context": { input: ContextSet; payload: unknown };
  /** The agent has planned its queries to memory: hooks contribute more context. The queries are in the view `prompt`. */
  "prompt-recall": { input: RecallPlan; payload: unknown };
  /** The tools are about to be offered to the model: hooks contribute more. The tools so far are in the view `tool-catalog`. */
  "prompt-tools": { input: ToolSet; payload: unknown };
  /** The prompt is about to be written. The contributions are in the view `prompt`. */
  "prompt-compile": { input: PromptDraft; payload: Record<string, unknown> };
  /** A session begins: before its first turn. */
  "session-start": { input: SessionInfo; payload: unknown };
  /** A session ends, however it ends. */
  "session-end": { input: SessionSummary; payload: unknown };
  /** A step begins: one model call, and the tool calls it asks for. */
  "pre-step": { input: StepState; payload: Message[] };
  /** A step is done, its tools included. The model's response is in the view `content`. */
  "post-step": { input: StepReport; payload: unknown };
  /** A sub-agent is about to be started. Its task is in the view `content`. */
  "pre-subagent": { input: SubagentSpec; payload: ContentPart[] };
  /** A sub-agent is done. Its result is in the view `content`. */
  "post-subagent": { input: SubagentResult; payload: ContentPart[] };
  /** A tool is about to run: the policy allows it, nothing has been done. The arguments are in the view `tool-data`. */
  "pre-tool-call": { input: ToolRequest; payload: string };
  /** A tool has run. Arguments and output are in the view `tool-data`. */
  "post-tool-call": { input: ToolOutcome; payload: ToolOutput };
  /** A running tool reports its progress. The text is in the view `content`. */
  "tool-update": { input: ToolUpdateToolProgress; payload: unknown };
  /** An update of a running tool was shown. The text is in the view `content`. */
  "tool-update-sent": { input: ToolUpdateSentToolProgress; payload: unknown };
  /** A turn begins: the user has said something, and nothing has been done with it yet. */
  "pre-turn": { input: TurnInput; payload: ContentPart[] };
  /** A turn is done, and its output has not been returned yet. */
  "post-turn": { input: TurnOutput; payload: ContentPart[] };
  /** A turn has failed. */
  "turn-error": { input: Failure; payload: unknown };
  /** A turn is about to end. Its output is in the view `content`. */
  "turn-stopping": { input: Stopping; payload: unknown };
  /** A turn is suspended: its checkpoint is saved, and the loop is about to end. */
  "turn-suspended": { input: Suspension; payload: unknown };
  /** A suspended turn is resumed: its checkpoint is loaded, and nothing else has happened yet. */
  "turn-resumed": { input: Resumption; payload: unknown };
  /** A workspace was opened. */
  "workspace-opened": { input: Workspace; payload: unknown };
  /** A workspace was closed; its directory stays. */
  "workspace-closed": { input: Workspace; payload: unknown };
  /** A workspace was evicted to make room. */
  "workspace-evicted": { input: Workspace; payload: unknown };
  /** A workspace could not be evicted, and the host tries again. */
  "workspace-eviction-retried": { input: EvictionRetry; payload: unknown };
  /** A snapshot of a workspace was saved. */
  "workspace-snapshotted": { input: Snapshot; payload: unknown };
}
