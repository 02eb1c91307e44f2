// The known name that is nearest to a misspelt one.

/** Returns `; did you mean …?`, or an empty text if no name is near. Case, dashes and the letters' order do not count. */
export function didYouMean(name, known) {
  const of = plain(name);
  const limit = Math.max(1, Math.floor(of.length / 3));
  const [near] = known
    .map((one) => ({ one, far: distance(of, plain(one)) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far);
  const found = near?.one ?? known.find((one) => letters(one) === letters(name));
  return found === undefined ? "" : `; did you mean \`${found}\`?`;
}

function plain(name) {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function letters(name) {
  return [...plain(name)].sort().join("");
}

/** Returns the number of letters to change, remove or add. */
function distance(a, b) {
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    last = row;
  }
  return last[b.length];
}
