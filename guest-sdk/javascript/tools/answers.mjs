// The modules behind `portcullis:answers/…`: for each answer the imports that give it at the served points.

/** Answers that carry one value, whatever the number of their parameters. */
const VALUES = new Set(["transform", "replace", "answer"]);

/**
 * How values of some of the contract's types are recognized: a name, an expression of the value, and one of what is passed,
 * if that is another. The runtime passes no larger numbers, and no text with half a surrogate pair.
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
 * The function that gives an answer: takes the values of an outcome, calls the import. It checks what it can of the
 * values, since the runtime ends the call in a trap that names nothing.
 */
function given(answer, name, params) {
  const one = VALUES.has(answer) && params.length > 1;
  const taken = one ? ["value"] : params.map((_, at) => `p${at}`);
  const passed = params.map((param, at) => {
    const value = one ? `value.${camel(param.name)}` : taken[at];
    const [expected, holds, made = (it) => it] = CHECKS[param.type] ?? [];
    if (holds === undefined) return value;
    // One value has no name where a hook is written.
    const label = VALUES.has(answer) && !one ? answer : `${answer}: ${camel(param.name)}`;
    return `${holds(value)} ? ${made(value)} : wrong(${value}, "${expected}", "${label}")`;
  });
  return `(${taken.join(", ")}) => ${name}(${passed.join(", ")})`;
}

/** `pre-turn` as `preTurn`. */
export function camel(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
