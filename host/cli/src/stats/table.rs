//! Statistics as a table.

use std::time::Duration;

use portcullis_store::{HookStats, RunStats, Spread};

use super::spark::{self, Scale};
use crate::terminal::format::printable;
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Printable, units};

/// A line for each hook, and for each of its points if `with_points`. Below the table stands why hooks failed.
pub(super) fn shown(hooks: &[HookStats], with_points: bool) -> Printable {
    let scale = Scale::of(
        hooks
            .iter()
            .filter_map(|hook| hook.total.latency_us.as_ref()),
    );
    let mut table = Table::new(&[
        "hook",
        "calls",
        "refused",
        "not run",
        "skipped",
        "p50",
        "p95",
        "p99",
        "latency",
        "fuel p50",
        "p99",
        "memory p99",
    ]);
    for hook in hooks {
        line(
            &mut table,
            Cell::new(&hook.hook).bold(),
            &hook.total,
            &scale,
        );
        let points = hook.points.iter().filter(|_| with_points);
        for (point, stats) in points {
            line(
                &mut table,
                Cell::new(printable!("  {}", point)),
                stats,
                &scale,
            );
        }
    }
    table.fit(&[0, 8]);
    let failures = hooks
        .iter()
        .filter_map(|hook| failures(&hook.hook, &hook.total));
    let failures = Printable::join(failures, "\n");
    match failures.as_str().is_empty() {
        true => table.shown(),
        false => printable!("{}\n\n{}", table.shown(), failures),
    }
}

fn line(table: &mut Table, name: Cell, stats: &RunStats, scale: &Scale) {
    let number = |n: u64| Cell::right(units::count(n));
    let some = |n: u64| match n {
        0 => Cell::right("0"),
        n => Cell::right(units::count(n)).bad(),
    };
    let of = |spread: &Option<Spread>, value: fn(&Spread) -> u64, shown: fn(u64) -> Printable| {
        Cell::right(
            spread
                .as_ref()
                .map(|it| shown(value(it)))
                .unwrap_or_default(),
        )
    };
    let latency = &stats.latency_us;
    let would = stats.audited.get("reject").copied().unwrap_or_default();
    let refused = match (stats.outcome("reject"), would) {
        (refused, 0) => units::count(refused),
        (refused, would) => printable!(
            "{} ({} audited)",
            units::count(refused),
            units::count(would)
        ),
    };
    table.row([
        name,
        number(stats.calls),
        Cell::right(refused),
        some(stats.not_run()),
        number(stats.skipped),
        of(latency, |it| it.p50, micros),
        of(latency, |it| it.p95, micros),
        of(latency, |it| it.p99, micros),
        Cell::new(
            latency
                .as_ref()
                .map(|it| spark::line(it, scale))
                .unwrap_or_default(),
        ),
        of(&stats.fuel, |it| it.p50, units::short),
        of(&stats.fuel, |it| it.p99, units::short),
        of(&stats.memory, |it| it.p99, units::bytes),
    ]);
}

/// Why a hook failed, if it did.
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
