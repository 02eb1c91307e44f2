//! The arguments as they are shown to a person.

use serde_json::Value;

/// The most characters that a person is shown.
const SHOWN: usize = 2_000;

/// Returns the arguments with indentation, cut after `SHOWN` characters.
pub fn of(arguments: &str) -> String {
    cut(&readable(arguments))
}

fn readable(arguments: &str) -> String {
    serde_json::from_str::<Value>(arguments)
        .and_then(|arguments| serde_json::to_string_pretty(&arguments))
        .unwrap_or_else(|_| arguments.to_owned())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}\n… and {} bytes more", &text[..end], text.len() - end),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, of};

    #[test]
    fn the_arguments_are_indented() {
        assert_eq!(of(r#"{"command":"ls"}"#), "{\n  \"command\": \"ls\"\n}");
    }

    #[test]
    fn long_arguments_are_cut_between_characters() {
        let details = of(&"é".repeat(SHOWN + 5));
        assert!(details.ends_with("é\n… and 10 bytes more"), "{details}");
    }
}
