//! "Did you mean": the known name most like a mistyped one.

/// How alike two names must be to be worth suggesting, from 0 to 1.
const ALIKE: f64 = 0.6;

/// The one of `known` most like `name`, if one is like it at all.
pub fn nearest<K: AsRef<str>>(name: &str, known: impl IntoIterator<Item = K>) -> Option<K> {
    known
        .into_iter()
        .map(|known| {
            (
                strsim::normalized_damerau_levenshtein(name, known.as_ref()),
                known,
            )
        })
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}

/// `; did you mean `…`?`, or nothing.
pub fn hint<K: AsRef<str>>(name: &str, known: impl IntoIterator<Item = K>) -> String {
    nearest(name, known).map_or_else(String::new, |known| {
        format!("; did you mean `{}`?", known.as_ref())
    })
}
