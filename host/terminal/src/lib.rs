//! Writing for people: colours, widths, tables, units, progress; and for machines: JSON.
//!
//! Only this crate writes to the standard output and the standard error, and it takes only
//! [`Printable`] text: text of a hook or a model that was not made printable does not compile into output.

pub mod above;
pub mod activity;
mod agree;
pub mod approval;
pub mod compiler;
pub mod failure;
pub mod format;
pub mod input;
pub mod json;
pub mod line;
pub mod load;
pub mod logging;
pub mod modes;
mod open_line;
pub mod output;
pub mod printable;
pub mod progress;
pub mod runtime;
pub mod signals;
pub mod style;
pub mod table;
pub mod text;
pub mod tree;
pub mod units;

use std::io::{self, IsTerminal as _};

pub use agree::agrees;
pub use output::Out;
pub use printable::Printable;

/// Returns the width of the standard output in columns; 100 if it is not a terminal.
pub fn width() -> usize {
    columns(terminal_size::terminal_size_of(io::stdout())).clamp(60, 140)
}

/// Returns the width of the standard error, where questions are asked; 100 if it is not a terminal.
pub fn question_width() -> usize {
    columns(terminal_size::terminal_size_of(io::stderr())).clamp(20, 140)
}

/// Returns whether a person can be asked about the text on standard output: the person sees it.
pub fn shows_output() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    const DEFAULT: u16 = 100;
    size.map_or(DEFAULT, |(width, _)| width.0).into()
}
