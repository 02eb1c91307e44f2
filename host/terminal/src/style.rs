//! The colours in use. They are from the terminal's own palette, so that they suit its background.

use anstyle::{AnsiColor, Style};

use super::format::{Shown, printable};
use super::printable::Printable;

/// Less important text.
pub const DIM: Style = Style::new().dimmed();
/// More important text.
pub const BOLD: Style = Style::new().bold();
/// Success.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// A refusal.
pub const REFUSED: Style = AnsiColor::Red.on_default();
/// An error.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A warning.
pub const NOTE: Style = AnsiColor::Yellow.on_default();
/// A change.
pub const CHANGED: Style = AnsiColor::Cyan.on_default();
/// A replacement.
pub const REPLACED: Style = AnsiColor::Magenta.on_default();

/// Returns a text in a style.
pub fn paint(style: Style, text: impl Shown) -> Printable {
    printable!("{}{}{:#}", style, text, style)
}
