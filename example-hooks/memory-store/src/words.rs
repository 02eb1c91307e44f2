//! The words of a text.

/// Stop words.
const EMPTY: &[&str] = &[
    "a", "about", "an", "and", "are", "as", "at", "be", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me",
    "my", "of", "on", "or", "our", "please", "so", "that", "the", "their", "this", "to", "user",
    "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would",
    "you", "your",
];

/// Returns all words, in lower case.
pub fn all(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the words that are not stop words, without the `s` of a plural.
pub fn content(text: &str) -> Vec<String> {
    all(text)
        .into_iter()
        .filter(|word| !EMPTY.contains(&word.as_str()))
        .map(stem)
        .collect()
}

/// Returns the words by which a text may name memories. Words with dots, hyphens or underscores
/// are also kept whole.
pub fn names(text: &str) -> Vec<String> {
    let mut names = all(text);
    let joined = text.split_whitespace().map(|word| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    });
    names.extend(joined.filter(|word| word.contains(['.', '-', '_'])));
    names
}

fn stem(mut word: String) -> String {
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::{content, names};

    #[test]
    fn content_words() {
        for (text, expected) in [
            ("What is the name of my dogs?", &["name", "dog"][..]),
            ("glass, Glasses; ÄRZTE", &["glass", "glasse", "ärzte"]),
            ("", &[]),
        ] {
            assert_eq!(content(text), expected, "{text}");
        }
    }

    #[test]
    fn names_keep_dots_and_hyphens() {
        let names = names("Tell me profile.name, #Work and #on-call: Order_7!");
        for name in ["profile.name", "work", "tell", "on-call", "order_7"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
