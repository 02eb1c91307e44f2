//! The measurements as a table.

use std::time::Duration;

use portcullis_workbench::bench::Measured;

use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable};
use crate::terminal::{text, units};

/// Writes one hook as a list, several as a table.
pub(super) fn write(rows: &[Measured]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    match rows {
        [row] => print_line!(out, "{}", one(row))?,
        rows => print_line!(out, "{}", several(rows))?,
    }
    for row in rows.iter().filter(|row| row.first_outcome != row.outcome) {
        print_line!(
            out,
            "{NOTE}note{NOTE:#}: the warm calls of `{}` are of one session and share its state: the first has the outcome \
             `{}`, the last `{}`",
            row.hook,
            row.first_outcome,
            row.outcome
        )?;
    }
    Ok(())
}

fn one(row: &Measured) -> Printable {
    let fuel = row.fuel.map_or_else(|| "not counted".into(), units::count);
    let memory = row
        .instance_bytes
        .map_or_else(|| "not known here".into(), units::bytes);
    let ratio = printable!("{:.1} × a native hook's", row.against_native);
    let lines = [
        ("size", units::bytes(row.bytes), "the component"),
        ("cold start", time(row.cold_ns), "compiles the component"),
        ("cached start", time(row.cached_ns), "uses the cache"),
        (
            "first call",
            time(row.first_ns),
            "of a session, with a new instance",
        ),
        (
            "instantiate",
            time(row.instantiate_ns),
            "the part of that for the instance",
        ),
        ("warm call, p50", time(row.warm_p50_ns), ratio.as_str()),
        ("warm call, p99", time(row.warm_p99_ns), ""),
        ("native hook", time(row.native_p50_ns), "in an equal chain"),
        ("fuel", fuel, "of a warm call"),
        ("memory", memory, "of a warm instance"),
    ];
    let title = printable!(
        "{BOLD}{}{BOLD:#} {DIM}at {}, {}: {}{DIM:#}\n",
        row.hook,
        row.point,
        row.called_with,
        row.outcome
    );
    let lines = lines.into_iter().map(|(what, value, note)| {
        let (what, value) = (text::pad(what, 16), text::pad_left(value, 12));
        printable!("  {}{}  {DIM}{}{DIM:#}", what, value, note)
    });
    Printable::join(std::iter::once(title).chain(lines), "\n")
}

fn several(rows: &[Measured]) -> Printable {
    let mut table = Table::new(&[
        "component",
        "size",
        "cold",
        "cached",
        "first call",
        "warm call",
        "p99",
        "× native",
        "fuel",
        "memory",
    ]);
    for row in rows {
        let name = row
            .component
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let number = |text: Printable| Cell::right(text);
        table.row([
            Cell::new(Printable::line(&name)).bold(),
            number(units::bytes(row.bytes)),
            number(time(row.cold_ns)),
            number(time(row.cached_ns)),
            number(time(row.first_ns)),
            number(time(row.warm_p50_ns)),
            number(time(row.warm_p99_ns)),
            number(printable!("{:.1}", row.against_native)),
            number(row.fuel.map_or_else(|| "-".into(), units::short)),
            number(row.instance_bytes.map_or_else(|| "-".into(), units::bytes)),
        ]);
    }
    table.shown()
}

/// Returns a time in nanoseconds, which may be less than a microsecond.
fn time(nanos: u64) -> Printable {
    match nanos {
        0..1_000 => printable!("{} ns", nanos),
        1_000..10_000 => printable!("{:.1} µs", nanos as f64 / 1e3),
        _ => units::time(Duration::from_nanos(nanos)),
    }
}
