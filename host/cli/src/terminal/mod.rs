//! Writing for people: colours, widths, tables, units, progress; and for machines: JSON.

pub mod interrupts;
pub mod json;
pub mod line;
pub mod progress;
pub mod style;
pub mod table;
pub mod text;
pub mod tree;
pub mod units;

/// The width of the standard output in columns; 100 where it is no terminal.
pub fn width() -> usize {
    const DEFAULT: u16 = 100;
    terminal_size::terminal_size_of(std::io::stdout())
        .map_or(DEFAULT, |(width, _)| width.0)
        .clamp(60, 140)
        .into()
}
