// The contract's WIT, limited to the needs of a build: the answers at each point.

import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The end of the name of an interface of answers, which begins with its point's. */
const ANSWER = "-answer";

/** A function of an interface: its name, and its parameters. */
const FUNCTION = /^\s*%?([a-z0-9-]+)\s*:\s*func\s*\(([^()]*)\)[^;]*;/gm;

/** The contract in a directory. */
export class Contract {
  /** The version of its package. */
  version;
  /** For each point the answers that are legal there, each with its parameters: their names and types. */
  answers = new Map();
  #dir;
  #files = [];

  constructor(dir) {
    this.#dir = dir;
    for (const name of readdirSync(dir).filter((name) => name.endsWith(".wit"))) {
      const text = uncommented(readFileSync(join(dir, name), "utf8"));
      this.version ??= /\bpackage\s+portcullis:hooks@([^\s;]+);/.exec(text)?.[1];
      const parts = [...answerInterfaces(text)];
      for (const { point, body } of parts) this.answers.set(point, new Map(functions(body)));
      this.#files.push({ name, text, parts });
    }
    if (this.version === undefined) throw new Error(`${dir} does not have the package portcullis:hooks`);
  }

  /** Copies the contract with one more world in it, and with these answers at each point and no others. */
  write(to, world, kept) {
    cpSync(this.#dir, to, { recursive: true });
    for (const { name, text, parts } of this.#files) {
      let pruned = "";
      let copied = 0;
      for (const { point, start, body } of parts) {
        const names = kept.get(point) ?? [];
        pruned += text.slice(copied, start);
        pruned += body.replace(FUNCTION, (written, name) => (names.includes(name) ? written : ""));
        copied = start + body.length;
      }
      writeFileSync(join(to, name), pruned + text.slice(copied));
    }
    writeFileSync(join(to, "the-hook.wit"), world);
  }
}

/** Returns WIT without its comments. It has no strings that could look like a comment. */
function uncommented(text) {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
}

/** Yields the interfaces of answers in a file: the text between the braces of each, and its start. */
function* answerInterfaces(text) {
  for (const found of text.matchAll(/\binterface\s+%?([a-z0-9-]+)\s*\{/g)) {
    const [head, name] = found;
    if (!name.endsWith(ANSWER)) continue;
    const start = found.index + head.length;
    yield { point: name.slice(0, -ANSWER.length), start, body: text.slice(start, closing(text, start)) };
  }
}

/** Returns the position of the brace that closes the one before `start`. */
function closing(text, start) {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

/** Yields the functions of an interface. A parameter's type is without the part between `<` and `>`. */
function* functions(body) {
  for (const [, name, params] of body.matchAll(FUNCTION)) {
    const all = [...params.matchAll(/%?([a-z0-9-]+)\s*:\s*([a-z0-9-]+)/g)];
    yield [name, all.map(([, name, type]) => ({ name, type }))];
  }
}
