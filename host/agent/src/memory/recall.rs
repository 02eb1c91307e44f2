//! Making a query from what the user says, and text for the model from what was found.

use std::collections::BTreeSet;

use crate::basics::text;

/// The most words searched for. More make the search slower, not better.
const MOST_WORDS: usize = 32;

/// The shortest word searched for, in characters. Shorter ones are in every text.
const SHORTEST_WORD: usize = 3;

/// How much of one remembered text is shown, in bytes.
const EXCERPT: usize = 400;

/// A turn that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) input: String,
    pub(super) output: String,
}

/// An FTS5 query for any of the words in the text; `None` if there is none worth searching for.
///
/// Each word is quoted, so what a user writes is never query syntax.
pub(super) fn query(said: &str) -> Option<String> {
    let words: BTreeSet<String> = said
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .map(str::to_lowercase)
        .take(MOST_WORDS)
        .collect();
    if words.is_empty() {
        return None;
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    Some(quoted.join(" OR "))
}

/// Text for the model of at most `most_bytes`; `None` if nothing was found or nothing fits.
pub(super) fn render(found: &[Found], most_bytes: usize) -> Option<String> {
    let mut out = String::from("[From earlier conversations, for reference:]");
    let mut any = false;
    for Found { input, output } in found {
        let entry = format!(
            "\n- The user said: {}\n  The answer was: {}",
            line(input),
            line(output)
        );
        if out.len() + entry.len() > most_bytes {
            break;
        }
        out.push_str(&entry);
        any = true;
    }
    any.then_some(out)
}

/// An excerpt on one line.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = words.join(" ");
    match text::prefix(&joined, EXCERPT) {
        whole if whole.len() == joined.len() => joined,
        start => format!("{start}…"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_never_syntax() {
        assert_eq!(
            query("NEAR(milk) \"AND\" to -buy* it").as_deref(),
            Some("\"and\" OR \"buy\" OR \"milk\" OR \"near\"")
        );
        assert_eq!(query("a b! ?"), None);
        assert_eq!(query(""), None);
    }

    #[test]
    fn turns_that_do_not_fit_are_left_out() {
        let found = |n: usize| Found {
            input: format!("question {n}\nsecond line"),
            output: "answer ".repeat(200),
        };
        let text = render(&[found(1), found(2), found(3)], 1_100).unwrap();
        assert!(text.len() <= 1_100, "{}", text.len());
        assert!(text.contains("question 1 second line") && text.contains("question 2"));
        assert!(!text.contains("question 3"));
        assert_eq!(render(&[found(1)], 100), None);
        assert_eq!(render(&[], 1_000), None);
    }
}
