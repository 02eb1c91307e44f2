/** Splitting a shell command line into words, with enough of the shell's grammar to find the programs. */

/** One command of a pipeline. */
export interface Command {
  /** The program, without its directory. A program that `sudo`, `env` and the like run is a command of its own. */
  name: string;
  /** Its arguments, without quotes. */
  words: string[];
  /** The files that it writes to. */
  redirects: string[];
}

/** Programs that run the command in their arguments. */
const WRAPPERS = new Set(["sudo", "doas", "env", "nohup", "time", "nice", "exec", "command", "xargs"]);

const TOKEN = /\s*(?:(\|\||&&|;|\n|\|&?|&(?!>)|[()])|(\d*>>?\|?|&>>?)\s*|((?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s|&;()<>"'\\]|[<"'])+))/y;

/** Returns the pipelines of a line, as lists of commands. The text in `$(…)` and backquotes is a line of its own. */
export function commands(line: string): Command[][] {
  const inner = [...line.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)].map((match) => match[1] ?? match[2] ?? "");
  return [line, ...inner].flatMap(pipelines);
}

function pipelines(line: string): Command[][] {
  const all: Command[][] = [[]];
  let words: string[] = [];
  let redirects: string[] = [];
  const end = () => {
    if (words.length > 0 || redirects.length > 0) all.at(-1)?.push(...named(words, redirects));
    words = [];
    redirects = [];
  };
  let writes = false;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match !== null && match[0] !== ""; match = TOKEN.exec(line)) {
    const [, operator, redirect, word] = match;
    if (operator !== undefined) {
      end();
      if (!operator.startsWith("|") || operator === "||") all.push([]);
    } else if (redirect !== undefined) {
      writes = true;
    } else if (word !== undefined) {
      (writes ? redirects : words).push(plain(word));
      writes = false;
    }
  }
  end();
  return all.filter((pipeline) => pipeline.length > 0);
}

/** Returns the command of these words, and the commands that it runs. */
function named(words: string[], redirects: string[]): Command[] {
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  const rest = start < 0 ? [] : words.slice(start);
  const [first = "", ...args] = rest;
  const name = first.split("/").at(-1) ?? first;
  const command = { name, words: args, redirects };
  if (!WRAPPERS.has(name)) return [command];
  const runs = args.findIndex((word) => !word.startsWith("-") && !/^\w+=/.test(word));
  return runs < 0 ? [command] : [command, ...named(args.slice(runs), redirects)];
}

function plain(word: string): string {
  return word.replace(/\\(.)|["']/gs, "$1");
}
