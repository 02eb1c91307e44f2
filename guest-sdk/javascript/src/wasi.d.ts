/** The imports of WASI that the SDK uses for requests, timers and files. `wit/deps` has the same. */

declare module "wasi:io/poll@0.2.0" {
  /** An event that may be waited for. */
  interface Pollable {}
  /** Waits until one is ready. Returns the indexes of those that are. */
  export function poll(pollables: Pollable[]): number[];
}

declare module "wasi:clocks/monotonic-clock@0.2.1" {
  type Pollable = import("wasi:io/poll@0.2.0").Pollable;
  export function now(): number;
  /** Returns a pollable that is ready after `when` nanoseconds. */
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
    /** Returns the number of bytes that may be written now. */
    checkWrite(): number;
    write(contents: Uint8Array): void;
    subscribe(): Pollable;
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

declare module "wasi:filesystem/types@0.2.0" {
  type Datetime = { seconds: number; nanoseconds: number };
  type DescriptorType = "unknown" | "directory" | "symbolic-link" | "regular-file" | "block-device" | "character-device" | "fifo" | "socket";
  type ErrorCode = string;
  type OpenFlags = { create?: boolean; directory?: boolean; exclusive?: boolean; truncate?: boolean };

  interface Stat {
    type: DescriptorType;
    size: number;
    dataModificationTimestamp: Datetime | null;
  }
  interface Entries {
    readDirectoryEntry(): { type: DescriptorType; name: string } | null;
  }
  interface Descriptor {
    read(length: number, offset: number): [bytes: Uint8Array, end: boolean];
    write(bytes: Uint8Array, offset: number): number;
    readDirectory(): Entries;
    createDirectoryAt(path: string): void;
    statAt(flags: { symlinkFollow?: boolean }, path: string): Stat;
    openAt(follow: { symlinkFollow?: boolean }, path: string, open: OpenFlags, flags: { read?: boolean; write?: boolean }): Descriptor;
    removeDirectoryAt(path: string): void;
    renameAt(path: string, to: Descriptor, toPath: string): void;
    unlinkFileAt(path: string): void;
  }
}

declare module "wasi:filesystem/preopens@0.2.0" {
  export function getDirectories(): [dir: import("wasi:filesystem/types@0.2.0").Descriptor, name: string][];
}
