//! Errors for unknown names, with the nearest known name.

use std::fmt::Display;

use portcullis::text::nearest;

/// The most names that are listed.
const MOST: usize = 12;

/// Returns the error text for an unknown name, with the nearest known name or the list of known
/// names.
pub fn no_such(what: &str, name: &str, known: &[&str]) -> String {
    format!("there is no {what} `{name}`; {}", hint(name, known))
}

/// Like [`no_such`], and names the place that was searched, such as the journal.
pub fn no_such_in(place: impl Display, what: &str, name: &str, known: &[&str]) -> String {
    format!(
        "there is no {what} `{name}` in {place}; {}",
        hint(name, known)
    )
}

fn hint(name: &str, known: &[&str]) -> String {
    match (nearest(name, known.iter().copied()), known) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "there is none at all".to_owned(),
        (None, known) => format!("there are: {}", listed(known)),
    }
}

/// Returns the names, or some of them and how many more there are.
pub fn listed(names: &[&str]) -> String {
    let listed = names.get(..MOST).unwrap_or(names).join(", ");
    match names.len().saturating_sub(MOST) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_given_or_some_of_them() {
        assert_eq!(
            no_such("hook", "redct", &["redact", "audit"]),
            "there is no hook `redct`; did you mean `redact`?"
        );
        assert_eq!(
            no_such("hook", "x", &[]),
            "there is no hook `x`; there is none at all"
        );
        let names: Vec<String> = (0..20).map(|n| format!("{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(no_such("hook", "xyz", &names).ends_with("11 and 8 more"));
    }
}
