#!/usr/bin/env node
// Makes the flat component of a hook in JavaScript or TypeScript; `portcullis build` makes a hook of it.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BuildError, look, make } from "./build.mjs";

const USAGE = `Makes the flat component of a hook in JavaScript or TypeScript: two steps of portcullis build.

Usage: node main.mjs look ENTRY -o FILE [--wit DIR] [--tools DIR]
       node main.mjs make ENTRY --flat DIR -o FILE [--tools DIR]

  look         writes which points the hook serves, and which records it reads there
  make         writes the component
  ENTRY        the module whose default export is made by defineHook()
  -o FILE      what is written
  --wit DIR    the contract, which looking does not need here
  --flat DIR   the flat contract of the hook: its WIT in wit, calls.json, and what look wrote, as look.json
  --tools DIR  where esbuild and componentize-qjs are installed; the SDK's own if left out

Example: node main.mjs look src/hook.ts -o flat/look.json
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    wit: { type: "string" },
    flat: { type: "string" },
    output: { type: "string", short: "o" },
    tools: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const [command, entry, ...more] = positionals;
const { flat, output, tools } = values;
const known = command === "look" || (command === "make" && flat);

if (values.help) {
  process.stdout.write(USAGE);
} else if (!known || !entry || more.length > 0 || !output) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    const made = command === "look" ? look({ entry, tools }) : make({ entry, flat, tools });
    writeFileSync(output, await made);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}
