/** The errors of requests, in words that name the grant or the limit. */

import type { Variant } from "wasi:http/types@0.2.0";
import { FAILURES } from "./failures.ts";

/** Returns the error of a request that has no response. */
export function failure(method: string, server: string, { tag, val }: Variant): TypeError {
  const request = `${method} ${server}`;
  const said = typeof val === "string" ? `: ${val}` : "";
  const words = FAILURES[tag.toLowerCase()] ?? tag;
  return new TypeError(`the request ${request} failed: ${words.replace("{}", () => request)}${said}`, { cause: tag });
}
