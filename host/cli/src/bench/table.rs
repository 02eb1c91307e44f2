//! What was measured, for people.

use std::io::Write as _;
use std::time::Duration;

use comfy_table::{Attribute, Cell, CellAlignment};
use portcullis_workbench::bench::Measured;

use crate::terminal::style::{BOLD, DIM};
use crate::terminal::table::table;
use crate::terminal::units;

/// One hook as a list, several as a table.
pub(super) fn write(rows: &[Measured]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    match rows {
        [row] => write!(out, "{}", one(row))?,
        rows => writeln!(out, "{}", several(rows))?,
    }
    Ok(())
}

fn one(row: &Measured) -> String {
    let fuel = row.fuel.map_or_else(|| "not counted".into(), units::count);
    let memory = row
        .instance_bytes
        .map_or_else(|| "not known here".into(), units::bytes);
    let ratio = format!("{:.1} × a native hook's", row.against_native);
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
    let mut text = format!(
        "{BOLD}{}{BOLD:#} {DIM}at {}, {}: {}{DIM:#}\n\n",
        row.hook, row.point, row.called_with, row.outcome
    );
    for (what, value, note) in lines {
        text.push_str(&format!("  {what:<16}{value:>12}  {DIM}{note}{DIM:#}\n"));
    }
    text
}

fn several(rows: &[Measured]) -> String {
    let mut table = table(&[
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
        let number = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        table.add_row([
            Cell::new(portcullis::sanitize_for_terminal(&name)).add_attribute(Attribute::Bold),
            number(units::bytes(row.bytes)),
            number(time(row.cold_ns)),
            number(time(row.cached_ns)),
            number(time(row.first_ns)),
            number(time(row.warm_p50_ns)),
            number(time(row.warm_p99_ns)),
            number(format!("{:.1}", row.against_native)),
            number(row.fuel.map_or_else(|| "-".into(), units::short)),
            number(row.instance_bytes.map_or_else(|| "-".into(), units::bytes)),
        ]);
    }
    table.trim_fmt()
}

/// A time in nanoseconds, which may be less than a microsecond.
fn time(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..10_000 => format!("{:.1} µs", nanos as f64 / 1e3),
        _ => units::time(Duration::from_nanos(nanos)),
    }
}
