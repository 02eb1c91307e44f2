// Maps places in a bundle to places in the author's files: for errors of the build, and, put into the bundle, for errors
// of a call, see `src/places.ts`.

import { SourceMap } from "node:module";
import { inSdk } from "./sdk.mjs";

/** The placeholder of the places in the SDK. */
const PLACEHOLDER = '"portcullis:places"';

/** Returns the bundle with the places of its lines. The number of its lines stays the same. */
export function withPlaces(code, map) {
  const places = JSON.stringify(JSON.stringify(placesOf(code, map)));
  // A function, since `$` has a meaning in a replacement.
  return code.replace(PLACEHOLDER, () => places);
}

/** Returns the place where an error with Node's stack was thrown, in the innermost of the author's files; `script` is the bundle's name. */
export function thrownAt(stack, script, map) {
  const found = new SourceMap(map);
  for (const [, line, column] of stack.matchAll(new RegExp(`\\b${script}:(\\d+):(\\d+)`, "g"))) {
    const { originalSource, originalLine, originalColumn } = found.findEntry(line - 1, column - 1);
    if (originalSource === undefined || !isAuthors(originalSource)) continue;
    return `${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
  }
  return undefined;
}

/**
 * Returns the author's files; runs of lines that are adjacent in the bundle and in a file, with the same shift of columns;
 * and the parts of lines with another shift.
 */
function placesOf(code, map) {
  const found = new SourceMap(map);
  const texts = new Map(map.sources.map((source, at) => [source, map.sourcesContent[at].split("\n")]));
  const [files, runs, parts] = [[], [], {}];
  let last;
  code.split("\n").forEach((line, at) => {
    const [first, ...others] = segments(found, texts, line, at);
    if (first === undefined || !isAuthors(first.source)) return;
    if (!files.includes(first.source)) files.push(first.source);
    const file = files.indexOf(first.source);
    const start = at + 1;
    const [begun, count, inFile, from, by] = last ?? [];
    const adjoins = inFile === file && start === begun + count && first.line === from + count;
    if (adjoins && first.by === by) last[1]++;
    else runs.push((last = [start, 1, file, first.line, first.by]));
    if (others.length > 0) parts[start] = others.flatMap(({ column, line, by }) => [column, line - first.line, by]);
  });
  return { files, runs, parts };
}

/**
 * Returns the parts of a line with the same shift, in order: the first column, the line, and the shift of columns. The
 * bundler's own text has no column.
 */
function segments(found, texts, text, at) {
  const segments = [];
  for (let column = text.search(/\S|$/); column < text.length; column++) {
    const entry = found.findEntry(at, column);
    if (entry.generatedLine !== at || entry.originalSource === undefined) continue;
    const by = entry.originalColumn - entry.generatedColumn;
    const original = texts.get(entry.originalSource)?.[entry.originalLine] ?? "";
    const part = {
      source: entry.originalSource,
      line: entry.originalLine + 1,
      by: original[column + by] === text[column] ? by : null,
      column: column + 1,
    };
    const last = segments.at(-1);
    if (part.line !== last?.line || part.by !== last.by) segments.push(part);
  }
  return segments;
}

/** Returns whether a source is the author's, and not the SDK's or the build's. */
function isAuthors(source) {
  return !/^(answers|derived|library):/.test(source) && inSdk(source) === undefined;
}
