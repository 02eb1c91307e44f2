//! The significant words of a text.

use std::collections::HashSet;

/// Insignificant words. English only: texts in other languages cause some needless queries.
const EMPTY: &[&str] = &[
    "about", "all", "also", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how",
    "if", "in", "into", "is", "it", "its", "just", "let", "like", "may", "me", "my", "no", "not",
    "of", "on", "one", "or", "our", "out", "please", "she", "should", "so", "some", "than", "that",
    "the", "their", "them", "then", "there", "they", "this", "to", "up", "us", "was", "we", "were",
    "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// The maximum number of characters of a word. Longer words are data.
const LONGEST: usize = 40;

/// Returns the first `most` significant words, in lower case, each once.
pub(super) fn content(text: &str, most: usize) -> Vec<String> {
    let mut seen = HashSet::new();
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().nth(1).is_some() && word.chars().nth(LONGEST).is_none())
        .map(str::to_lowercase)
        .filter(|word| !EMPTY.contains(&word.as_str()))
        .filter(|word| seen.insert(word.clone()))
        .take(most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::content;

    #[test]
    fn table() {
        for (text, most, expected) in [
            ("", 9, &[][..]),
            ("What is the name of my dog?", 9, &["name", "dog"]),
            ("Dog, dog and DOG!", 9, &["dog"]),
            (
                "Überraschung für Ärzte",
                9,
                &["überraschung", "für", "ärzte"],
            ),
            ("one two three", 1, &["two"]),
            ("a 7 v2", 9, &["v2"]),
        ] {
            assert_eq!(content(text, most), expected, "{text}");
        }
        assert!(content(&"x".repeat(41), 9).is_empty());
        let sorted = super::EMPTY.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(sorted, "the list is in order and has no word twice");
    }
}
