//! "Did you mean": the known names most like a mistyped one.

use std::fmt::Display;

/// The similarity that makes a name worth suggesting, from 0 to 1.
const ALIKE: f64 = 0.5;

/// The most names to suggest.
const MOST: usize = 3;

/// Returns the names of `known` most similar to `name`, the nearest first; none if no name is
/// similar.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.replace('_', "-").to_lowercase();
    let mut alike: Vec<(f64, &str)> = known
        .into_iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(&name, known), known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    alike
        .into_iter()
        .take(MOST)
        .map(|(_, known)| known)
        .collect()
}

/// Returns `; did you mean `…` or `…`?`. If no name is similar, returns `; ` and the given
/// alternative.
pub(crate) fn hint<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl Display,
) -> String {
    let alike: Vec<String> = nearest(name, known)
        .into_iter()
        .map(|known| format!("`{known}`"))
        .collect();
    match alike.is_empty() {
        true => format!("; {otherwise}"),
        false => format!("; did you mean {}?", alike.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{hint, nearest};

    #[test]
    fn the_nearest_come_first() {
        let known = ["pre-turn", "post-turn", "session-end"];
        assert_eq!(nearest("pre_trun", known), ["pre-turn", "post-turn"]);
        let hint = |name| hint(name, known, "they are listed");
        assert_eq!(hint("xyz"), "; they are listed");
        assert_eq!(hint("session-ends"), "; did you mean `session-end`?");
    }
}
