//! Placeholders: values in place of a secret.

/// Words in placeholders, in lower case.
const WORDS: &[&[u8]] = &[
    b"example",
    b"your",
    b"changeme",
    b"change-me",
    b"change_me",
    b"placeholder",
    b"dummy",
    b"redacted",
    b"xxxx",
    b"${",
    b"{{",
    b"<",
    b"process.env",
    b"os.environ",
    b"getenv",
    b"secrets.",
    b"vault",
    b"****",
    b"....",
    b"insert",
    b"sample",
    b"fake",
    b"env.",
    b"ref+",
    b"replace",
    b"notreal",
    b"not-real",
    b"none",
    b"null",
    b"undefined",
    b"test-only",
    b"1234567890abcdef",
    b"0123456789abcdef",
    b"deadbeef",
];

/// For each byte, a bit for each word that begins with it.
static BEGINNINGS: [u64; 256] = {
    let mut beginnings = [0; 256];
    let mut place = 0;
    while place < WORDS.len() {
        beginnings[WORDS[place][0] as usize] |= 1 << place;
        place += 1;
    }
    beginnings
};

/// Returns whether the value contains one of the words. All are searched at once: a text may be full of placeholders.
pub fn is_placeholder(value: &str) -> bool {
    let value = value.as_bytes();
    value.iter().enumerate().any(|(at, byte)| {
        let mut words = BEGINNINGS[usize::from(byte.to_ascii_lowercase())];
        while words != 0 {
            let word = WORDS[words.trailing_zeros() as usize];
            let found = value.get(at..at + word.len()).unwrap_or_default();
            if found.eq_ignore_ascii_case(word) {
                return true;
            }
            words &= words - 1;
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::{WORDS, is_placeholder};

    #[test]
    fn every_word_is_seen() {
        for word in WORDS {
            let word = std::str::from_utf8(word).expect("a word");
            for value in [word.to_uppercase(), format!("q7{word}"), format!("{word}é")] {
                assert!(is_placeholder(&value), "{value}");
            }
        }
    }

    #[test]
    fn other_values_are_none() {
        for value in [
            "",
            "hunter2secret",
            "exampl3",
            "you1r",
            "Wq8kLm2pZ7",
            "é$é{",
        ] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
