// Written from wit/ by `cargo xtask contract`; do not change it here.

/** The imports that give an answer, at all points that the hook serves: the build writes them. */
declare module "portcullis:answers/*" {
  const imports: import("./outcome.ts").Imports;
  export default imports;
}

declare module "wasi:logging/logging@0.1.0-draft" {
  type Level = | "trace" | "debug" | "info" | "warn" | "error" | "critical";
  /** Emit a log message. `context` groups messages, `message` is the text. */
  export function log(level: Level, context: string, message: string): void;
}

declare module "wasi:config/store@0.2.0-rc.1" {
  type Error = | { tag: "upstream"; val: string } | { tag: "io"; val: string };
  /** Get the value at `key`, or nothing. */
  export function get(key: string): string | null;
  /** Get all key-value pairs. */
  export function getAll(): [string, string][];
}

declare module "portcullis:hooks/agent-state-edit@0.2.0" {
  /** Sets the value at a key. `value` is the text of a JSON value; `null` removes the key. */
  export function set(key: string, value: string): void;
  /** Removes a key. It is not an error if there is no such key. */
  export function remove(key: string): void;
}

declare module "portcullis:hooks/failure@0.2.0" {
  /** Reports that the operator's configuration of this hook is wrong. */
  export function badConfig(message: string): void;
  /** Reports any other failure. */
  export function fail(message: string): void;
}

declare module "portcullis:hooks/events@0.2.0" {
  /** Emits an event named `name` with `data` as JSON text, once the call has succeeded. */
  export function emit(name: string, data: string): void;
}

declare module "portcullis:hooks/secrets@0.2.0" {
  /** The value of the secret, or none if this hook was not granted a secret of that name. */
  export function get(name: string): string | null;
}

declare module "portcullis:hooks/call@0.2.0" {
  /** The session's id, unique within the host. */
  export function sessionId(): string;
  /** The name of the agent whose loop is running. */
  export function agent(): string;
  /** The turn, counted from 1; 0 outside of any turn. */
  export function turn(): number;
  /** The step within the turn, counted from 1; 0 outside of any step. */
  export function step(): number;
  /** All of these in one record. */
  export function context(): import("./contract.js").Context;
}

declare module "portcullis:hooks/model@0.2.0" {
  /**
   * Asks the model for a completion. `instructions` tell the model what to do, and `prompt` is its input. It
   * writes at most `max-tokens`, and at most what is left of the hook's budget.
   */
  export function complete(instructions: string, prompt: string, maxTokens: number | null): import("./contract.js").Completion;
  /** The tokens that are left of the hook's budget for the current turn. */
  export function tokensLeft(): number;
}

declare module "portcullis:hooks/state@0.2.0" {
  /** The value at `key`, or none. */
  export function get(key: string): Uint8Array | null;
  /** Sets the value at `key`. */
  export function set(key: string, value: Uint8Array): void;
  /** Deletes `key`. It is not an error if there is no such key. */
  function delete_(key: string): void;
  export { delete_ as delete };
  /** The keys, in order. */
  export function keys(): string[];
  /** Adds `delta` to the decimal integer at `key` (0 if there is none) and returns the sum, atomically. */
  export function increment(key: string, delta: number): number;
  /** Sets the value at `key` to `new` if it is `expected`, atomically; none means no value. Returns whether the value was set. */
  export function swap(key: string, expected: Uint8Array | null, new_: Uint8Array | null): boolean;
}

declare module "portcullis:hooks/shared-state@0.2.0" {
  /** The value at `key`, or none. */
  export function get(namespace: string, key: string): Uint8Array | null;
  /** Sets the value at `key`. */
  export function set(namespace: string, key: string, value: Uint8Array): void;
  /** Deletes `key`. It is not an error if there is no such key. */
  function delete_(namespace: string, key: string): void;
  export { delete_ as delete };
  /** The keys, in order. */
  export function keys(namespace: string): string[];
  /** Adds `delta` to the decimal integer at `key` (0 if there is none) and returns the sum, atomically. */
  export function increment(namespace: string, key: string, delta: number): number;
  /** Sets the value at `key` to `new` if it is `expected`, atomically; none means no value. Returns whether the value was set. */
  export function swap(namespace: string, key: string, expected: Uint8Array | null, new_: Uint8Array | null): boolean;
}

declare module "portcullis:hooks/content@0.2.0" {
  /** All parts, in order. */
  export function parts(): import("./contract.js").ContentPart[];
  /** The text parts, joined. */
  export function text(): string;
}

declare module "portcullis:hooks/conversation@0.2.0" {
  /** The number of messages. */
  export function len(): number;
  /** The newest message. */
  export function last(): import("./contract.js").Message | null;
  /** The message at `index`. The oldest is at 0. */
  export function get(index: number): import("./contract.js").Message | null;
  /** The messages from `start` up to, but not including, `end`. Indexes outside of the conversation are ignored. */
  export function slice(start: number, end: number): import("./contract.js").Message[];
  /**
   * The index of the first message of the current turn, which is the user's. All messages from there on belong
   * to the turn. Outside of a turn, it is the number of messages. The same holds at `pre-llm-call` and `post-llm-call`, where
   * the messages are those of the request.
   */
  export function turnStart(): number;
}

declare module "portcullis:hooks/tool-data@0.2.0" {
  /** The arguments, as the text of a JSON object; empty outside of a tool call. */
  export function input(): string;
  /** The tool's output; none before the tool ran. */
  export function output(): string | null;
}

declare module "portcullis:hooks/tool-catalog@0.2.0" {
  /** The names of the tools, in order. */
  export function names(): string[];
  /** The tool of that name. */
  export function get(name: string): import("./contract.js").ToolSpec | null;
}

declare module "portcullis:hooks/prompt@0.2.0" {
  /** The policies, in the order they were contributed. */
  export function policies(): import("./contract.js").DomainPolicy[];
  /**
   * The policy in force in a domain. Policies of one domain are combined: a flag is false if one of them says so, a
   * number is the least of them, and a list has the common items. If the operator lets a hook replace policies, its
   * policy replaces those before it.
   */
  export function policy(domain: string): import("./contract.js").DomainPolicy | null;
  /** The items of context, in the order they were contributed. */
  export function contextItems(): import("./contract.js").ContextItem[];
  /** The sections, in the order they have in the prompt. */
  export function sections(): import("./contract.js").PromptSection[];
  /** The queries to memory that the agent has planned; empty before `prompt-recall`. */
  export function queries(): string[];
}

declare module "portcullis:hooks/agent-state@0.2.0" {
  /** The value at a key, as JSON text. */
  export function get(key: string): string | null;
  /** The current change, as the text of a JSON object: for each changed key `[before, after]`, with `null` for no value. */
  export function diff(): string;
  /** The hook that made the current change; none if a tool made it. */
  export function changedBy(): string | null;
}

declare module "portcullis:hooks/session@0.2.0" {
  /** The user, as the embedder names them. */
  export function user(): string | null;
  /** The directory the agent works in. */
  export function workingDir(): string | null;
  /** The parent's session, if this is the session of a sub-agent. */
  export function parent(): string | null;
  /** The embedder's metadata of the session. */
  export function metadata(): [string, string][];
}

declare module "portcullis:hooks/verdict@0.2.0" {
  /** The verdict on the current call; none while the chain still runs. */
  export function current(): import("./contract.js").ChainVerdict | null;
}

declare module "wasi:clocks/wall-clock@0.2.0" {
  type Datetime = { seconds: number; nanoseconds: number };
  export function now(): Datetime;
}

declare module "wasi:clocks/monotonic-clock@0.2.0" {
  export function now(): number;
}

declare module "wasi:random/random@0.2.0" {
  export function getRandomBytes(len: number): Uint8Array;
}
