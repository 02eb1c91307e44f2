/** One request over `wasi:http`, and its response. */

import { handle } from "wasi:http/outgoing-handler@0.2.0";
import {
  Fields,
  type FutureIncomingResponse,
  httpErrorCode,
  type IncomingResponse,
  OutgoingBody,
  OutgoingRequest,
  type OutputStream,
  type Variant,
} from "wasi:http/types@0.2.0";
import type { Pollable } from "wasi:io/poll@0.2.0";
import { letters } from "../utf8.ts";
import { drop } from "../drop.ts";
import { type Awaited, forget, wait } from "../waiting.ts";
import { failure } from "./failure.ts";
import { type Parts, parse } from "./url.ts";

/** The most bytes that are read at once. */
const READ = 65536;

/** Methods that `wasi:http` names in lower case. Others are passed unchanged. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

export interface Sent {
  method: string;
  url: string;
  headers: [string, string][];
  body: Uint8Array;
}

export interface Received {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
}

/** The parts of an `AbortSignal` that a request needs. */
export interface Signal {
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Sends a request and reads the whole response. */
export async function exchange(sent: Sent, signal?: Signal | null): Promise<Received> {
  const url = parse(sent.url);
  // Handles are dropped in reverse, since the host drops a part before its whole.
  const held: object[] = [];
  const hold = <T extends object>(handle: T): T => {
    held.push(handle);
    return handle;
  };
  try {
    signal?.throwIfAborted();
    const request = outgoing(sent, url);
    const body = sent.body.length > 0 ? request.body() : null;
    const pending = hold(handled(request, body));
    if (body !== null) await write(body, sent.body, signal);
    await ready(hold(pending.subscribe()), signal);
    const response = hold(answered(pending));
    const headers = hold(response.headers());
    const stream = hold(hold(response.consume()).stream());
    const more = hold(stream.subscribe());
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = next(stream);
      if (piece === null) break;
      if (piece.length === 0) await ready(more, signal);
      else pieces.push(piece);
    }
    return { status: response.status(), headers: headers.entries().map(([name, value]) => [name, letters(value)]), body: joined(pieces) };
  } catch (error) {
    const code = errorCode(error);
    // The part of an authority before the `@` is a password.
    const server = url.authority.replace(/^.*@/s, "");
    throw code === null ? error : failure(sent.method, `${url.scheme.toLowerCase()}://${server}`, code);
  } finally {
    for (const handle of held.reverse()) drop(handle);
  }
}

/** An error that the host returned. */
class Failed extends Error {
  payload: unknown;

  constructor(payload: unknown) {
    super("the request failed");
    this.payload = payload;
  }
}

/** Returns the host's code for an error, or null if the error is not the host's. */
function errorCode(error: unknown): Variant | null {
  if (!(error instanceof Error) || !("payload" in error)) return null;
  return (error.payload as Variant | undefined) ?? { tag: "internal-error" };
}

function outgoing({ method, headers, body }: Sent, url: Parts): OutgoingRequest {
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-length");
  const all = body.length > 0 ? [...others, ["content-length", String(body.length)] as const] : headers;
  const request = new OutgoingRequest(fields(all));
  const known = METHODS.includes(method);
  try {
    setPart(`method \`${method}\``, () => request.setMethod(known ? { tag: method.toLowerCase() } : { tag: "other", val: method }));
    setPart("scheme", () => request.setScheme({ tag: url.scheme }));
    setPart("server", () => request.setAuthority(url.authority));
    setPart("path", () => request.setPathWithQuery(url.path));
    return request;
  } catch (error) {
    drop(request);
    throw error;
  }
}

function handled(request: OutgoingRequest, body: OutgoingBody | null): FutureIncomingResponse {
  try {
    return handle(request, null);
  } catch (error) {
    if (body !== null) drop(body);
    throw error;
  }
}

function fields(headers: readonly (readonly [string, string])[]): Fields {
  const bytes = (value: string) => Uint8Array.from(value, (letter) => letter.charCodeAt(0));
  try {
    return Fields.fromList(headers.map(([name, value]) => [name, bytes(value)]));
  } catch (error) {
    const names = headers.map(([name]) => name).join(", ");
    const { tag = "invalid-syntax" } = errorCode(error) ?? {};
    throw new TypeError(
      tag === "forbidden"
        ? `a request may not set one of these headers: ${names}`
        : `a name or a value of these headers is not valid: ${names}`,
    );
  }
}

/** Sets a part of a request, whose text may be secret. If the host does not accept it, the request is not valid. */
function setPart(part: string, apply: () => void): void {
  try {
    apply();
  } catch {
    throw new TypeError(`the ${part} of a request is not valid`);
  }
}

/** Writes a body. If the request ends meanwhile, its response or its error says why. */
async function write(body: OutgoingBody, bytes: Uint8Array, signal?: Signal | null): Promise<void> {
  const stream = body.write();
  const room = stream.subscribe();
  let at = 0;
  try {
    while (at < bytes.length) {
      const taken = accepted(stream, bytes.subarray(at));
      if (taken === null) break;
      if (taken === 0) await ready(room, signal);
      at += taken;
    }
  } finally {
    drop(room);
    drop(stream);
    if (at < bytes.length) drop(body);
  }
  if (at === bytes.length) OutgoingBody.finish(body, null);
}

/** Writes as much as there is room for, and returns the number of bytes; null if the request has ended. */
function accepted(stream: OutputStream, bytes: Uint8Array): number | null {
  try {
    const piece = bytes.slice(0, Number(stream.checkWrite()));
    if (piece.length > 0) stream.write(piece);
    return piece.length;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

function answered(pending: FutureIncomingResponse): IncomingResponse {
  const got = pending.get();
  if (got?.tag !== "ok") throw new Failed(undefined);
  if (got.val.tag === "err") throw new Failed(got.val.val);
  return got.val.val;
}

/** Returns the bytes received meanwhile; null at the end. */
function next(stream: { read(len: number): Uint8Array }): Uint8Array | null {
  try {
    return stream.read(READ);
  } catch (error) {
    const { tag, val } = errorCode(error) ?? {};
    if (tag === "closed") return null;
    if (tag === undefined) throw error;
    throw new Failed(httpErrorCode(val) ?? undefined);
  }
}

function ready(pollable: Pollable, signal?: Signal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      if (forget(awaited)) reject(signal?.reason);
    };
    const wake = () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    const awaited: Awaited = { pollable, signal, due: 0, wake };
    wait(awaited);
    signal?.addEventListener("abort", abort);
  });
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
