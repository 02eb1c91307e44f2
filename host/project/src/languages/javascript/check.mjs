// Runs tsc, and lists the paths that it read or looked for, each with `+` if it exists and `-` if not:
// `check.mjs TYPESCRIPT LIST ARGUMENT…`

import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [typescript, list, ...args] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(typescript);
const { sys } = ts;
const found = new Map();

// As in tsc's own program: the whole output is written before the exit.
sys.setBlocking?.();

/** Wraps a function of the system: records the path if `counts` accepts the result. */
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
    // For an existing directory, the entries that are looked for in it count.
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
