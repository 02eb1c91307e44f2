//! The words of a text.

/// Words that say nothing of what a text is about.
const EMPTY: &[&str] = &[
    "a", "about", "an", "and", "are", "as", "at", "be", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me",
    "my", "of", "on", "or", "our", "please", "so", "that", "the", "their", "this", "to", "user",
    "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would",
    "you", "your",
];

/// All words in lower case.
pub fn all(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The words that say something, without the `s` of a plural.
pub fn content(text: &str) -> Vec<String> {
    all(text)
        .into_iter()
        .filter(|word| !EMPTY.contains(&word.as_str()))
        .map(stem)
        .collect()
}

/// The names a text may call a memory by: its words, and those with dots or a `#` as they stand.
pub fn names(text: &str) -> Vec<String> {
    let mut names = all(text);
    let dotted = text.split_whitespace().map(|word| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    });
    names.extend(dotted.filter(|word| word.contains('.')));
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
    fn names_keep_dots() {
        let names = names("Tell me profile.name, and #Work.");
        for name in ["profile.name", "work", "tell"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
