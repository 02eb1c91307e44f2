//! The text of a message in one line.

/// The characters that end a line. Some programs end one at `\r` alone.
const BREAKS: [char; 2] = ['\n', '\r'];

/// The text of a message that is sent. It has no line break: on standard streams each line is a message, and what follows a
/// line break would be another, which no hook has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OneLine(String);

impl OneLine {
    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for OneLine {
    /// Line breaks become spaces. In JSON they are only between values: strings have them as escapes.
    fn from(text: String) -> Self {
        match text.contains(BREAKS) {
            true => Self(text.replace(BREAKS, " ")),
            false => Self(text),
        }
    }
}

impl From<OneLine> for String {
    fn from(line: OneLine) -> Self {
        line.0
    }
}
