/** The globals that a hook has beside those of the language. */

interface Console {
  trace(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  dir(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  assert(holds: unknown, ...values: unknown[]): void;
}

/** Writes lines to the hook's log. */
declare var console: Console;

interface Performance {
  now(): number;
}

/** Milliseconds of a clock that only goes forward. */
declare var performance: Performance;

interface Crypto {
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
}

/** Random numbers of the host. */
declare var crypto: Crypto;

/** Runs a function when the code that is running has ended, before the call ends. */
declare function queueMicrotask(job: () => void): void;
