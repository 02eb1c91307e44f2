// Puts into a bundle which lines of it are which lines of the author's files: see `src/places.ts`.

import { SourceMap } from "node:module";
import { relative, resolve } from "node:path";
import { SDK } from "./bundle.mjs";

/** What the SDK has in the place of it. */
const PLACEHOLDER = '"portcullis:places"';

/** The bundle with the places of its lines. The number of its lines stays the same. */
export function withPlaces(code, map) {
  const places = JSON.stringify(JSON.stringify(placesOf(code, map)));
  // A function, since `$` has a meaning in a replacement.
  return code.replace(PLACEHOLDER, () => places);
}

/** The author's files, and runs of lines that are next to each other in the bundle and in a file. */
function placesOf(code, map) {
  const found = new SourceMap(map);
  const files = [];
  const runs = [];
  let last;
  code.split("\n").forEach((line, at) => {
    const place = found.findEntry(at, line.search(/\S|$/));
    if (place.originalSource === undefined || !isAuthors(place.originalSource)) return;
    if (!files.includes(place.originalSource)) files.push(place.originalSource);
    const file = files.indexOf(place.originalSource);
    const [start, original] = [at + 1, place.originalLine + 1];
    const [begun, count, inFile, from] = last ?? [];
    if (inFile === file && start === begun + count && original === from + count) last[1]++;
    else runs.push((last = [start, 1, file, original]));
  });
  return { files, runs };
}

/** Whether a source is the author's, and not the SDK's or the build's. */
function isAuthors(source) {
  if (source.startsWith("answers:")) return false;
  const below = relative(SDK, resolve(source));
  return below.startsWith("..");
}
