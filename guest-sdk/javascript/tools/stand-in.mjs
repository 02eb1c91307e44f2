// The component's tools put traps in the place of all that is called `wasi:`, so that a language runtime
// reaches nothing. What the host gives under such a name is given another name of the same length meanwhile.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = ["config", "logging", "clocks", "random", "io", "http", "filesystem"].flatMap((name) => [`${name}/`, `${name}@`]);

const pairs = PACKAGES.map((name) => [`wasi:${name}`, `host:${name}`]);

/** The name that a module of the host's goes by meanwhile. */
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

/** The component with its names restored. */
export function restored(component) {
  for (const [name, other] of pairs) {
    for (let at = component.indexOf(other); at >= 0; at = component.indexOf(other, at)) {
      component.write(name, at, "latin1");
    }
  }
  return component;
}
