//! Claude Code's matchers.

use regex::Regex;

/// The condition under which a hook runs: a tool's name, or the other text that an event is matched
/// by.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// Everything.
    All,
    /// These names.
    Names(Vec<String>),
    /// A regular expression that matches anywhere in the text.
    Pattern(Regex),
}

impl Matcher {
    /// Reads a matcher as Claude Code does: nothing and `*` are all, words with `|` or `,` between them are names, and anything
    /// else is a regular expression.
    ///
    /// # Errors
    ///
    /// It is a regular expression that is wrong, or that has what is only known to JavaScript.
    pub fn read(text: &str) -> Result<Self, BadMatcher> {
        if matches!(text, "" | "*") {
            return Ok(Self::All);
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_- ,|".contains(c);
        if text.chars().all(is_plain) {
            let names = text.split(['|', ',']).map(str::trim);
            let names = names.filter(|name| !name.is_empty());
            return Ok(Self::Names(names.map(str::to_owned).collect()));
        }
        let pattern = Regex::new(text).map_err(|error| BadMatcher {
            matcher: portcullis::text::sanitize_for_terminal(text),
            problem: portcullis::text::sanitize_for_terminal(&error.to_string()),
        })?;
        Ok(Self::Pattern(pattern))
    }

    /// Whether it matches.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|name| name == text),
            Self::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

/// A matcher that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the matcher `{matcher}` cannot be used: {problem}")]
pub struct BadMatcher {
    matcher: String,
    problem: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchers_are_read_as_claude_code_reads_them() {
        for (matcher, matches, other) in [
            ("", "Bash", None),
            ("*", "Bash", None),
            ("Bash", "Bash", Some("BashOutput")),
            ("Edit|Write", "Write", Some("MultiEdit")),
            ("Edit, Write", "Edit", Some("Writer")),
            ("mcp__.*", "mcp__files__read", Some("Read")),
            ("Notebook.*", "ANotebookEdit", Some("Read")),
            ("^Bash$", "Bash", Some("BashOutput")),
        ] {
            let read = Matcher::read(matcher).unwrap();
            assert!(read.matches(matches), "{matcher}");
            assert!(other.is_none_or(|other| !read.matches(other)), "{matcher}");
        }
        assert!(Matcher::read("^(?!Bash)").is_err());
    }
}
