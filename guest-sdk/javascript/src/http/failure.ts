/** Why there is no response, in words that name the grant or the limit. */

import type { Variant } from "wasi:http/types@0.2.0";

/** What to do where the host refused a request: a line for `hooks.toml`. */
function grant(line: string): string {
  return `grant it in hooks.toml, under [hooks.ID.grants]: http = ["${line}"]`;
}

const tookTooLong = (limit: string) => () => `it took longer than the limit ${limit}`;

/** The reasons that an operator can do something about. */
const REASONS: Record<string, (granted: string) => string> = {
  "http-request-denied": (granted) => `the hook is not granted it; ${grant(granted)}`,
  "destination-ip-prohibited": (granted) =>
    `its name leads to no address that the hook is granted; for an address that is not public, ${grant(`${granted} at ADDRESS`)}`,
  "connection-limit-reached": () => "as many requests are under way as the limit `http-concurrent` allows",
  "http-request-header-section-size": () => "its headers are longer than the limit `http-header-bytes`",
  "http-response-header-section-size": () => "the response's headers are longer than the limit `http-header-bytes`",
  "dns-timeout": tookTooLong("`http-connect-ms`"),
  "connection-timeout": tookTooLong("`http-connect-ms`"),
  "connection-read-timeout": tookTooLong("`http-first-byte-ms` or `http-between-bytes-ms`"),
  "http-response-timeout": tookTooLong("`http-total-ms`"),
};

/** The error of a request that has no response. */
export function failure(method: string, server: string, { tag, val }: Variant): TypeError {
  const request = `${method} ${server}`;
  const known = REASONS[tag.toLowerCase()];
  const said = typeof val === "string" ? `: ${val}` : "";
  const why = known?.(request) ?? tag.replaceAll("-", " ") + said;
  return new TypeError(`the request ${request} failed: ${why}`, { cause: tag });
}
