// Bundling with esbuild, the host's modules left as they are.

import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { libraries } from "./libraries.mjs";
import { paths } from "./read.mjs";
import { inSdk, SDK } from "./sdk.mjs";

/** The module that a build writes is named as one of the SDK's, so that no place in it is taken for an author's. */
const OWN = join(SDK, "entry.js");

/** What is wrong with the hook, for its author to read. */
export class BuildError extends Error {}

/** A module as a module beside it names it in an import. */
export function beside(entry) {
  return JSON.stringify(`./${basename(entry)}`);
}

/** Modules with what a browser or Node has as globals, and their names. What a hook does not name of them is not in its bundle, but for `math`. */
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

/** Other ways to write a global. */
const WRITTEN = Object.values(GLOBALS).flatMap((names) => names.map((name) => [`globalThis.${name}`, name]));

/** The bundle with the SDK's own files named in its comments as in every other: not by where the SDK is. */
function steady(code, inputs) {
  const files = inputs.filter((path) => !path.includes(":")).map((path) => [path, inSdk(path)]);
  const own = files.filter(([, name]) => name !== undefined);
  const names = new Map(own.map(([path, name]) => [`// ${path}`, `// portcullis/${name}`]));
  return code.replace(/^\/\/ .*$/gm, (line) => names.get(line) ?? line);
}

/**
 * The bundle of a module with these contents, which lies beside `entry`; its source map; and what esbuild knows of it.
 * `tools` has esbuild, the directory where it is installed, and the set that gets the paths of all inputs.
 */
export async function bundle(tools, entry, contents, { plugins = [], ...more } = {}) {
  try {
    const { outputFiles, metafile } = await tools.esbuild.build({
      outfile: "hook.js",
      sourcemap: "external",
      inject: INJECTED,
      define: { "Math.random": "portcullis$random", ...Object.fromEntries(WRITTEN) },
      // As generators, since the runtime would not run what waits: see `src/promise.ts`.
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
