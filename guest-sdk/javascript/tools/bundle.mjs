// Bundling with esbuild, the host's modules left as they are.

import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const SDK = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is wrong with the hook, for its author to read. */
export class BuildError extends Error {}

/** A module as a module beside it names it in an import. */
export function beside(entry) {
  return JSON.stringify(`./${basename(entry)}`);
}

/** The bundle of a module with these contents, which lies beside `entry`; and what esbuild knows of it. */
export async function bundle(esbuild, entry, contents, more = {}) {
  try {
    const { outputFiles, metafile } = await esbuild.build({
      stdin: { contents, resolveDir: dirname(realpathSync(entry)), sourcefile: "entry.js" },
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
        "portcullis/serve": join(SDK, "src/serve.ts"),
        "portcullis/wrong": join(SDK, "src/wrong.ts"),
      },
      logLevel: "silent",
      ...more,
    });
    const [output] = Object.values(metafile.outputs);
    return { code: outputFiles[0].text, output };
  } catch (error) {
    const said = (error.errors ?? []).map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column}: ${text}` : text,
    );
    throw new BuildError(said.join("\n") || error.message);
  }
}
