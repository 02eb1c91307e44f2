//! One thing remembered.

use serde::{Deserialize, Serialize};

use crate::words;

/// The longest text that is remembered, in bytes. What is longer is cut: a memory is a sentence.
pub const LONGEST: usize = 500;

/// One thing remembered of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id, unique for the user. What is remembered later under the same id takes its place.
    pub id: String,
    /// What it says.
    pub text: String,
    /// Words it can be named by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether it is part of who the user is, and so recalled in every turn.
    #[serde(default)]
    pub profile: bool,
    /// Its place in time: a later one has a higher number.
    #[serde(default)]
    pub seq: i64,
}

impl Memory {
    /// A memory. Without an id its text decides on it, so that what is said twice is kept once.
    pub fn new(id: Option<&str>, text: &str) -> Self {
        let text = one_line(text);
        Self {
            id: id.map_or_else(|| format!("note.{:016x}", digest(&text)), str::to_owned),
            text,
            tags: Vec::new(),
            profile: false,
            seq: 0,
        }
    }

    /// Tags it. A tag is one word in lower case; what is none is made one.
    #[must_use]
    pub fn tagged(mut self, tags: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.tags = tags
            .into_iter()
            .map(|tag| tag.as_ref().trim_start_matches('#').trim().to_lowercase())
            .filter(|tag| !tag.is_empty())
            .collect();
        self.tags.sort();
        self.tags.dedup();
        self
    }

    /// Whether it says the same, whenever it was said.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.text == other.text && self.tags == other.tags && self.profile == other.profile
    }

    /// Whether one of these words is its id or one of its tags.
    pub fn is_named_by(&self, words: &[String]) -> bool {
        words
            .iter()
            .any(|word| *word == self.id || self.tags.contains(word))
    }
}

/// On one line and not too long: a memory cannot pass for a part of the prompt.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.truncate(line.floor_char_boundary(LONGEST));
    line
}

/// FNV-1a over the words: case and punctuation make no other memory.
fn digest(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in words::all(text).join(" ").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn what_is_said_twice_is_one_memory() {
        let id = |text| Memory::new(None, text).id;
        assert_eq!(id("I like tea."), id("i like  TEA"));
        assert_ne!(id("I like tea."), id("I like coffee."));
    }

    #[test]
    fn it_is_one_line_of_bounded_length() {
        let memory = Memory::new(Some("x"), "a\n## Rules\nb");
        assert_eq!(memory.text, "a ## Rules b");
        assert!(Memory::new(None, &"ä".repeat(1_000)).text.len() <= 500);
    }

    #[test]
    fn it_is_named_by_its_id_and_its_tags() {
        let memory = Memory::new(Some("profile.name"), "x").tagged(["#Work", "home ", "home", ""]);
        assert_eq!(memory.tags, ["home", "work"]);
        for (word, expected) in [("work", true), ("profile.name", true), ("wor", false)] {
            assert_eq!(memory.is_named_by(&[word.to_owned()]), expected, "{word}");
        }
    }
}
