//! The table for people.

use std::time::Duration;

use portcullis_attack::Row;

use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD};
use crate::terminal::table::{Cell, Table};
use crate::terminal::units;
use crate::terminal::{Out, Printable};

/// Writes the rows by group, and then the faults.
pub(super) fn write(rows: &[Row]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(out, "{}\n", listed(rows))?;
    let wrong: Vec<&Row> = rows.iter().filter(|row| !row.ok).collect();
    for row in &wrong {
        print_line!(
            out,
            "{ERROR}✗{ERROR:#} {BOLD}{}{BOLD:#} {DIM}{}{DIM:#}",
            row.name,
            row.what
        )?;
        for fault in &row.faults {
            print_line!(out, "    {}", Printable::line(fault))?;
        }
    }
    let attacks = units::plural(rows.len(), "attack");
    match wrong.len() {
        0 => print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#}, all as expected",
            attacks
        )?,
        n => print_line!(
            out,
            "{ERROR}{} of {} did not end as expected{ERROR:#}",
            n,
            attacks
        )?,
    }
    Ok(())
}

fn listed(rows: &[Row]) -> Printable {
    let mut table = Table::new(&["", "attack", "expected", "got", "cause", "time", "memory"]);
    let mut group = None;
    for row in rows {
        // The groups share the table, so that their columns have the same widths.
        if group != Some(&row.category) {
            group = Some(&row.category);
            let name = Cell::new(row.category.as_str()).bold();
            let empty = || Cell::new("");
            table.row([empty(), name, empty(), empty(), empty(), empty(), empty()]);
        }
        let mark = match row.ok {
            true => Cell::new("✓").good(),
            false => Cell::new("✗").bad(),
        };
        let memory = row.memory.map_or_else(|| "-".into(), units::bytes);
        table.row([
            mark,
            Cell::new(printable!("  {}", row.name)),
            Cell::new(row.expected.name()),
            Cell::new(&row.got),
            Cell::new(row.cause.as_deref().unwrap_or("-")),
            Cell::right(units::time(Duration::from_micros(row.micros))),
            Cell::right(memory),
        ]);
    }
    table.fit(&[0, 1]);
    table.shown()
}
