// QuickJS as componentize-qjs has it, with the same clock and the same seeds in every build. A component holds the memory
// of a runtime that has loaded the hook, so two builds would differ by the results that it got from the system.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { renamed } from "./module.mjs";

/** The runtime without asynchronous imports. The package for each system has it, byte for byte. */
const RUNTIME = { bytes: 1497910, sha256: "25703f010b80efb806f9c35daf9ee6524ad60320c9781b0bae4e234264f8dac5" };

/** The first bytes of a module. */
const MAGIC = Buffer.from("\0asm\x01\0\0\0", "latin1");

/** Imports, and imports of the same type that replace them, whose results are always the same. */
const STEADY = new Map([
  ["wasi:random/insecure-seed@0.2.9 insecure-seed", "wasi:cli/environment@0.2.0 get-arguments"],
  ["wasi:clocks/wall-clock@0.2.0 now", "wasi:clocks/wall-clock@0.2.0 resolution"],
  ["wasi:clocks/monotonic-clock@0.2.0 now", "wasi:clocks/monotonic-clock@0.2.0 resolution"],
]);

/** Returns the runtime from componentize-qjs's library, which this process has loaded; undefined if it has another one. */
export function steadyRuntime(loaded) {
  const library = loaded.find((path) => path.endsWith(".node") && path.includes("componentize-qjs"));
  const module = library && found(readFileSync(library));
  return module && renamed(module, STEADY);
}

/** The placeholder of the seed in `src/globals/random.ts`. */
const SEED = /\b(SEED\d* = ")portcullis:seed"/;

/** Returns the bundle with the seed of its random numbers while it is loaded. */
export function withSeed(code) {
  return code.replace(SEED, (_, before) => `${before}${digest(code).slice(0, 8)}"`);
}

function found(library) {
  for (let at = library.indexOf(MAGIC); at >= 0; at = library.indexOf(MAGIC, at + 1)) {
    const module = library.subarray(at, at + RUNTIME.bytes);
    if (digest(module) === RUNTIME.sha256) return module;
  }
  return undefined;
}

function digest(of) {
  return createHash("sha256").update(of).digest("hex");
}
