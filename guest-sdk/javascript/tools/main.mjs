#!/usr/bin/env node
// Makes a component of a hook in JavaScript or TypeScript.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BuildError, build } from "./build.mjs";

const USAGE = `Makes a component of a hook in JavaScript or TypeScript.

Usage: portcullis-build ENTRY --wit DIR -o FILE [--tools DIR]

  ENTRY        the module whose default export is made by defineHook()
  --wit DIR    the contract
  -o FILE      the component
  --tools DIR  where esbuild and componentize-qjs are installed; the SDK's own if left out

Example: portcullis-build src/hook.ts --wit wit -o hook.wasm
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

if (values.help) {
  process.stdout.write(USAGE);
} else if (positionals.length !== 1 || !values.wit || !values.output) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    const component = await build({ entry: positionals[0], wit: values.wit, tools: values.tools });
    writeFileSync(values.output, component);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}
