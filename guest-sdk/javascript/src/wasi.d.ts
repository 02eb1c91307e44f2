/** What the SDK imports of WASI for requests and timers. `wit/deps` has the same. */

declare module "wasi:io/poll@0.2.0" {
  /** Something that may be waited for. */
  interface Pollable {}
  /** Waits for one at least. Returns which are ready, by their places. */
  export function poll(pollables: Pollable[]): number[];
}

declare module "wasi:clocks/monotonic-clock@0.2.1" {
  type Pollable = import("wasi:io/poll@0.2.0").Pollable;
  export function now(): number;
  /** Ready after so many nanoseconds. */
  export function subscribeDuration(when: number): Pollable;
}

declare module "wasi:http/types@0.2.0" {
  type Pollable = import("wasi:io/poll@0.2.0").Pollable;
  type Variant = { tag: string; val?: unknown };
  type Entry = [name: string, value: Uint8Array];

  interface InputStream {
    read(len: number): Uint8Array;
    subscribe(): Pollable;
  }
  interface OutputStream {
    blockingWriteAndFlush(contents: Uint8Array): void;
  }
  interface IncomingBody {
    stream(): InputStream;
  }
  interface IncomingResponse {
    status(): number;
    headers(): Fields;
    consume(): IncomingBody;
  }
  interface FutureIncomingResponse {
    subscribe(): Pollable;
    get(): Result<Result<IncomingResponse>> | null;
  }
  type Result<T> = { tag: "ok"; val: T } | { tag: "err"; val?: Variant };

  export class Fields {
    static fromList(entries: Entry[]): Fields;
    entries(): Entry[];
  }
  export class OutgoingBody {
    write(): OutputStream;
    static finish(body: OutgoingBody, trailers: null): void;
  }
  export class OutgoingRequest {
    constructor(headers: Fields);
    body(): OutgoingBody;
    setMethod(method: Variant): void;
    setScheme(scheme: Variant): void;
    setAuthority(authority: string): void;
    setPathWithQuery(path: string): void;
  }
  export function httpErrorCode(error: unknown): Variant | null;
}

declare module "wasi:http/outgoing-handler@0.2.0" {
  type Types = typeof import("wasi:http/types@0.2.0");
  export function handle(
    request: InstanceType<Types["OutgoingRequest"]>,
    options: null,
  ): import("wasi:http/types@0.2.0").FutureIncomingResponse;
}
