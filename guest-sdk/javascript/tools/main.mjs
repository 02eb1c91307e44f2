#!/usr/bin/env node
// Makes the flat component of a hook in JavaScript or TypeScript; `portcullis build` makes a hook of it.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BuildError, build } from "./build.mjs";

const USAGE = `Makes the flat component of a hook in JavaScript or TypeScript: a step of portcullis build.

Usage: portcullis-build ENTRY --flat DIR -o FILE [--tools DIR]

  ENTRY        the module whose default export is made by defineHook()
  --flat DIR   the flat contract: its WIT in wit, and calls.json
  -o FILE      the component
  --tools DIR  where esbuild and componentize-qjs are installed; the SDK's own if left out

Example: portcullis-build src/hook.ts --flat flat -o flat.wasm
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    flat: { type: "string" },
    output: { type: "string", short: "o" },
    tools: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
} else if (positionals.length !== 1 || !values.flat || !values.output) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    const component = await build({ entry: positionals[0], flat: values.flat, tools: values.tools });
    writeFileSync(values.output, component);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}
