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
  group(...values: unknown[]): void;
  groupCollapsed(...values: unknown[]): void;
  groupEnd(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  /** Writes a line for each row. */
  table(rows: unknown): void;
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

type HeadersInit = Headers | Iterable<readonly [string, string]> | Record<string, string>;

/** The headers of a request or a response. Names are in small letters. */
interface Headers extends Iterable<[string, string]> {
  append(name: string, value: string): void;
  delete(name: string): void;
  get(name: string): string | null;
  has(name: string): boolean;
  set(name: string, value: string): void;
  forEach(each: (value: string, name: string, headers: Headers) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
}

declare var Headers: { prototype: Headers; new (init?: HeadersInit): Headers };

interface RequestInit {
  /** `GET` if left out. */
  method?: string;
  headers?: HeadersInit;
  body?: string | ArrayBuffer | ArrayBufferView | URLSearchParams | null;
  /** What becomes of a redirect: with `manual`, if left out, it is the response, and with `error` a failure. None is followed. */
  redirect?: "manual" | "error";
  /** What ends the request early, such as `AbortSignal.timeout(500)`. */
  signal?: AbortSignal | null;
}

interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: HeadersInit;
}

/** A response, read to its end. */
interface Response {
  readonly status: number;
  readonly statusText: string;
  /** Whether the status is one of success, 200 to 299. */
  readonly ok: boolean;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected: boolean;
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
  json(): Promise<any>;
  text(): Promise<string>;
  clone(): Response;
}

declare var Response: { prototype: Response; new (body?: string | Uint8Array<ArrayBuffer> | null, init?: ResponseInit): Response };

/**
 * Sends a request to a server that the hook was granted by `http`, and reads the whole response. Rejects with a
 * TypeError where there is no response; one of any status is a response.
 */
declare function fetch(url: string | { toString(): string }, init?: RequestInit): Promise<Response>;

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

declare var AbortSignal: {
  prototype: AbortSignal;
  /** One that is aborted after so many milliseconds, with a `TimeoutError`. */
  timeout(ms: number): AbortSignal;
  abort(reason?: any): AbortSignal;
  /** One that is aborted when the first of these is. */
  any(signals: Iterable<AbortSignal>): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}

declare var AbortController: { prototype: AbortController; new (): AbortController };

/**
 * Runs a function after so many milliseconds, while the handler waits for something. The time counts toward the call's
 * limit. A timer that is left when the handler has ended does not run, also while requests are waited for.
 */
declare function setTimeout(run: (...values: any[]) => void, ms?: number, ...values: any[]): number;

declare function clearTimeout(id?: number): void;

/** A URL, by the standard of the WHATWG: its host is in lower case and, where it is international, in Punycode. */
interface URL {
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

declare var URL: {
  prototype: URL;
  /** Throws a TypeError where it is no URL. */
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: string | URL, base?: string | URL): boolean;
  /** Null where it is no URL. */
  parse(url: string | URL, base?: string | URL): URL | null;
};

/** The parameters of a URL's query, or of a form. */
interface URLSearchParams extends Iterable<[string, string]> {
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  forEach(each: (value: string, name: string, parameters: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
}

declare var URLSearchParams: {
  prototype: URLSearchParams;
  new (init?: Iterable<readonly [string, string]> | Record<string, string> | string): URLSearchParams;
};

/** Writes text as UTF-8. */
interface TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoderOptions {
  /** Whether what is not valid is an error and not `\ufffd`. */
  fatal?: boolean;
  ignoreBOM?: boolean;
}

/** Reads bytes as text. */
interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** With `stream`, a character at the end may continue in the bytes of the next call. */
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare var TextDecoder: {
  prototype: TextDecoder;
  /** `utf-8` if left out, or one of UTF-16 or of a single byte for each character, such as `latin1`. */
  new (encoding?: string, options?: TextDecoderOptions): TextDecoder;
};

/** The text whose characters are the bytes that this Base64 stands for. Throws where it is not valid. */
declare function atob(base64: string): string;

/** Base64 of the bytes that a text's characters stand for. Throws where one is above `\xff`. */
declare function btoa(bytes: string): string;

/** A copy of a value and all that it has, of which a function is an error. Of an error it has the name and the message. */
declare function structuredClone<T>(value: T): T;
