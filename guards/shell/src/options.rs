//! Where the options of a command end.

use crate::Word;

/// The options of a command that have a value in the next word, as letters or in full.
pub(crate) type WithValue = &'static [&'static str];

/// How many words are options and their values. What follows `--` is none.
pub(crate) fn end(words: &[Word], with_value: WithValue) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            return at + 1;
        } else if with_value.contains(&text) {
            at += 2;
        } else if text.starts_with('-') && text.len() > 1 {
            at += 1;
        } else {
            break;
        }
    }
    at.min(words.len())
}

/// The value of an option: what follows it, in the next word or, for one in full, behind `=`.
pub(crate) fn value(words: &[Word], is: impl Fn(&str) -> bool, full: &str) -> Option<String> {
    words.iter().enumerate().find_map(|(at, word)| {
        let behind = word.text.strip_prefix(full).filter(|_| !full.is_empty());
        match behind.and_then(|rest| rest.strip_prefix('=')) {
            Some(value) => Some(value.to_owned()),
            None if word.text == full || is(&word.text) => {
                words.get(at + 1).map(|word| word.text.clone())
            }
            None => None,
        }
    })
}

/// Whether the word is short options whose last has this letter.
pub(crate) fn ends_with(text: &str, letter: char) -> bool {
    text.starts_with('-') && !text.starts_with("--") && text.ends_with(letter)
}
