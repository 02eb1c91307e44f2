// Written from wit/ by `cargo xtask contract`; do not change it here.

/** Why a key was not changed. */
export type EditError =
  | { denied: string }
  | { full: string }
  | { invalid: string };

/** How much there is and may be. */
export interface TokenBudget {
  /** The most tokens the conversation may have. */
  limit: number;
  /** How many it has, as the host estimates. */
  used: number;
  /** How many messages it has. */
  messages: number;
}

/** What was done. */
export interface CompactionResult {
  /** How many messages were removed. */
  removed: number;
  /** How many messages there are now. */
  messages: number;
  /** How many bytes the summary has. */
  summaryBytes: number;
}

/** What a failure of the hook means. */
export type FailurePolicy = "fail-open" | "fail-closed";

/** How the agent waits for the hook. */
export type ExecutionPolicy = "blocking" | "deadline" | "fire-and-record" | "background";

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
  /** Low runs first; 100 if left out. */
  priority?: number | null;
  /** What its failure means; if left out, a hook that can decide anything fails closed, and one that only observes fails open. */
  failure?: FailurePolicy | null;
  /** How long one call may take, in milliseconds; the host's default if left out. */
  deadlineMs?: number | null;
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
  /** Which try this is, counted from 1. */
  attempt: number;
  /** How many messages are sent. */
  messages: number;
  /** How many tools are offered. */
  tools: number;
  /** How many tokens the messages have, as the host estimates. */
  estimatedTokens: number;
  /** The sampling temperature; the provider's default if left out. */
  temperature?: number | null;
  /** The most tokens the model may write; the provider's default if left out. */
  maxOutputTokens?: number | null;
}

/** What went wrong. */
export type ProviderErrorKind = "timeout" | "rate-limited" | "overloaded" | "auth" | "bad-request" | "context-length" | "network" | "server" | "other";

/** A failed call. */
export interface LlmFailure {
  /** The provider that failed. */
  provider: string;
  /** The model that was called. */
  model: string;
  /** Which try failed, counted from 1. */
  attempt: number;
  /** What went wrong. */
  kind: ProviderErrorKind;
  /** The HTTP status, if there was one. */
  status?: number | null;
  /** The provider's words. */
  message: string;
  /** How long the provider asks to wait, in milliseconds. */
  retryAfterMs?: number | null;
  /** The providers that the agent has, by name, in the operator's order. */
  providers: string[];
}

/** What a piece is of. */
export type DeltaKind = "text" | "thinking";

/** A piece. The host gathers what providers send into pieces of some size. */
export interface Delta {
  /** What it is of. */
  kind: DeltaKind;
  /** Which piece of its kind it is, counted from 0. */
  index: number;
  /** How many bytes it has. */
  bytes: number;
  /** Whether it is the last of its kind; it may be empty then. A hook that holds text back gives it out here. */
  last: boolean;
}

/** The change. */
export interface StateChange {
  /** The tool. Empty if a hook made the change; the view `agent-state` says which. */
  tool: string;
  /** The id of its call. Empty if a hook made the change. */
  callId: string;
  /** The keys that changed, in order. */
  keys: string[];
}

/** The turn. */
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

/** What there is. */
export interface ContextSet {
  /** How many bytes of text the user wrote. */
  textBytes: number;
  /** How many policies are in force. */
  policies: number;
  /** How many items were contributed so far. */
  items: number;
}

/** The plan. */
export interface RecallPlan {
  /** How many queries it has. */
  queries: number;
  /** The most items to recall. */
  maxItems: number;
  /** The most tokens to recall. */
  maxTokens: number;
  /** Whether it is the fallback, made without a planner. */
  fallback: boolean;
  /** How many items were contributed so far. */
  items: number;
}

/** What there is. */
export interface ToolSet {
  /** How many tools there are. */
  tools: number;
  /** How many bundles were contributed so far. */
  bundles: number;
}

/** The draft. */
export interface PromptDraft {
  /** How many sections there are so far. */
  sections: number;
  /** How many items of context there are. */
  items: number;
  /** How many tokens the sections have, as the host estimates. */
  tokens: number;
  /** The most tokens they may have. */
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
  /** The id of the call that asks for it. */
  callId: string;
  /** Its name. */
  agent: string;
  /** How many bytes its task has. */
  taskBytes: number;
  /** How deep it is: 1 for a sub-agent of the first agent. */
  depth: number;
}

/** What the policy lets the tool do. */
export interface ExecutionGrant {
  /** The directory it works in. */
  workingDir?: string | null;
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
  /** What the policy lets it do. */
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
export type ErrorKind = "provider" | "rejected" | "hook" | "limit" | "internal";

/** The failure. */
export interface Failure {
  /** What failed. */
  kind: ErrorKind;
  /** What happened, in words. */
  message: string;
}

/** What a turn waits for. */
export type SuspendReason = "human" | "client-tool" | "children";

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

/** Where in the agent's life a call happens. */
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
export type Role = "system" | "user" | "assistant" | "tool";

/** Where an image is. */
export type ImageSource =
  | { url: string }
  | { bytes: number[] };

/** A picture in a message. */
export interface Image {
  /** The media type, such as `image/png`. */
  mediaType: string;
  /** Where the picture is. */
  source: ImageSource;
}

/** The model's request to run a tool. */
export interface ToolCall {
  /** The id that the result must carry. */
  id: string;
  /** The name of the tool. */
  name: string;
  /** The arguments, as the text of a JSON object. */
  arguments: string;
}

/** What a tool gave back, as the model sees it. */
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
  /** Who wrote it. */
  role: Role;
  /** What it says, in order. */
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
  /** More for programs, as JSON text. */
  details?: string | null;
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

/** One change to a list of messages. Indexes are those of the list as the edits before left it. */
export type MessageEdit =
  | { insert: [number, Message] }
  | { set: [number, Message] }
  | { remove: number };

/** Why a turn ends early, without an error. */
export type StopKind =
  | "steps-limit"
  | "token-limit"
  | "time-limit"
  | { finishReason: string }
  | { other: string };

/** A hook's request to end the turn early, without an error. */
export interface StopSignal {
  /** Why. */
  kind: StopKind;
  /** Why, in words. */
  message: string;
}

/** A directory that tools work in. */
export interface Workspace {
  /** Its name. */
  name: string;
  /** Where it is. */
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

/** Something that hooks which write the prompt should know. */
export interface ContextItem {
  /** What sort of thing it is, such as `memory.fact`. */
  kind: string;
  /** What it says. */
  text: string;
  /** More for programs, as JSON text. */
  data?: string | null;
}

/** A part of the prompt. */
export interface PromptSection {
  /** The id, unique in the prompt; a later section of the same id takes the earlier one's place. */
  id: string;
  /** A heading. */
  title?: string | null;
  /** What it says. */
  text: string;
  /** Where it stands: low first. */
  order: number;
  /** The most tokens it may take; what is over is cut off its end. */
  maxTokens?: number | null;
  /** Whether the turn makes no sense without it: such sections are cut last. */
  essential: boolean;
}

/** Who runs a tool that a hook contributes. */
export type ToolRoute =
  | { agent: string }
  | "hook";

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
  | { denied: string }
  | { full: string }
  | "not-a-number";

/** Changes to a call. What is left out stays as it is. */
export interface LlmCallEdit {
  /** Another model of the same provider. */
  model?: string | null;
  /** Another temperature. */
  temperature?: number | null;
  /** Another limit on what the model writes. */
  maxOutputTokens?: number | null;
  /** The only tools to offer, by name; names that are not offered already are refused. */
  tools?: string[] | null;
  /** Changes to the messages, in order. */
  messages: MessageEdit[];
}

/** A model's response. */
export interface LlmResponse {
  /** What it says, tool calls included. */
  content: ContentPart[];
  /** Why it ended. */
  stop: StopReason;
  /** What it used. */
  usage: Usage;
}

/** The response, without what it says. */
export interface LlmResult {
  /** The provider that answered. */
  provider: string;
  /** The model that answered. */
  model: string;
  /** Which try this was, counted from 1. */
  attempt: number;
  /** Why the model stopped. */
  stop: StopReason;
  /** What the call used. */
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
  /** Where it is. */
  index: number;
  /** Who wrote it. */
  role: Role;
  /** How many parts it has. */
  parts: number;
  /** How many bytes of text it has, tool results included. */
  textBytes: number;
}

/** What the model wrote. */
export interface Completion {
  /** The text. */
  text: string;
  /** Why it stopped writing. Text that reached the token limit is not whole. */
  stop: StopReason;
  /** The tokens that were used. */
  usage: Usage;
}

/** Why there is no completion. */
export type ModelError =
  | { noModel: string }
  | { budget: string }
  | { tooLong: number }
  | { provider: string };

/** A shape that the model must answer in. */
export interface NamedSchema {
  /** The schema's name. */
  name: string;
  /** The JSON schema. */
  schema: string;
}

/** How the model must answer. */
export type ResponseFormat =
  | "text"
  | "json"
  | { schema: NamedSchema };

/** Changes to the draft. What is left out stays as it is. */
export interface PromptEdit {
  /** Other instructions in place of the operator's, for this turn. Empty ones change nothing. */
  system?: string | null;
  /** How the model must answer in this turn. */
  responseFormat?: ResponseFormat | null;
  /** These sections in place of all contributed so far. */
  sections?: PromptSection[] | null;
}

/** Why a session ends. */
export type EndReason = "closed" | "rejected" | "cancelled" | "failed";

/** The session that ends. */
export interface SessionSummary {
  /** Why it ends. */
  reason: EndReason;
  /** How many turns it had. */
  turns: number;
  /** What all its model calls used. */
  usage: Usage;
}

/** Where the turn stands. The messages are in the view `conversation`. */
export interface StepState {
  /** How many messages there are. */
  messages: number;
  /** How many tokens they have, as the host estimates. */
  estimatedTokens: number;
  /** How many steps the turn has taken. */
  steps: number;
  /** What the turn's model calls used so far. */
  usage: Usage;
  /** How long the turn has taken, in microseconds. */
  elapsedUs: number;
}

/** The step that is done. */
export interface StepReport {
  /** Why the model stopped. */
  stop: StopReason;
  /** How many tools it asked for. */
  toolCalls: number;
  /** What the step used. */
  stepUsage: Usage;
  /** What the turn's model calls used so far. */
  usage: Usage;
  /** How long the turn has taken, in microseconds. */
  elapsedUs: number;
}

/** What became of it. */
export interface SubagentResult {
  /** The id of the call that asked for it. */
  callId: string;
  /** Its name. */
  agent: string;
  /** Its session; nothing if it was not started. */
  sessionId?: string | null;
  /** Whether it failed. */
  isError: boolean;
  /** How many bytes its result has. */
  outputBytes: number;
  /** How many steps it took. */
  steps: number;
  /** What its model calls used. */
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
  /** What its model calls used. */
  usage: Usage;
  /** How long it took, in microseconds. */
  elapsedUs: number;
}

/** What ends the turn. */
export type TurnEnding =
  | { model: StopReason }
  | { tool: string }
  | { signal: StopSignal };

/** The turn that is about to end. */
export interface Stopping {
  /** What ends it. */
  ending: TurnEnding;
  /** How many steps it took. */
  steps: number;
  /** What its model calls used. */
  usage: Usage;
  /** How often hooks have kept it going already. */
  keptGoing: number;
  /** Whether it can be kept going. A hook's stop signal cannot be overruled, and there is a limit on how often. */
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
  | "passed"
  | { rejected: Rejection }
  | "answered"
  | { stopped: string }
  | { failed: HookFailure };

/** A decision, who made it, and who changed the value. */
export interface ChainVerdict {
  /** The decision. */
  decision: Decision;
  /** The hook that decided, if one did. */
  decidedBy?: string | null;
  /** The hooks that changed the value, in order. */
  changedBy: string[];
}

/** What happened. */
export interface EvictionRetry {
  /** The workspace. */
  workspace: Workspace;
  /** Which try failed, counted from 1. */
  attempt: number;
}

/** What happened. */
export interface Snapshot {
  /** The workspace. */
  workspace: Workspace;
  /** Where the copy is. */
  path: string;
  /** How many bytes it has. */
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
  /** A turn's prompt is about to be put together: what may be done in it? What the user said is in the view `content`. */
  "prompt-policy": { input: TurnFacts; payload: unknown };
  /** What should the turn know? What the user said is in the view `content`, the policies in `prompt`. */
  "prompt-context": { input: ContextSet; payload: unknown };
  /** The agent has planned what to look for; what else should the turn know? The plan's queries are in the view `prompt`. */
  "prompt-recall": { input: RecallPlan; payload: unknown };
  /** The tools are about to be offered: which others are there? Those so far are in the view `tool-catalog`. */
  "prompt-tools": { input: ToolSet; payload: unknown };
  /** The prompt is about to be written. What was contributed is in the view `prompt`. */
  "prompt-compile": { input: PromptDraft; payload: Record<string, unknown> };
  /** A session begins: before its first turn. */
  "session-start": { input: SessionInfo; payload: unknown };
  /** A session ends, however it ends. */
  "session-end": { input: SessionSummary; payload: unknown };
  /** A step begins: one model call, and the tool calls it asks for. */
  "pre-step": { input: StepState; payload: Message[] };
  /** A step is done, its tools included. What the model said in it is in the view `content`. */
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
  /** A turn begins: the user has said something, nothing has been done with it. */
  "pre-turn": { input: TurnInput; payload: ContentPart[] };
  /** A turn is done, its output not yet given back. */
  "post-turn": { input: TurnOutput; payload: ContentPart[] };
  /** A turn has failed. */
  "turn-error": { input: Failure; payload: unknown };
  /** A turn is about to end. What it would give back is in the view `content`. */
  "turn-stopping": { input: Stopping; payload: unknown };
  /** A turn is suspended: its checkpoint is kept, and the loop is about to be left. */
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
  /** A copy of a workspace was kept. */
  "workspace-snapshotted": { input: Snapshot; payload: unknown };
}
