// The npm packages of hooks that name their exports.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SDK } from "./sdk.mjs";

const PREFIX = "portcullis:library/";

/** The SDK's module for UTF-8, and the files of libraries that it replaces, with what they export. */
const UTF8 = join(SDK, "src/utf8.ts");
const OF_UTF8 = [
  [/[/\\]whatwg-url[/\\]lib[/\\]encoding\.js$/, "encodeText as utf8Encode, decodeText as utf8DecodeWithoutBOM"],
  [
    /[/\\]@exodus[/\\]bytes[/\\]utf8\.js$/,
    "encodeText as utf8fromStringLoose, decodeText as utf8toStringLoose, decodeStrictly as utf8toString",
  ],
];

/** The libraries by name, without the prefix, and the exports of each. */
const LIBRARIES = {
  encoding: 'export { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";',
  "structured-clone": 'export { default } from "@ungap/structured-clone";',
  "whatwg-url": 'export { URL, URLSearchParams } from "whatwg-url/webidl2js-wrapper.js";',
};

/** Returns an esbuild plugin that takes the libraries from the directory of the tools, each as one module. */
export function libraries({ esbuild, dir }) {
  return {
    name: "libraries",
    setup(build) {
      build.onResolve({ filter: /^portcullis:library\// }, ({ path }) => ({
        path: path.slice(PREFIX.length),
        namespace: "library",
        sideEffects: false,
      }));
      build.onLoad({ filter: /.*/, namespace: "library" }, async ({ path }) => ({
        contents: await bundled(esbuild, dir, LIBRARIES[path]),
        loader: "js",
      }));
    },
  };
}

const made = new Map();

/** Returns a library without imports, and without the paths of its files. It is made once. */
function bundled(esbuild, dir, contents) {
  const make = async () => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents, resolveDir: dir },
      // The libraries make dates of a given time, which needs no clock of the host.
      banner: { js: "const { Date } = globalThis;" },
      bundle: true,
      write: false,
      minify: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      target: "es2023",
      plugins: [changed],
      logLevel: "silent",
    });
    return outputFiles[0].text;
  };
  if (!made.has(contents)) made.set(contents, make());
  return made.get(contents);
}

/** An esbuild plugin that replaces or edits files of the libraries. */
const changed = {
  name: "changed",
  setup(build) {
    // This file asks for the prototype of an asynchronous generator, but a hook has a function without one instead.
    build.onLoad({ filter: /[/\\]whatwg-url[/\\]lib[/\\]utils\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("async function*", "function*"),
    }));
    // These files read and write UTF-8, which the SDK does in a fiftieth of the time.
    for (const [filter, names] of OF_UTF8) {
      build.onLoad({ filter }, () => ({ contents: `export { ${names} } from ${JSON.stringify(UTF8)};` }));
    }
  },
};
