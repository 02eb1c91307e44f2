/** The globals of a hook in addition to those of the language. */

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

/** The time of a clock that only goes forward, in milliseconds. */
declare var performance: Performance;

interface Crypto {
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
}

/** Random numbers of the host. */
declare var crypto: Crypto;

/** Runs a function after the code that is running, before the call ends. */
declare function queueMicrotask(job: () => void): void;

type HeadersInit = Headers | Iterable<readonly [string, string]> | Record<string, string>;

/** The headers of a request or a response. Names are in lower case. */
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
  /** The result of a redirect: with `manual`, the default, it is the response, and with `error` a failure. None is followed. */
  redirect?: "manual" | "error";
  /** The signal that ends the request early, such as `AbortSignal.timeout(500)`. */
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
 * TypeError if there is no response; a response may have any status.
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
  /** Returns a signal that is aborted after `ms` milliseconds, with a `TimeoutError`. */
  timeout(ms: number): AbortSignal;
  abort(reason?: any): AbortSignal;
  /** Returns a signal that is aborted with the first of these. */
  any(signals: Iterable<AbortSignal>): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}

declare var AbortController: { prototype: AbortController; new (): AbortController };

/**
 * Runs a function after `ms` milliseconds, while the handler waits for something. The time counts toward the call's
 * limit. A timer that is left when the handler has ended does not run, even while the call waits for requests.
 */
declare function setTimeout(run: (...values: any[]) => void, ms?: number, ...values: any[]): number;

declare function clearTimeout(id?: number): void;

/** A URL, by the standard of the WHATWG: its host is in lower case, and in Punycode if it is international. */
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
  /** Throws a TypeError if it is not a URL. */
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: string | URL, base?: string | URL): boolean;
  /** Returns null if it is not a URL. */
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

/** Encodes text as UTF-8. */
interface TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoderOptions {
  /** Whether an invalid sequence is an error instead of `\ufffd`. */
  fatal?: boolean;
  ignoreBOM?: boolean;
}

/** Decodes bytes as text. */
interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** With `stream`, a character at the end may continue in the bytes of the next call. */
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare var TextDecoder: {
  prototype: TextDecoder;
  /** Supports `utf-8`, the default, UTF-16, and encodings of a single byte for each character, such as `latin1`. */
  new (encoding?: string, options?: TextDecoderOptions): TextDecoder;
};

/** Decodes Base64 to a text with one character for each byte. Throws if the Base64 is not valid. */
declare function atob(base64: string): string;

/** Encodes a text with one character for each byte as Base64. Throws if a character is above `\xff`. */
declare function btoa(bytes: string): string;

/** Returns a deep copy of a value. A function is an error. Of an error, the name and the message are copied. */
declare function structuredClone<T>(value: T): T;
