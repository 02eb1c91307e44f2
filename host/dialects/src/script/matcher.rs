//! Claude Code's matchers.

use regex::Regex;

/// The condition under which a hook runs: a tool's name, or the other text that an event is matched
/// by.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// Matches every text.
    All,
    /// Matches these names.
    Names(Vec<String>),
    /// A regular expression that matches anywhere in the text.
    Pattern(Regex),
}

impl Matcher {
    /// Reads a matcher as Claude Code does. An empty text and `*` match everything, words with `|` or `,` between them
    /// are names, and anything else is a regular expression.
    ///
    /// # Errors
    ///
    /// The regular expression is invalid, or uses syntax that only JavaScript has.
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
            problem: portcullis::text::sanitize_for_terminal(cause(&error.to_string())),
        })?;
        Ok(Self::Pattern(pattern))
    }

    /// Returns whether the matcher matches a text.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|name| name == text),
            Self::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

/// Returns the last line of an error of a regular expression. The lines before it draw the expression.
fn cause(error: &str) -> &str {
    let line = error.lines().next_back().unwrap_or(error);
    line.strip_prefix("error: ").unwrap_or(line)
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
        let error = Matcher::read("^(?!Bash)").unwrap_err().to_string();
        assert_eq!(
            error,
            "the matcher `^(?!Bash)` cannot be used: look-around, including look-ahead and look-behind, is not supported"
        );
    }
}
