/** From places in the bundle to places in the author's files, for stacks. Lines and columns begin at 1. */

/** The author's files, and what of them is where in the bundle. */
interface Places {
  files: string[];
  /** Runs of lines: where each begins in the bundle, how long it is, its file and its line there, and by how many columns it is moved; null where it has none. */
  runs: [start: number, count: number, file: number, line: number, by: number | null][];
  /** By line of the bundle, what is moved in another way than its begin: from which column, by how many lines and columns. */
  parts: Record<number, (number | null)[]>;
}

/** A function of QuickJS's, which knows where it is in the bundle. */
export interface Located {
  readonly name: string;
  readonly lineNumber?: number;
  readonly columnNumber?: number;
}

/** The build puts the places in here. */
const PLACES = "portcullis:places";

/** A frame of QuickJS's: the function's name, and a line and a column of the bundle. */
const FRAME = /^\s*at (.*?) ?\(?[^()\s]*?:(\d+)(?::(\d+))?\)?$/;

/** What the build put in, once it was needed. */
let known: Places | undefined;

/** The most frames that are told. */
const MOST = 16;

/** The frames of an error in the author's files, the innermost first. */
export function frames(stack: string): string[] {
  const found: string[] = [];
  for (const frame of stack.split("\n")) {
    if (found.length === MOST) break;
    const [, name, line, column] = FRAME.exec(frame) ?? [];
    const place = named(name, Number(line), Number(column ?? 0));
    if (place !== undefined) found.push(place);
  }
  return found;
}

/** Where a function is in the author's files. */
export function placeOf({ name, lineNumber = 0, columnNumber = 0 }: Located): string | undefined {
  return named(name, lineNumber, columnNumber);
}

/** A place of the bundle in the author's file, with the function that it is in. */
function named(name: string | undefined, line: number, column: number): string | undefined {
  const place = placed((known ??= JSON.parse(PLACES) as Places), line, column);
  return name && place !== undefined ? `${name} (${place})` : place;
}

/** A place of the bundle in the author's file; without a column where that is 0 or the bundler's. */
function placed({ files, runs, parts }: Places, line: number, column: number): string | undefined {
  const run = runs.find(([start, count]) => start <= line && line < start + count);
  if (run === undefined) return undefined;
  const [start, , file, first, by] = run;
  let [lines, columns] = [0, by];
  const moved = parts[line] ?? [];
  for (let at = 0; at < moved.length && moved[at]! <= column; at += 3) {
    [lines, columns] = [moved[at + 1]!, moved[at + 2] ?? null];
  }
  const place = `${files[file]}:${first + line - start + lines}`;
  return column > 0 && columns !== null ? `${place}:${column + columns}` : place;
}
