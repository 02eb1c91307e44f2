// Runs a hook's module, with nothing behind its imports, to see which points it serves.

import vm from "node:vm";
import { BuildError } from "./build.mjs";

/** Milliseconds that a module may take to define its hook. */
const TIMEOUT = 10_000;

/** The points that the hook has handlers for, and which of the records of each its handler reads. */
export async function seen(esbuild, options) {
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
  return Object.fromEntries([...found].map(({ name, source }) => [kebab(name), reads(source)]));
}

/** Which of its two parameters a handler reads: a record that is not read is not made. If in doubt, both. */
export function reads(source) {
  const both = [true, true];
  if (/\barguments\b|\beval\b|\[native code\]/.test(source)) return both;
  const head = /^(?:async\s+)?(?:function\b)?\s*[\w$]*\s*\(\s*([\w$]*)\s*(?:,\s*([\w$]+)\s*)?\)/.exec(source);
  if (head === null) return both;
  const [all, ...params] = head;
  const named = new Set(source.slice(all.length).split(/[^\w$]+/));
  return params.map((param) => Boolean(param) && named.has(param));
}

function kebab(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
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
