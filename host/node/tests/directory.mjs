// Hooks directories of real components, which the test program that runs these tests has built.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";

import { Hooks } from "portcullis-host";

const { PORTCULLIS_TEST_COMPONENTS: components, PORTCULLIS_TEST_CACHE: cache } = process.env;
const directories = [];
after(() => directories.forEach((directory) => rmSync(directory, { recursive: true })));

/** Makes a directory. */
export function directory() {
  const made = mkdtempSync(path.join(os.tmpdir(), "portcullis-host-"));
  directories.push(made);
  return made;
}

/** Makes a hooks directory with this component and these settings. */
export function hooksDirectory(component, settings) {
  const made = directory();
  copyFileSync(path.join(components, `${component}.wasm`), path.join(made, `${component}.wasm`));
  writeFileSync(path.join(made, "hooks.toml"), settings);
  return made;
}

/** Returns the settings of the probe, which performs these actions at the points. */
export function probe(actions) {
  const lines = Object.entries(actions).map(([point, action]) => `${point} = ${JSON.stringify(action)}\n`);
  const contribute = '["policy", "context", "section", "tools", "note", "job"]';
  const grants = `state = true\nevents = true\ncontribute = ${contribute}\n`;
  return `[hooks.probe.grants]\n${grants}[hooks.probe.config]\n${lines.join("")}`;
}

/** Loads the probe with these actions. */
export const load = (actions, options) =>
  Hooks.load(hooksDirectory("probe", probe(actions)), { cache, ...options });

/** Loads another component. */
export const loadComponent = (name, settings) => Hooks.load(hooksDirectory(name, settings), { cache });

/** Loads a command as a hook that returns this outcome at this point. */
export function loadScript(point, outcome) {
  const made = directory();
  writeFileSync(path.join(made, "outcome.json"), JSON.stringify(outcome));
  const script = `[scripts.told]\ncommand = ["cat", "outcome.json"]\npoints = ["${point}"]\nrole = "transform"\n`;
  writeFileSync(path.join(made, "hooks.toml"), script);
  return Hooks.load(made, { cache });
}
