// Runs a hook's module, with nothing behind its imports, to find out what it exports.

import vm from "node:vm";
import { beside, BuildError, bundle } from "./bundle.mjs";
import { didYouMean } from "./nearest.mjs";
import { thrownAt } from "./places.mjs";

/** Milliseconds that a module may take to define its hook. */
const TIMEOUT = 10_000;

/** What the bundle is called in a stack of Node's. */
const SCRIPT = "portcullis-hook.js";

/** Whether a bundle has an `async` function, or makes promises. */
const ASYNC = /\b(__async|__asyncGenerator|__forAwait|Promise|queueMicrotask)\b/;

/** What the component's runtime has beside `atob` and `btoa`, and Node does not. */
const BASE64 = `
Uint8Array.fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
Uint8Array.prototype.toBase64 = function () {
  return btoa(Array.from(this, (byte) => String.fromCharCode(byte)).join(""));
};`;

/**
 * The names of the points that the hook has handlers for, whether it has promises, whether it gives a schema, and whether
 * that is derived from a type.
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
    // With the component's promises, so that what waits does not run here either.
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

/** What was thrown while the module ran, with what helps. */
function why(error) {
  // What is thrown in a context is no `Error` of this one.
  if (typeof error !== "object" || error === null) {
    return `${typeof error === "string" ? JSON.stringify(error) : String(error)} was thrown`;
  }
  const { name, message, unknown } = error;
  if (name === "WrongHook") return message + (unknown ? didYouMean(unknown.key, unknown.known) : "");
  const said = `${name}: ${message}`;
  // What the engine throws where a global is not there, or an import of the host is empty.
  return name === "ReferenceError" || name === "TypeError"
    ? `${said}\nA hook can call what it imports in its handlers only. A component does not have the globals of Node.`
    : said;
}

/** `preTurn` as `pre-turn`. */
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
