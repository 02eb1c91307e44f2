//! A log line while it is built.

use std::fmt::Arguments;

use super::Level;
use crate::imports::logging;

/// The line that the macros of [`log`](super) write to.
#[derive(Debug, Default)]
pub struct Line {
    message: String,
    fields: String,
}

impl Line {
    /// Sets the message.
    pub fn message(&mut self, message: Arguments<'_>) {
        self.message = message.to_string();
    }

    /// Adds a field.
    pub fn field(&mut self, name: &str, value: Arguments<'_>) {
        let value = value.to_string();
        let field = if is_plain(&value) {
            format!(" {name}={value}")
        } else {
            format!(" {name}={value:?}")
        };
        self.fields.push_str(&field);
    }

    /// Sends the line to the host.
    pub fn emit(self, level: Level, context: &str) {
        logging::log(level, context, &self.text());
    }

    fn text(&self) -> String {
        let Self { message, fields } = self;
        format!("{message}{fields}").trim_start().to_owned()
    }
}

/// Returns whether a value can be read back as one value without quotes.
fn is_plain(value: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-_.:/@+%*".contains(c);
    !value.is_empty() && value.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::Line;

    macro_rules! text {
        ($($line:tt)+) => {{
            let mut line = Line::default();
            $crate::__line!(line, $($line)+);
            line.text()
        }};
    }

    #[test]
    fn the_message_stands_first() {
        let (x, tool) = (2, "shell");
        assert_eq!(text!("blocked {x}"), "blocked 2");
        assert_eq!(
            text!(count = 3, tool = %tool, "blocked {}", x),
            "blocked 2 count=3 tool=shell"
        );
        assert_eq!(
            text!(count = x + 1, tool, "blocked"),
            "blocked count=3 tool=shell"
        );
        assert_eq!(text!(count = 3), "count=3");
    }

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let words = ["a"];
        assert_eq!(text!(path = "/a/b.rs"), "path=/a/b.rs");
        assert_eq!(text!(command = "rm -rf"), r#"command="rm -rf""#);
        assert_eq!(
            text!(forged = "x\nlevel=error"),
            r#"forged="x\nlevel=error""#
        );
        assert_eq!(text!(empty = "", ?words), r#"empty="" words="[\"a\"]""#);
    }
}
