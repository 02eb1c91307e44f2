// The files that a bundle depends on, for later checks of whether it would change.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** The settings for the modules in a directory and below it: the nearest one counts, and the first of these names. */
const SETTINGS = ["tsconfig.json", "jsconfig.json"];

/** The names that esbuild looks for in the directory of a module, and in those above it. */
const LOOKED_FOR = [...SETTINGS, "package.json", "node_modules", ".pnp.cjs", ".pnp.data.json", ".pnp.js"];

/**
 * Returns the paths of files among esbuild's inputs, and the paths that their imports name: a file that is created there
 * later may be found first.
 */
export function paths(inputs) {
  return Object.entries(inputs).flatMap(([input, { imports }]) => {
    const file = resolve(input);
    if (!existsSync(file)) return [];
    const named = imports.map(({ original }) => original).filter((name) => name?.startsWith("."));
    return [file, ...named.map((name) => resolve(dirname(file), name))];
  });
}

/**
 * Returns a line for each path that esbuild read or looked for, with a sign: whether it exists. For a directory, its
 * names count. `undefined` if the paths cannot be known. `checked` are settings that tsc reads as well, and lists.
 */
export function listed(files, checked) {
  try {
    const own = files.filter((file) => !file.split(sep).includes("node_modules"));
    const settings = new Set(own.map(settingsOf));
    settings.delete(checked);
    settings.delete(undefined);
    // `extends` may name any file.
    if ([...settings].some((path) => readFileSync(path, "utf8").includes('"extends"'))) return undefined;
    const dirs = [...new Set(files.flatMap(above))];
    const around = dirs.flatMap((dir) => [...LOOKED_FOR.map((name) => join(dir, name)), ...scopes(join(dir, "node_modules"))]);
    const all = new Set([...files, ...files.map(dirname), ...around]);
    return [...all].map((path) => `${existsSync(path) ? "+" : "-"}${path}\n`).join("");
  } catch {
    return undefined;
  }
}

/** Returns the directory of a file, and those above it. */
function above(file) {
  const dir = dirname(file);
  return dir === file ? [] : [dir, ...above(dir)];
}

function settingsOf(file) {
  const places = above(file).flatMap((dir) => SETTINGS.map((name) => join(dir, name)));
  return places.find((path) => existsSync(path));
}

/** Returns the directories of packages that have a scope. */
function scopes(dir) {
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.filter((name) => name.startsWith("@")).map((name) => join(dir, name));
}
