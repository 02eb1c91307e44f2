// Runs a hook's module with empty imports, to read its exports.

import vm from "node:vm";
import { beside, BuildError, bundle } from "./bundle.mjs";
import { didYouMean } from "./nearest.mjs";
import { thrownAt } from "./places.mjs";

/** Milliseconds that a module may take to define its hook. */
const TIMEOUT = 10_000;

/** The name of the bundle in a stack of Node. */
const SCRIPT = "portcullis-hook.js";

/** Matches a bundle that has an `async` function, or makes promises. */
const ASYNC = /\b(__async|__asyncGenerator|__forAwait|Promise|queueMicrotask)\b/;

/** The functions that the component's runtime has in addition to `atob` and `btoa`, and Node does not. */
const BASE64 = `
Uint8Array.fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
Uint8Array.prototype.toBase64 = function () {
  return btoa(Array.from(this, (byte) => String.fromCharCode(byte)).join(""));
};`;

/**
 * Returns the names of the points that the hook has handlers for, whether it has promises, whether it has a schema, and
 * whether the schema is derived from a type.
 */
export async function served(tools, entry) {
  const contents = `import * as module from ${beside(entry)};
import { derivedSettings, points } from "portcullis/serve";
export const found = module.default === undefined ? null : points(module.default);
export const derives = derivedSettings.length > 0;
export const configured = module.default?.config !== undefined;
export const isDerived = derivedSettings.includes(module.default?.config);`;
  const options = { format: "iife", globalName: "it", external: [], plugins: [nothing] };
  let { code, map } = await bundle(tools, entry, contents, options);
  const promises = ASYNC.test(code);
  if (promises) {
    // With the component's promises, jobs do not run here either.
    ({ code, map } = await bundle(tools, entry, `import "portcullis/promise";\n${contents}`, options));
  }
  const context = vm.createContext({ atob, btoa });
  vm.runInContext(BASE64, context);
  try {
    vm.runInContext(code, context, { filename: SCRIPT, timeout: TIMEOUT });
  } catch (error) {
    const stack = typeof error?.stack === "string" ? error.stack : "";
    const place = thrownAt(stack, SCRIPT, map) ?? entry;
    throw new BuildError(`${place}: the hook cannot be defined: ${why(error)}`);
  }
  const found = vm.runInContext("it.found", context);
  if (found === null) {
    throw new BuildError(`${entry}: the module has no default export; write: export default defineHook({ … })`);
  }
  const names = ["it.configured", "it.derives", "it.isDerived"];
  const [configured, derives, isDerived] = names.map((name) => vm.runInContext(name, context));
  if (derives && !isDerived) {
    throw new BuildError(
      `${entry}: the host checks what \`configOf\` reads only if it is the hook's \`config\`; write: defineHook({ config: settings, … })`,
    );
  }
  return { points: [...found].map(kebab), promises, configured, derives };
}

/** Returns the error that was thrown while the module ran, with advice. */
function why(error) {
  // An error that is thrown in a context is no `Error` of this one.
  if (typeof error !== "object" || error === null) {
    return `${typeof error === "string" ? JSON.stringify(error) : String(error)} was thrown`;
  }
  const { name, message, unknown } = error;
  if (name === "WrongHook") return message + (unknown ? didYouMean(unknown.key, unknown.known) : "");
  const said = `${name}: ${message}`;
  // The engine throws these errors if a global does not exist, or if an import of the host is empty.
  return name === "ReferenceError" || name === "TypeError"
    ? `${said}\nA hook can call what it imports in its handlers only. A component does not have the globals of Node.`
    : said;
}

/** Converts `preTurn` to `pre-turn`. */
function kebab(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An esbuild plugin that makes all imports of the host empty. */
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
