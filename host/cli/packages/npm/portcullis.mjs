#!/usr/bin/env node
// Runs the command `portcullis` of this system, which is in a package of its own.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";

const name = `portcullis-${process.platform}-${process.arch}`;
let command;
try {
  command = createRequire(import.meta.url).resolve(`${name}/bin/portcullis`);
} catch {
  console.error(
    `error: there is no command \`portcullis\` for ${process.platform} on ${process.arch}: the package ${name} is not installed\n` +
      "If there is one, install again without `--omit=optional`; if not, build it: cargo install --path host/cli",
  );
  process.exit(1);
}

const child = spawn(command, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: ${command} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
