//! The table for people.

use std::io::Write as _;
use std::time::Duration;

use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint};
use portcullis_attack::Row;

use crate::terminal::style::{BOLD, DIM, ERROR, GOOD};
use crate::terminal::table::table;
use crate::terminal::units;

/// Writes the rows by group, and then the faults.
pub(super) fn write(rows: &[Row]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    for group in rows.chunk_by(|a, b| a.category == b.category) {
        let name = group.first().map_or("", |row| row.category.as_str());
        writeln!(out, "{BOLD}{name}{BOLD:#}\n{}\n", listed(group))?;
    }
    let wrong: Vec<&Row> = rows.iter().filter(|row| !row.ok).collect();
    for row in &wrong {
        writeln!(
            out,
            "{ERROR}✗{ERROR:#} {BOLD}{}{BOLD:#} {DIM}{}{DIM:#}",
            row.name, row.what
        )?;
        for fault in &row.faults {
            writeln!(out, "    {}", portcullis::sanitize_for_terminal(fault))?;
        }
    }
    let attacks = units::plural(rows.len(), "attack");
    match wrong.len() {
        0 => writeln!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{attacks}{BOLD:#}, all as expected"
        )?,
        n => writeln!(
            out,
            "{ERROR}{n} of {attacks} did not end as expected{ERROR:#}"
        )?,
    }
    Ok(())
}

fn listed(rows: &[Row]) -> String {
    let mut table = table(&["", "attack", "expected", "got", "cause", "time", "memory"]);
    for row in rows {
        let mark = match row.ok {
            true => Cell::new("✓").fg(Color::Green),
            false => Cell::new("✗").fg(Color::Red),
        };
        let memory = row.memory.map_or_else(|| "-".to_owned(), units::bytes);
        table.add_row([
            mark,
            Cell::new(&row.name).add_attribute(Attribute::Bold),
            Cell::new(row.expected.name()),
            Cell::new(&row.got),
            Cell::new(row.cause.as_deref().unwrap_or("-")),
            Cell::new(units::time(Duration::from_micros(row.micros)))
                .set_alignment(CellAlignment::Right),
            Cell::new(memory).set_alignment(CellAlignment::Right),
        ]);
    }
    for column in table.column_iter_mut().take(2) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}
