//! Patterns of tool names.

use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;

/// A name in which `*` stands for any characters and `?` for one.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Glob(String);

impl Glob {
    /// Returns whether the pattern matches the name.
    pub fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.chars().collect();
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut name_at) = (0, 0);
        // The last star, and the end of the text in the name that it matches so far.
        let mut star: Option<(usize, usize)> = None;
        while name_at < name.len() {
            match pattern.get(at) {
                Some('*') => {
                    star = Some((at, name_at));
                    at += 1;
                }
                Some(&c) if c == '?' || c == name[name_at] => {
                    at += 1;
                    name_at += 1;
                }
                _ => {
                    let Some((star_at, end)) = star else {
                        return false;
                    };
                    star = Some((star_at, end + 1));
                    at = star_at + 1;
                    name_at = end + 1;
                }
            }
        }
        pattern[at..].iter().all(|&c| c == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn names_match() {
        let cases = [
            ("shell", "shell", true),
            ("shell", "shells", false),
            ("write_*", "write_file", true),
            ("write_*", "write_", true),
            ("write_*", "rewrite_file", false),
            ("*delete*", "undelete_all", true),
            ("*a*b*c", "xaybzbc", true),
            ("*a*b*c", "xaybzbd", false),
            ("tool-?", "tool-1", true),
            ("tool-?", "tool-12", false),
            ("?é", "éé", true),
            ("*", "", true),
            ("", "x", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(
                Glob(pattern.into()).matches(name),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn many_stars_take_no_long_time() {
        let pattern = Glob("*a".repeat(50) + "b");
        assert!(!pattern.matches(&"a".repeat(2_000)));
    }
}
