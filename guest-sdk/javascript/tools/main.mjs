#!/usr/bin/env node
// Makes the component of a hook in JavaScript or TypeScript, for `portcullis build`.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { BuildError } from "./bundle.mjs";

const USAGE = `Makes the component of a hook in JavaScript or TypeScript, for portcullis build.

Usage: node main.mjs ENTRY --wit DIR -o FILE [--tools DIR]

  ENTRY        the module whose default export is made by defineHook()
  --wit DIR    the contract
  -o FILE      the component
  --tools DIR  where esbuild and componentize-qjs are installed; the SDK's own if left out

Example: node main.mjs src/hook.ts --wit wit -o dist/hook.wasm
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    wit: { type: "string" },
    output: { type: "string", short: "o" },
    tools: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const [entry, ...more] = positionals;
const { output, tools, wit } = values;

if (values.help) {
  process.stdout.write(USAGE);
} else if (!entry || more.length > 0 || !wit || !output) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    writeFileSync(output, await build({ entry, wit, tools }));
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}
