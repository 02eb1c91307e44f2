/** From lines of the bundle to lines of the author's files, for stacks. */

/** The author's files, and runs of lines: where each begins in the bundle, how long it is, its file and its line there. */
interface Places {
  files: string[];
  runs: [start: number, count: number, file: number, line: number][];
}

/** The build puts the places in here. */
const PLACES = "portcullis:places";

/** A frame of QuickJS's: the function's name, and a line of the bundle. */
const FRAME = /^\s*at (.*?) ?\(?[^()\s]*?:(\d+)(?::\d+)?\)?$/;

/** The most frames that are told. */
const MOST = 16;

/** The frames of an error in the author's files, the innermost first. */
export function frames(stack: string): string[] {
  const { files, runs } = JSON.parse(PLACES) as Places;
  const found: string[] = [];
  for (const frame of stack.split("\n")) {
    if (found.length === MOST) break;
    const [, name, at] = FRAME.exec(frame) ?? [];
    const line = Number(at);
    const run = runs.find(([start, count]) => start <= line && line < start + count);
    if (run === undefined) continue;
    const place = `${files[run[2]]}:${run[3] + line - run[0]}`;
    found.push(name ? `${name} (${place})` : place);
  }
  return found;
}
