//! Tables: columns without lines, as wide as the terminal at most.

use std::io::{self, IsTerminal as _};

use comfy_table::{Attribute, CellAlignment, Color, ColumnConstraint, ContentArrangement, presets};

use super::printable::Printable;

/// A table of printable text.
pub struct Table(comfy_table::Table);

/// A cell of a table.
pub struct Cell(comfy_table::Cell);

impl Table {
    /// Creates an empty table with these columns.
    pub fn new(columns: &[&'static str]) -> Self {
        // A program reads whole lines, in which no id is broken.
        let arrangement = match io::stdout().is_terminal() {
            true => ContentArrangement::Dynamic,
            false => ContentArrangement::Disabled,
        };
        let mut table = comfy_table::Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(arrangement)
            .set_width(u16::try_from(super::width()).unwrap_or(u16::MAX))
            // `anstream` removes the colours where the output is not a terminal.
            .force_no_tty()
            .enforce_styling()
            .set_header(columns.iter().map(|name| name.to_uppercase()));
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        Self(table)
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        self.0.add_row(cells.map(|cell| cell.0));
    }

    /// Makes these columns as wide as their content.
    pub fn fit(&mut self, columns: &[usize]) {
        for index in columns {
            if let Some(column) = self.0.column_mut(*index) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }

    /// Returns the table as text.
    pub fn shown(&self) -> Printable {
        Printable(self.0.trim_fmt())
    }
}

impl Cell {
    /// Creates a cell with this text.
    pub fn new(text: impl Into<Printable>) -> Self {
        Self(comfy_table::Cell::new(text.into().as_str()))
    }

    /// Creates a cell with this text aligned to the right.
    pub fn right(text: impl Into<Printable>) -> Self {
        Self(Self::new(text).0.set_alignment(CellAlignment::Right))
    }

    /// Returns the cell in bold.
    pub fn bold(self) -> Self {
        Self(self.0.add_attribute(Attribute::Bold))
    }

    /// Returns the cell in the colour of success.
    pub fn good(self) -> Self {
        Self(self.0.fg(Color::Green))
    }

    /// Returns the cell in the colour of a warning.
    pub fn note(self) -> Self {
        Self(self.0.fg(Color::Yellow))
    }

    /// Returns the cell in the colour of an error.
    pub fn bad(self) -> Self {
        Self(self.0.fg(Color::Red))
    }
}
