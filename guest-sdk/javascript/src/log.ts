/** Log lines. The host adds the hook's id; the operator decides which levels are kept. */

import * as logging from "wasi:logging/logging@0.1.0-draft";
import { written } from "./shown.ts";
import { wellFormed } from "./utf8.ts";

/** Values that belong to a line: appended as `name=value`. */
export type Fields = Record<string, unknown>;

function line(message: string, fields: Fields = {}): string {
  const said = Object.entries(fields).map(([name, value]) => `${name}=${written(value)}`);
  return wellFormed([message, ...said].join(" "));
}

/** Logs details of interest only while tracing one call. */
export function trace(message: string, fields?: Fields): void {
  logging.log("trace", "", line(message, fields));
}

/** Logs details of interest while debugging. */
export function debug(message: string, fields?: Fields): void {
  logging.log("debug", "", line(message, fields));
}

/** Logs a normal event. */
export function info(message: string, fields?: Fields): void {
  logging.log("info", "", line(message, fields));
}

/** Logs that something is odd while the hook continues. */
export function warn(message: string, fields?: Fields): void {
  logging.log("warn", "", line(message, fields));
}

/** Logs a failure. */
export function error(message: string, fields?: Fields): void {
  logging.log("error", "", line(message, fields));
}
