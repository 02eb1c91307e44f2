//! Names in Go.

use crate::contract::names::{camel, pascal};

/// Words that Go writes in capitals.
const INITIALISMS: &[(&str, &str)] = &[("Id", "ID"), ("Llm", "LLM"), ("Url", "URL")];

/// Keywords, and packages that generated files import.
const TAKEN: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "contract",
    "default",
    "fake",
    "func",
    "go",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
    "wire",
];

/// Converts `pre-llm-call` to `prellmcall`, a package name.
pub(super) fn package(name: &str) -> String {
    name.replace('-', "")
}

/// Converts `call-id` to `CallID`.
pub(super) fn exported(name: &str) -> String {
    name.split('-')
        .map(|word| capitals(&pascal(word)))
        .collect()
}

/// Converts `PreLlmCall` to `PreLLMCall`.
pub(super) fn of_pascal(name: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_ascii_uppercase() => word.push(letter),
            _ => words.push(letter.to_string()),
        }
    }
    words.iter().map(|word| capitals(word)).collect()
}

/// Converts `call-id` to `callID`, the name of a parameter or of a package-level function.
pub(super) fn local(name: &str) -> String {
    let (first, rest) = name.split_once('-').unwrap_or((name, ""));
    let name = format!("{}{}", camel(first), exported(rest));
    match TAKEN.contains(&name.as_str()) {
        true => format!("{name}_"),
        false => name,
    }
}

fn capitals(word: &str) -> String {
    let known = INITIALISMS.iter().find(|(plain, _)| *plain == word);
    known.map_or(word, |(_, capitals)| capitals).to_owned()
}
