// The component's tools replace all imports of `wasi:` by traps, so that a language runtime
// reaches nothing. The modules of the host have another name of the same length meanwhile.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = ["config", "logging", "clocks", "random", "io", "http", "filesystem"].flatMap((name) => [`${name}/`, `${name}@`]);

const pairs = PACKAGES.map((name) => [`wasi:${name}`, `host:${name}`]);

/** Returns a text with the names of the host's modules hidden. */
export function hidden(text) {
  return pairs.reduce((text, [name, other]) => text.replaceAll(name, other), text);
}

/** Hides the names in the WIT files of a directory. */
export function hideIn(dir) {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".wit")) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, hidden(readFileSync(path, "utf8")));
  }
}

/** Returns the component with its names restored. */
export function restored(component) {
  for (const [name, other] of pairs) {
    for (let at = component.indexOf(other); at >= 0; at = component.indexOf(other, at)) {
      component.write(name, at, "latin1");
    }
  }
  return component;
}
