//! A memory: one fact about a user.

use serde::{Deserialize, Serialize};

use crate::words;

/// The longest text of a memory, in bytes. A longer one is cut: a memory is a sentence.
pub const LONGEST: usize = 500;

/// A fact that is remembered about a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id, unique for the user. A later memory with the same id replaces it.
    pub id: String,
    /// The text.
    pub text: String,
    /// Words by which the user can name it.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether it is part of the user's profile, and so recalled in every turn.
    #[serde(default)]
    pub profile: bool,
    /// Its sequence number: a later memory has a higher one.
    #[serde(default)]
    pub seq: i64,
}

impl Memory {
    /// Creates a memory. Without an id, its id is a digest of the text: equal texts are kept once.
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

    /// Sets the tags, in lower case and without a leading `#` and spaces around them.
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

    /// Returns whether the content is the same. Ids and sequence numbers are not compared.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.text == other.text && self.tags == other.tags && self.profile == other.profile
    }

    /// Returns whether one of these words, in lower case, is its id or one of its tags.
    pub fn is_named_by(&self, words: &[String]) -> bool {
        let id = self.id.to_lowercase();
        words
            .iter()
            .any(|word| *word == id || self.tags.contains(word))
    }
}

/// Returns the text on one line and cut, so that it cannot imitate another part of the prompt.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.truncate(line.floor_char_boundary(LONGEST));
    line
}

/// Returns the FNV-1a hash of the words, which does not depend on case and punctuation.
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
