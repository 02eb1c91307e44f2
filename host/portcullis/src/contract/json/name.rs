//! Converts Rust names to WIT names: `call_id` and `CallId` are both `call-id`.

use std::fmt::{self, Write as _};

use crate::contract::text::nearest;

/// A Rust name, shown as the WIT name it was made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wit(pub(crate) &'static str);

impl Wit {
    fn chars(self) -> impl Iterator<Item = char> {
        // A WIT name that is a Rust keyword was given a `_` at its end.
        let name = self.0.strip_suffix('_').unwrap_or(self.0);
        name.char_indices().flat_map(|(at, c)| {
            let new_word = at > 0 && c.is_ascii_uppercase();
            let letter = match c {
                '_' => '-',
                c => c.to_ascii_lowercase(),
            };
            new_word.then_some('-').into_iter().chain([letter])
        })
    }

    fn is(self, name: &str) -> bool {
        self.chars().eq(name.chars())
    }
}

impl fmt::Display for Wit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| f.write_char(c))
    }
}

/// Returns the Rust name of a WIT name.
pub(crate) fn find(name: &str, among: &'static [&'static str]) -> Option<&'static str> {
    among.iter().copied().find(|rust| Wit(rust).is(name))
}

/// Returns the error text for a wrong name: the nearest right one, or all of them. The wrong name may
/// be any text of a hook, and is left out.
pub(crate) fn unknown(what: &str, wrong: &str, right: &'static [&'static str]) -> String {
    let names: Vec<String> = right.iter().map(|rust| Wit(rust).to_string()).collect();
    let hint = match nearest(wrong, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", list(right)),
    };
    format!("there is no such {what} here; {hint}")
}

/// Returns the WIT names, separated by commas.
pub(crate) fn list(names: &'static [&'static str]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|rust| format!("`{}`", Wit(rust)))
        .collect();
    names.join(", ")
}
