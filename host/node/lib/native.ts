import { createRequire } from "node:module";

import type { Job, LogLine } from "./report.js";

/** The result at once, or a promise of it if a hook must wait. Both are JSON. */
type Answer = string | Promise<string>;

/** The hooks of a directory, in the addon. */
export interface NativeHost {
  readonly ids: string[];
  readonly openSessions: number;
  call(request: string): Answer;
  answer(request: string): Answer;
  reload(): Answer;
  closeSession(session: string): Answer;
  close(withinMs: number): Answer;
}

interface Native {
  Host: { load(path: string, options: object, report: (report: LogLine & Job & { kind: string }) => void): NativeHost };
  sanitize(text: string): string;
}

const require = createRequire(import.meta.url);
const addon = require.resolve("../portcullis-host.node");

export const native: Native = require(addon);

/** The command that compiles a component in a child process. */
export const WORKER = [
  process.execPath,
  "-e",
  `process.exit(require(${JSON.stringify(addon)}).compileWorker())`,
];
