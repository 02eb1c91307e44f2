/** Maps places in the bundle to places in the author's files, for stacks. Lines and columns begin at 1. */

/** The author's files, and their places in the bundle. */
interface Places {
  files: string[];
  /** Runs of lines: the first line in the bundle, the number of lines, the file and its first line there, and the shift of columns; null for no columns. */
  runs: [start: number, count: number, file: number, line: number, by: number | null][];
  /** By line of the bundle, the parts with another shift than the begin of the line: the first column, and the shift of lines and of columns. */
  parts: Record<number, (number | null)[]>;
}

/** A function of QuickJS, which has its place in the bundle. */
export interface Located {
  readonly name: string;
  readonly lineNumber?: number;
  readonly columnNumber?: number;
}

/** The placeholder that the build replaces by the places. */
const PLACES = "portcullis:places";

/** A frame of QuickJS: the function's name, and a line and a column of the bundle. */
const FRAME = /^\s*at (.*?) ?\(?[^()\s]*?:(\d+)(?::(\d+))?\)?$/;

/** The places, parsed at their first use. */
let known: Places | undefined;

/** The most frames that are reported. */
const MOST = 16;

/** Returns the frames of an error in the author's files, the innermost first. */
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

/** Returns the place of a function in the author's files. */
export function placeOf({ name, lineNumber = 0, columnNumber = 0 }: Located): string | undefined {
  return named(name, lineNumber, columnNumber);
}

/** Returns the author's place for a place in the bundle, with the function that it is in. */
function named(name: string | undefined, line: number, column: number): string | undefined {
  const place = placed((known ??= JSON.parse(PLACES) as Places), line, column);
  return name && place !== undefined ? `${name} (${place})` : place;
}

/** Returns the author's place for a place in the bundle; without a column if that is 0 or the bundler's. */
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
