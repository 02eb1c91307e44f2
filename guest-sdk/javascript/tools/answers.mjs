// The modules `portcullis:answers/…`: for each answer the imports that give it at the served points.

/** Answers that carry one value, whatever the number of their parameters. */
const VALUES = new Set(["transform", "replace", "answer"]);

/**
 * Checks of values of some of the contract's types: a name, an expression that checks the value, and an expression that
 * converts it, if needed. The runtime passes no larger numbers, and no text with half a surrogate pair.
 */
const CHECKS = {
  string: ["a string", (value) => `typeof ${value} === "string"`, (value) => `${value}.toWellFormed()`],
  bool: ["a boolean", (value) => `typeof ${value} === "boolean"`],
  u32: [
    "a whole number from 0 to 2147483647",
    (value) => `Number.isInteger(${value}) && ${value} >= 0 && ${value} <= 0x7fffffff`,
  ],
  list: ["an array", (value) => `Array.isArray(${value})`],
};

const PREFIX = "portcullis:answers/";

/** Returns an esbuild plugin that makes these modules, for a hook that serves these points. */
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

/** Returns the answers that a bundle uses. */
export function usedAnswers(output) {
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const paths = inputs.map(([path]) => path.replace(/^answers:/, "")).filter((path) => path.startsWith(PREFIX));
  return paths.map((path) => path.slice(PREFIX.length));
}

/** Returns the module of one answer: an object of functions, by the names of the points' handlers. */
function source(contract, points, answer) {
  const lines = ['import { wrong } from "portcullis/wrong";'];
  const entries = [];
  for (const point of points) {
    const params = contract.answers.get(point)?.get(answer);
    if (params === undefined) continue;
    const name = camel(point);
    lines.push(`import { ${camel(answer)} as ${name} } from "portcullis:hooks/${point}-answer@${contract.version}";`);
    entries.push(`${name}: ${given(answer, name, params)}`);
  }
  return `${lines.join("\n")}\nexport default { ${entries.join(", ")} };\n`;
}

/**
 * Returns the function that gives an answer: it takes the values of an outcome, and calls the import. It checks values
 * as far as it can, since the runtime ends the call in a trap without a message.
 */
function given(answer, name, params) {
  const one = VALUES.has(answer) && params.length > 1;
  const taken = one ? ["value"] : params.map((_, at) => `p${at}`);
  const passed = params.map((param, at) => {
    const value = one ? `value.${camel(param.name)}` : taken[at];
    const [expected, holds, made = (it) => it] = CHECKS[param.type] ?? [];
    if (holds === undefined) return value;
    // A single value has no name in the source of a hook.
    const label = VALUES.has(answer) && !one ? answer : `${answer}: ${camel(param.name)}`;
    return `${holds(value)} ? ${made(value)} : wrong(${value}, "${expected}", "${label}")`;
  });
  return `(${taken.join(", ")}) => ${name}(${passed.join(", ")})`;
}

/** Converts `pre-turn` to `preTurn`. */
export function camel(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
