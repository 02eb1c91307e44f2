// Bundling with esbuild. The host's modules stay external.

import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { libraries } from "./libraries.mjs";
import { paths } from "./read.mjs";
import { inSdk, SDK } from "./sdk.mjs";

/** The name of the module that a build writes: one of the SDK's, so that none of its places is taken for an author's. */
const OWN = join(SDK, "entry.js");

/** The error of a wrong hook, for its author to read. */
export class BuildError extends Error {}

/** Returns the name by which a module in the same directory imports `entry`. */
export function beside(entry) {
  return JSON.stringify(`./${basename(entry)}`);
}

/** The modules with globals of browsers and Node, and the globals' names. A bundle has only those that the hook names, and `math`. */
const GLOBALS = {
  abort: ["AbortController", "AbortSignal"],
  clone: ["structuredClone"],
  console: ["console"],
  date: ["Date"],
  fetch: ["fetch"],
  headers: ["Headers"],
  math: [],
  performance: ["performance"],
  random: ["crypto"],
  response: ["Response"],
  text: ["TextDecoder", "TextEncoder"],
  timers: ["setTimeout", "clearTimeout"],
  url: ["URL", "URLSearchParams"],
};

const INJECTED = Object.keys(GLOBALS).map((name) => join(SDK, `src/globals/${name}.ts`));

/** The other forms in which a global may be written. */
const WRITTEN = Object.values(GLOBALS).flatMap((names) => names.map((name) => [`globalThis.${name}`, name]));

/** Returns the bundle with fixed names for the SDK's own files in its comments, whatever directory the SDK is in. */
function steady(code, inputs) {
  const files = inputs.filter((path) => !path.includes(":")).map((path) => [path, inSdk(path)]);
  const own = files.filter(([, name]) => name !== undefined);
  const names = new Map(own.map(([path, name]) => [`// ${path}`, `// portcullis/${name}`]));
  return code.replace(/^\/\/ .*$/gm, (line) => names.get(line) ?? line);
}

/**
 * Returns the bundle of a module with these contents in the directory of `entry`; its source map; and esbuild's metadata.
 * `tools` has esbuild, the directory where it is installed, and the set that gets the paths of all inputs.
 */
export async function bundle(tools, entry, contents, { plugins = [], ...more } = {}) {
  try {
    const { outputFiles, metafile } = await tools.esbuild.build({
      outfile: "hook.js",
      sourcemap: "external",
      inject: INJECTED,
      define: { "Math.random": "portcullis$random", ...Object.fromEntries(WRITTEN) },
      // `async` functions become generators, since the runtime would not run their continuations: see `src/promise.ts`.
      supported: { "async-await": false, "async-generator": false, "for-await": false },
      stdin: { contents, resolveDir: dirname(realpathSync(entry)), sourcefile: OWN },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      target: "es2023",
      treeShaking: true,
      external: ["portcullis:*", "wasi:*"],
      alias: {
        portcullis: join(SDK, "src/index.ts"),
        "portcullis/promise": join(SDK, "src/promise.ts"),
        "portcullis/serve": join(SDK, "src/serve.ts"),
        "node:fs": join(SDK, "src/node/fs.ts"),
        "node:fs/promises": join(SDK, "src/node/fs-promises.ts"),
        "portcullis/wrong": join(SDK, "src/wrong.ts"),
      },
      plugins: [libraries(tools), ...plugins],
      logLevel: "silent",
      ...more,
    });
    const text = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text;
    const output = metafile.outputs["hook.js"];
    for (const path of paths(metafile.inputs)) tools.inputs.add(path);
    return { code: steady(text(".js"), Object.keys(output.inputs)), map: JSON.parse(text(".map")), output };
  } catch (error) {
    const said = (error.errors ?? []).map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column}: ${text}` : text,
    );
    throw new BuildError(said.join("\n") || `${entry}: ${error.message}`);
  }
}
