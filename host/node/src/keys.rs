//! The contract's names: `call-id` in JSON, `callId` in JavaScript.
//!
//! Only keys are renamed: every object of the contract's JSON form is a record or a case of a variant,
//! except objects whose keys are the agent's own.

/// Returns the contract's name of a key.
pub(crate) fn kebab(key: &str) -> String {
    let mut kebab = String::with_capacity(key.len() + 2);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

/// Returns the parts of JavaScript's name of a key.
pub(crate) fn camel(key: &str) -> impl Iterator<Item = (Option<char>, &str)> {
    key.split('-').enumerate().map(|(at, word)| {
        let mut rest = word.chars();
        match (at, rest.next()) {
            (0, _) | (_, None) => (None, word),
            (_, Some(first)) => (Some(first.to_ascii_uppercase()), rest.as_str()),
        }
    })
}
