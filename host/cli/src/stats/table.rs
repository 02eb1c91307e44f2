//! Statistics as a table.

use std::time::Duration;

use portcullis_store::{HookStats, RunStats, Spread};

use super::spark::{self, Scale};
use crate::terminal::format::printable;
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Printable, units, width};

/// The fewest columns of a terminal for the whole table.
const WIDE: usize = 130;

/// Returns a line for each hook, and for each of its points if `with_points`. The causes of
/// failures are below the table.
pub(super) fn shown(hooks: &[HookStats], with_points: bool) -> Printable {
    let is_wide = width() >= WIDE;
    let scale = Scale::of(
        hooks
            .iter()
            .filter_map(|hook| hook.total.latency_us.as_ref()),
    );
    let mut table = match is_wide {
        true => Table::new(&[
            "hook",
            "calls",
            "refused",
            "audited",
            "failed",
            "skipped",
            "p50",
            "p95",
            "p99",
            "latency",
            "fuel p50",
            "fuel p99",
            "memory p99",
        ]),
        false => Table::new(&[
            "hook", "calls", "refused", "failed", "p50", "p95", "p99", "fuel", "memory",
        ]),
    };
    let mut line = |name: Cell, stats: &RunStats| match is_wide {
        true => wide(&mut table, name, stats, &scale),
        false => narrow(&mut table, name, stats),
    };
    for hook in hooks {
        line(Cell::new(&hook.hook).bold(), &hook.total);
        let points = hook.points.iter().filter(|_| with_points);
        for (point, stats) in points {
            line(Cell::new(printable!("  {}", point)), stats);
        }
    }
    let failures = hooks
        .iter()
        .filter_map(|hook| failures(&hook.hook, &hook.total));
    let failures = Printable::join(failures, "\n");
    match failures.as_str().is_empty() {
        true => table.shown(),
        false => printable!("{}\n\n{}", table.shown(), failures),
    }
}

fn wide(table: &mut Table, name: Cell, stats: &RunStats, scale: &Scale) {
    let latency = &stats.latency_us;
    let audited = stats.audited.get("reject").copied().unwrap_or_default();
    let line = latency.as_ref().map(|it| spark::line(it, scale));
    table.row([
        name,
        Cell::right(units::short(stats.calls)),
        Cell::right(units::short(stats.outcome("reject"))),
        Cell::right(units::short(audited)),
        not_run(stats),
        Cell::right(units::short(stats.skipped)),
        of(latency, |it| it.p50, micros),
        of(latency, |it| it.p95, micros),
        of(latency, |it| it.p99, micros),
        Cell::new(line.unwrap_or_default()),
        of(&stats.fuel, |it| it.p50, units::short),
        of(&stats.fuel, |it| it.p99, units::short),
        of(&stats.memory, |it| it.p99, units::bytes),
    ]);
}

fn narrow(table: &mut Table, name: Cell, stats: &RunStats) {
    let latency = &stats.latency_us;
    table.row([
        name,
        Cell::right(units::short(stats.calls)),
        Cell::right(units::short(stats.outcome("reject"))),
        not_run(stats),
        of(latency, |it| it.p50, micros),
        of(latency, |it| it.p95, micros),
        of(latency, |it| it.p99, micros),
        of(&stats.fuel, |it| it.p99, units::short),
        of(&stats.memory, |it| it.p99, units::bytes),
    ]);
}

fn not_run(stats: &RunStats) -> Cell {
    match stats.not_run() {
        0 => Cell::right("0"),
        n => Cell::right(units::short(n)).bad(),
    }
}

fn of(spread: &Option<Spread>, value: fn(&Spread) -> u64, shown: fn(u64) -> Printable) -> Cell {
    Cell::right(
        spread
            .as_ref()
            .map(|it| shown(value(it)))
            .unwrap_or_default(),
    )
}

/// Describes a hook's failures, if there are any.
fn failures(hook: &str, stats: &RunStats) -> Option<Printable> {
    let causes = stats.failures.iter();
    let causes: Vec<String> = causes.map(|(cause, n)| format!("{cause} {n}")).collect();
    let refused = match stats.fatal {
        0 => Printable::default(),
        n => printable!("; the operation was refused for {}", units::count(n)),
    };
    let causes = Printable::line(causes.join(", "));
    (stats.failed() > 0)
        .then(|| printable!("{} failed: {}{}", Printable::line(hook), causes, refused))
}

pub(super) fn micros(us: u64) -> Printable {
    units::time(Duration::from_micros(us))
}
