/** A response, read to its end. */

import { encodeText, decodeText } from "../utf8.ts";
import { Headers } from "./headers.ts";

interface Init {
  status?: number;
  statusText?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
}

export class Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** The URL that it is from; empty for a response that was not received. */
  readonly url: string = "";
  readonly redirected = false;
  #body: Uint8Array<ArrayBuffer>;
  #used = false;

  constructor(body?: string | Uint8Array<ArrayBuffer> | null, init: Init = {}) {
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? "";
    this.headers = new Headers(init.headers);
    this.#body = typeof body === "string" ? encodeText(body) : (body ?? new Uint8Array());
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get bodyUsed(): boolean {
    return this.#used;
  }

  clone(): Response {
    if (this.#used) throw new TypeError("the body was read already");
    return Object.assign(new Response(this.#body.slice(), this), { url: this.url });
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#used) throw new TypeError("the body was read already");
    this.#used = true;
    return this.#body;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).slice().buffer;
  }

  async text(): Promise<string> {
    const text = decodeText(await this.bytes());
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
