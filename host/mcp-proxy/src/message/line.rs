//! The text of a message, as one line.

/// The characters that end a line. For some programs `\r` alone ends a line.
const BREAKS: [char; 2] = ['\n', '\r'];

/// The text of a message to send. It has no line break: on standard streams each line is a message,
/// and the text after a line break would be a message that no hook has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OneLine(String);

impl OneLine {
    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for OneLine {
    /// Replaces line breaks by spaces. In JSON they occur only between values: strings escape them.
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
