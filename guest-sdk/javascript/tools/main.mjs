#!/usr/bin/env node
// Makes the component of a hook in JavaScript or TypeScript: for `portcullis build`, and as `portcullis-build` of the
// package.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { BuildError } from "./bundle.mjs";
import { listed } from "./read.mjs";

const USAGE = `Makes the component of a hook in JavaScript or TypeScript.

Usage: portcullis-build ENTRY -o FILE [--wit DIR] [--tools DIR]

  ENTRY        the module whose default export is made by defineHook()
  --wit DIR    the contract; the package's own if left out
  -o FILE      the component
  --tools DIR  where esbuild and componentize-qjs are installed, and typescript for a hook with configOf; the SDK's own if left out

Example: npx portcullis-build src/hook.ts -o dist/hook.wasm
`;

/** The exit code for a wrong hook. Node exits with 1 if this program is wrong. */
const WRONG_HOOK = 3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    wit: { type: "string" },
    output: { type: "string", short: "o" },
    tools: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const { PORTCULLIS_READS } = process.env;
const [entry, ...more] = positionals;
const { output, tools, wit = fileURLToPath(new URL("../wit", import.meta.url)) } = values;

if (values.help) {
  process.stdout.write(USAGE);
} else if (!entry || more.length > 0 || !output) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    const inputs = new Set();
    writeFileSync(output, await build({ entry, wit, tools, inputs }));
    // `portcullis build` reads the list, to see whether the component is of the same files. Before, it runs tsc in a project in
    // TypeScript.
    const list = PORTCULLIS_READS && listed([...inputs], entry.endsWith(".ts") ? resolve("tsconfig.json") : undefined);
    if (list) writeFileSync(PORTCULLIS_READS, list);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = WRONG_HOOK;
  }
}
