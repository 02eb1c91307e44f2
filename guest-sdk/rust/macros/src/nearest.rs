//! Suggestions of the nearest known name for a mistyped one.

/// The least similarity of a suggestion, from 0 to 1.
const ALIKE: f64 = 0.6;

/// Returns the name in `known` that is most similar to `name`, if one is similar enough.
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

/// Returns `; did you mean `…`?`, or an empty string.
pub fn hint<K: AsRef<str>>(name: &str, known: impl IntoIterator<Item = K>) -> String {
    nearest(name, known).map_or_else(String::new, |known| {
        format!("; did you mean `{}`?", known.as_ref())
    })
}
