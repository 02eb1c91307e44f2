//! The few colours that are used. They are the terminal's own, so that they fit its background.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};

/// What matters less.
pub const DIM: Style = Style::new().dimmed();
/// What matters more.
pub const BOLD: Style = Style::new().bold();
/// What went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What was refused.
pub const REFUSED: Style = AnsiColor::Red.on_default();
/// What went wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What a person should look at.
pub const NOTE: Style = AnsiColor::Yellow.on_default();
/// What was changed.
pub const CHANGED: Style = AnsiColor::Cyan.on_default();
/// What was put in place of something.
pub const REPLACED: Style = AnsiColor::Magenta.on_default();

/// A text in a style.
pub fn paint<T: Display>(style: Style, text: T) -> impl Display {
    struct Painted<T>(Style, T);

    impl<T: Display> Display for Painted<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}{}{:#}", self.0, self.1, self.0)
        }
    }

    Painted(style, text)
}
