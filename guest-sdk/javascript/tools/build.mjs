// Makes a component of a hook's module. The component imports only the functions that the hook uses.

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { answerModules, camel, usedAnswers } from "./answers.mjs";
import { beside, BuildError, bundle } from "./bundle.mjs";
import { derivedModule, schemaOfType } from "./derive.mjs";
import { withPlaces } from "./places.mjs";
import { served } from "./points.mjs";
import { steadyRuntime, withSeed } from "./runtime.mjs";
import { SDK } from "./sdk.mjs";
import { hidden, hideIn, restored } from "./stand-in.mjs";
import { Contract } from "./wit.mjs";

/**
 * Returns the component of the hook that the module `entry` exports, for the contract in the directory `wit`. Bundled files
 * are added to `inputs`, and so are the paths that their imports name.
 */
export async function build({ entry, wit, tools: dir = SDK, inputs = new Set() }) {
  const tools = { ...load(resolve(dir)), inputs };
  const { componentize, runtime } = tools;
  if (!runtime) console.error("note: two builds of this hook will differ: componentize-qjs is not the version that the SDK names");
  const contract = new Contract(wit);
  const found = await served(tools, entry);
  const { points } = found;
  const schema = found.derives ? schemaOfType(tools, entry) : undefined;
  const contents = source(entry, found, contract.version);
  const { code, map, output } = await bundle(tools, entry, contents, {
    plugins: [answerModules(contract, points), derivedModule(schema)],
  });
  const place = mkdtempSync(join(tmpdir(), "portcullis-"));
  try {
    const kept = answersAt(contract, points, usedAnswers(output));
    contract.write(join(place, "wit"), world(contract, found, kept, output), kept);
    hideIn(join(place, "wit"));
    const jsSource = hidden(withSeed(withPlaces(code, map)));
    const { component } = await componentize({
      witPath: join(place, "wit"),
      world: "the-hook",
      jsSource,
      stubWasi: true,
      // The runtime that is optimized for size takes half as long again for each call.
      ...(runtime ? { runtimeBytes: runtime } : { optSize: false, sync: true }),
    });
    return restored(component);
  } catch (error) {
    throw new BuildError(`${entry}: ${error.message}`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Loads the tools that are installed in this directory. */
function load(dir) {
  const from = createRequire(join(dir, "package.json"));
  const tool = (name, install = `In ${dir}, run: npm ci`) => {
    try {
      return from(name);
    } catch (error) {
      throw new BuildError(`cannot load ${name}: ${error.message}\n${install}`);
    }
  };
  const [esbuild, { componentize }] = [tool("esbuild"), tool("componentize-qjs")];
  const runtime = steadyRuntime(Object.keys(from.cache));
  const install = dir === SDK ? "Run: npm install --save-dev typescript" : `In ${dir}, run: npm install typescript`;
  return { dir, esbuild, componentize, runtime, typescript: () => tool("typescript", install) };
}

/** Returns the component's own module: an export for each point. */
function source(entry, { points, promises, configured, derives }, version) {
  const head = `${promises ? 'import { settled } from "portcullis/promise";' : ""}
${derives ? 'import "derived:config";' : ""}
import hook from ${beside(entry)};
import { answered, begin, configSchema, context, descriptor, facts, failed } from "portcullis/serve";
export const describe = { describe: () => descriptor(hook) };
`;
  const configuration = configured ? "export const configuration = { schema: () => configSchema(hook) };\n" : "";
  return head + configuration + points.map((point) => handler(point, camel(point), promises, version)).join("\n");
}

function handler(point, name, promises, version) {
  const called = `hook.${name}(context, ${name}$call)`;
  return `import * as ${name}$facts from "portcullis:hooks/${point}-facts@${version}";
const ${name}$call = facts(${name}$facts, "facts");
export const ${name} = {
  handle() {
    begin();
    try {
      return answered(${promises ? `settled(() => ${called})` : called}, "${name}");
    } catch (error) {
      return failed(error, hook.${name});
    }
  },
};`;
}

/** Returns the answers at each point: those that are legal there and used anywhere in the hook. */
function answersAt(contract, points, used) {
  const at = points.map((point) => {
    const legal = contract.answers.get(point) ?? new Map();
    return [point, used.filter((answer) => legal.has(answer))];
  });
  return new Map(at.filter(([, answers]) => answers.length > 0));
}

/** Returns the hook's world. It is in the contract's own package. */
function world({ version }, { points, configured }, answers, { imports }) {
  const used = imports.filter(({ external }) => external).map(({ path }) => path);
  // An answer in the bundle may not be legal at any served point; then its module imports nothing.
  const own = (path) => path.replace(`portcullis:hooks/`, "").replace(`@${version}`, "");
  const lines = [
    "export describe;",
    ...(configured ? ["export configuration;"] : []),
    ...points.map((point) => `export ${point};`),
    ...[...new Set(used)].sort().map((path) => `import ${path.startsWith("portcullis:") ? own(path) : path};`),
  ];
  return `world the-hook {\n${lines.map((line) => `    ${line}\n`).join("")}}\n`;
}
