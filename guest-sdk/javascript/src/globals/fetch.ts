/** `fetch`: requests to the servers that the hook was granted. */

import { current } from "../calls.ts";
import { exchange, type Signal } from "../http/exchange.ts";
import { encodeText } from "../utf8.ts";
import { Headers } from "./headers.ts";
import { Response } from "./response.ts";

interface Init {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | ArrayBuffer | ArrayBufferView | { toString(): string } | null;
  redirect?: string;
  signal?: Signal | null;
}

/** The methods that may be written in lower case. */
const UPPER = /^(delete|get|head|options|post|put)$/i;

export async function fetch(input: string | { toString(): string }, init: Init = {}): Promise<Response> {
  if (current === 0) throw new TypeError("`fetch` has no host before the first call: use it in a handler");
  const { method = "GET", redirect = "manual", signal } = init;
  if (redirect === "follow") {
    throw new TypeError("`fetch` follows no redirect: send another request to the URL of the header `location`");
  }
  const url = String(input);
  const upper = UPPER.test(method) ? method.toUpperCase() : method;
  const headers = new Headers(init.headers);
  const [body, type] = sent(init.body);
  if (body.length > 0 && (upper === "GET" || upper === "HEAD")) throw new TypeError(`${upper} has no body`);
  if (type !== undefined && !headers.has("content-type")) headers.set("content-type", type);
  const received = await exchange({ method: upper, url, headers: [...headers], body }, signal);
  const { status } = received;
  if (redirect === "error" && status >= 300 && status < 400 && status !== 304) {
    throw new TypeError(`the server redirects to another URL, with status ${status}`);
  }
  return Object.assign(new Response(received.body, received), { url });
}

/** Returns the bytes of a body, and its type if it has one. */
function sent(body: Init["body"]): [bytes: Uint8Array, type?: string] {
  if (body === undefined || body === null) return [new Uint8Array()];
  if (typeof body === "string") return [encodeText(body), "text/plain;charset=UTF-8"];
  if (ArrayBuffer.isView(body)) return [new Uint8Array(body.buffer, body.byteOffset, body.byteLength)];
  if (body instanceof ArrayBuffer) return [new Uint8Array(body)];
  // The class is not named, since it would then be in each hook that has `fetch`.
  if (Object.prototype.toString.call(body) === "[object URLSearchParams]") {
    return [encodeText(String(body)), "application/x-www-form-urlencoded;charset=UTF-8"];
  }
  throw new TypeError("the body of a request is a string, an ArrayBuffer, a view of one or URLSearchParams");
}
