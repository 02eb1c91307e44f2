// Runs tsc, and writes the paths of what it read and of what it looked for, each with a sign, whether there was something:
// `check.mjs TYPESCRIPT LIST ARGUMENT…`

import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [typescript, list, ...args] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(typescript);
const { sys } = ts;
const found = new Map();

// As in tsc's own program: what it writes is whole when it exits.
sys.setBlocking?.();

/** The function of the system with what it was asked for kept, where `counts` says so of the result. */
function noting(name, counts) {
  return (path, ...more) => {
    const result = sys[name](path, ...more);
    const key = resolve(path);
    if (counts(result) && !found.has(key)) found.set(key, existsSync(key));
    return result;
  };
}

ts.executeCommandLine(
  {
    ...sys,
    readFile: noting("readFile", () => true),
    fileExists: noting("fileExists", () => true),
    // Of a directory that is there, what is looked for in it counts.
    directoryExists: noting("directoryExists", (exists) => !exists),
    getDirectories: noting("getDirectories", () => true),
    exit(status) {
      writeFileSync(list, [...found].map(([path, is]) => `${is ? "+" : "-"}${path}\n`).join(""));
      sys.exit(status);
    },
  },
  () => {},
  args,
);
