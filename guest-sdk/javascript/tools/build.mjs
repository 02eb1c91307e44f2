// Look: bundle, and see what the hook serves. Make: bundle again with just that, componentize.

import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { seen } from "./look.mjs";
import { hidden, hideIn, restored } from "./stand-in.mjs";

const SDK = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is wrong with the hook, in words for whoever wrote it. */
export class BuildError extends Error {}

/** Which points the hook that the module `entry` exports serves, and which records it reads there: as JSON. */
export async function look({ entry, tools }) {
  const { esbuild } = load(tools);
  return JSON.stringify({ points: await seen(esbuild, options(entry, inspected(entry))) });
}

/** The component of the same hook, made against its flat contract. */
export async function make({ entry, flat, tools }) {
  const { esbuild, componentize } = load(tools);
  const [calls, { points }] = ["calls.json", "look.json"].map((name) =>
    JSON.parse(readFileSync(join(flat, name), "utf8")),
  );
  const { code, imports } = await bundle(esbuild, entry, points, calls);
  const place = mkdtempSync(join(tmpdir(), "portcullis-"));
  try {
    cpSync(join(flat, "wit"), join(place, "wit"), { recursive: true });
    writeFileSync(join(place, "wit", "the-hook.wit"), world(Object.keys(points), imports));
    hideIn(join(place, "wit"));
    const source = hidden(code);
    writeFileSync(join(place, "hook.js"), source);
    const { component } = await componentize({
      witPath: join(place, "wit"),
      world: "the-hook",
      jsSource: source,
      jsPath: join(place, "hook.js"),
      stubWasi: true,
      // The one that is made small takes half as long again for each call.
      optSize: false,
      sync: true,
    });
    return restored(component);
  } catch (error) {
    throw new BuildError(`${entry}: ${error.message}`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function load(tools) {
  const from = createRequire(join(resolve(tools ?? SDK), "package.json"));
  const tool = (name) => {
    try {
      return from(name);
    } catch (error) {
      throw new BuildError(`cannot load ${name}: ${error.message}\nIn ${tools ?? SDK}, run: npm ci`);
    }
  };
  return { esbuild: tool("esbuild"), componentize: tool("componentize-qjs").componentize };
}

/** How a module is bundled, imports of the host left as they are. */
function options(entry, contents) {
  return {
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
    alias: { portcullis: join(SDK, "src/index.ts"), "portcullis/serve": join(SDK, "src/serve.ts") },
    logLevel: "silent",
  };
}

function inspected(entry) {
  return `import * as module from ${module(entry)};
import { points } from "portcullis/serve";
export const found = module.default === undefined
  ? null
  : points(module.default).map((name) => {
      const { value } = Object.getOwnPropertyDescriptor(module.default, name) ?? {};
      return { name, source: value === undefined ? "" : String(value) };
    });`;
}

/** The component's own module: an export for each point. */
async function bundle(esbuild, entry, points, calls) {
  const contents = `import hook from ${module(entry)};
import { card, serve } from "portcullis/serve";
export const describe = { describe: () => card(hook) };
const session = {};
export const flatSession = { begin: (sessionId, agent) => Object.assign(session, { sessionId, agent }) };
${Object.entries(points).map(([point, read]) => handler(camel(point), read, calls[point])).join("\n")}`;
  const { outputFiles, metafile } = await esbuild.build(options(entry, contents));
  const [output] = Object.values(metafile.outputs);
  const imports = output.imports.filter((one) => one.external).map((one) => one.path);
  return { code: outputFiles[0].text, imports: [...new Set(imports)].sort() };
}

/** The export of a point: of the fields that it is called with it makes the records that its handler reads. */
function handler(name, read, params) {
  const fields = [];
  const value = ({ at, once, record }) => {
    if (once !== undefined) return `session.${camel(once)}`;
    if (at !== undefined) return (fields[at] = `p${at}`);
    return `{ ${record.fields.map((field) => `${camel(field.name)}: ${value(field)}`).join(", ")} }`;
  };
  const records = params.map((param, index) => {
    // What is passed in memory is passed whether it is read or not.
    const made = param.record || param.at !== undefined ? value(param) : "undefined";
    return read[index] ? made : "undefined";
  });
  // It is the handler that was looked at which is called, whatever becomes of the hook's property.
  return `const ${name}$ = serve(hook, "${name}"), ${name}$handler = hook.${name};
export const ${name} = {
  handle(${fields.join(", ")}) {
    try {
      const outcome = ${name}$handler.call(${["hook", ...records].join(", ")});
      return outcome == null || outcome.tag === "continue" ? false : ${name}$.answered(outcome);
    } catch (error) {
      return ${name}$.failed(error);
    }
  },
  answer: ${name}$.answer,
};`;
}

/** The hook's world: what it serves, and what its code uses. */
function world(points, imports) {
  const lines = [
    "include hook;",
    "export flat-session;",
    ...points.map((point) => `include on-${point};`),
    // The world stands in the contract's own package.
    ...imports.map((path) => `import ${path.replace(/^portcullis:hooks\/([a-z-]+)@.*$/, "$1")};`),
  ];
  return `world the-hook {\n${lines.map((line) => `    ${line}\n`).join("")}}\n`;
}

function camel(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function module(entry) {
  return JSON.stringify(`./${basename(entry)}`);
}
