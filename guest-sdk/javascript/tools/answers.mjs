// The modules behind `portcullis:answers/…`: for each answer the imports that give it at the served points.

/** Answers that carry one value, whatever the number of their parameters. */
const VALUES = new Set(["transform", "replace", "answer"]);

const PREFIX = "portcullis:answers/";

/** An esbuild plugin that makes these modules, for a hook that serves these points. */
export function answerModules(contract, points) {
  return {
    name: "answers",
    setup(build) {
      build.onResolve({ filter: /^portcullis:answers\// }, ({ path }) => ({
        path,
        namespace: "answers",
        sideEffects: false,
      }));
      build.onLoad({ filter: /.*/, namespace: "answers" }, ({ path }) => ({
        contents: source(contract, points, path.slice(PREFIX.length)),
        loader: "js",
      }));
    },
  };
}

/** The answers of which something is left in a bundle. */
export function usedAnswers(output) {
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const paths = inputs.map(([path]) => path.replace(/^answers:/, "")).filter((path) => path.startsWith(PREFIX));
  return paths.map((path) => path.slice(PREFIX.length));
}

/** The module of one answer: an object of functions, by the names of the points' handlers. */
function source(contract, points, answer) {
  const lines = [];
  const entries = [];
  for (const point of points) {
    const params = contract.answers.get(point)?.get(answer);
    if (params === undefined) continue;
    const name = camel(point);
    lines.push(`import { ${camel(answer)} as ${name} } from "portcullis:hooks/${point}-answer@${contract.version}";`);
    const fields = params.map((param) => `value.${camel(param)}`).join(", ");
    const spread = VALUES.has(answer) && params.length > 1;
    entries.push(spread ? `${name}: (value) => ${name}(${fields})` : name);
  }
  return `${lines.join("\n")}\nexport default { ${entries.join(", ")} };\n`;
}

/** `pre-turn` as `preTurn`. */
export function camel(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
