// Runs a hook's module, with nothing behind its imports, to see which points it serves.

import vm from "node:vm";
import { BuildError } from "./build.mjs";

/** Milliseconds that a module may take to define its hook. */
const TIMEOUT = 10_000;

/** The points that the hook has handlers for, and of the records of each how many its handler takes. */
export async function look(esbuild, options) {
  const { outputFiles } = await bundle(esbuild, {
    ...options,
    external: [],
    format: "iife",
    globalName: "it",
    plugins: [nothing],
  });
  const context = vm.createContext({});
  try {
    vm.runInContext(outputFiles[0].text, context, { timeout: TIMEOUT });
  } catch (error) {
    throw new BuildError(
      `the hook cannot be defined: ${error.name}: ${error.message}\n` +
        "What a hook imports can be called in its handlers only, and Node's own globals are not there in a component.",
    );
  }
  const found = vm.runInContext("it.found", context);
  if (found === null) {
    throw new BuildError("the module has no default export; write: export default defineHook({ … })");
  }
  return [...found].map(({ name, source, length }) => ({ name, takes: takes(source, length) }));
}

/** How many of its two parameters a handler takes: what it does not take is not made. If in doubt, both. */
export function takes(source, length) {
  if (length > 1 || /\barguments\b|\beval\b|\[native code\]/.test(source)) return 2;
  const [, params] = /^(?:async\s+)?(?:function\b)?\s*[\w$]*\s*\(\s*([\w$]*)\s*\)/.exec(source) ?? [];
  if (params === undefined) return 2;
  return params === "" ? 0 : 1;
}

async function bundle(esbuild, options) {
  try {
    return await esbuild.build(options);
  } catch (error) {
    const said = (error.errors ?? []).map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column}: ${text}` : text,
    );
    throw new BuildError(said.join("\n") || error.message);
  }
}

/** An esbuild plugin that puts nothing in the place of what the host gives. */
const nothing = {
  name: "nothing",
  setup(build) {
    build.onResolve({ filter: /^(portcullis|wasi):/ }, ({ path }) => ({ path, namespace: "nothing" }));
    build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({
      contents: "module.exports = {};",
      loader: "js",
    }));
  },
};
