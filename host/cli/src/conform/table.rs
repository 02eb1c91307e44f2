//! A report for people.

use std::time::Duration;

use portcullis_workbench::conform::{ConformReport, Consequence, PointReport, Provoked};

use crate::hooks::role;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::units;
use crate::terminal::{Out, Printable};

/// Writes the report of a component.
pub(super) fn write(report: &ConformReport) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let limits = &report.limits;
    let fuel = limits.fuel.map_or_else(
        || "uncounted fuel".into(),
        |n| printable!("{} fuel", units::short(n)),
    );
    print_line!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}{}, with {}, {} ms and {} a call{DIM:#}\n{}",
        report.hook,
        role(report.role),
        fuel,
        limits.deadline.as_millis() as u64,
        units::bytes(limits.memory_bytes as u64),
        listed(report)
    )?;
    for (consequence, points) in policies(report) {
        print_line!(
            out,
            "  {DIM}a trap, a reached limit or a forbidden answer{DIM:#} {} {DIM}({}){DIM:#}",
            consequence.words(),
            points
        )?;
    }
    for point in &report.points {
        for note in &point.notes {
            let note = Printable::line(note);
            print_line!(out, "  {NOTE}note{NOTE:#} {}: {}", point.point, note)?;
        }
        for fault in &point.faults {
            let fault = Printable::line(fault);
            print_line!(out, "  {ERROR}✗{ERROR:#} {}: {}", point.point, fault)?;
        }
    }
    print_line!(out)?;
    Ok(())
}

/// Writes how many hooks conform.
pub(super) fn write_sum(reports: &[ConformReport], unloaded: usize) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let wrong: Vec<&str> = reports
        .iter()
        .filter(|report| !report.conforms())
        .map(|report| report.hook.as_str())
        .collect();
    let all = units::plural(reports.len(), "hook");
    match wrong.is_empty() {
        true if reports.is_empty() => {}
        true => print_line!(out, "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} without errors", all)?,
        false => print_line!(
            out,
            "{ERROR}{} of {} with errors{ERROR:#}: {}",
            wrong.len(),
            all,
            wrong.join(", ")
        )?,
    }
    if unloaded > 0 {
        let files = units::plural(unloaded, "component");
        print_line!(
            out,
            "{ERROR}not tried{ERROR:#}: {} that cannot be loaded",
            files
        )?;
    }
    Ok(())
}

/// What failures mean, and where.
fn policies(report: &ConformReport) -> Vec<(Consequence, String)> {
    let mut found: Vec<(Consequence, String)> = Vec::new();
    for point in &report.points {
        let name = point.point.name();
        match found
            .iter_mut()
            .find(|(known, _)| *known == point.on_failure)
        {
            Some((_, points)) => {
                points.push_str(", ");
                points.push_str(name);
            }
            None => found.push((point.on_failure, name.to_owned())),
        }
    }
    found
}

fn listed(report: &ConformReport) -> Printable {
    let mut table = Table::new(&[
        "",
        "point",
        "inputs",
        "answers",
        "slowest",
        "most fuel",
        "no fuel",
        "no time",
        "no memory",
    ]);
    for point in &report.points {
        let mark = match point.faults.is_empty() {
            true => Cell::new("✓").good(),
            false => Cell::new("✗").bad(),
        };
        let slowest = point
            .tried
            .iter()
            .map(|tried| tried.micros)
            .max()
            .unwrap_or_default();
        let fuel = point.tried.iter().filter_map(|tried| tried.fuel).max();
        let number = |text: Printable| Cell::right(text);
        let slowest = Duration::from_micros(u64::try_from(slowest).unwrap_or(u64::MAX));
        table.row([
            mark,
            Cell::new(point.point.name()).bold(),
            number(printable!("{}", point.tried.len())),
            Cell::new(answers(point)),
            number(units::time(slowest)),
            number(fuel.map_or_else(|| "-".into(), units::short)),
            Cell::new(provoked(point, "fuel")),
            Cell::new(provoked(point, "deadline-ms")),
            Cell::new(provoked(point, "memory-bytes")),
        ]);
    }
    table.fit(&[0, 1]);
    table.shown()
}

fn answers(point: &PointReport) -> Printable {
    let answers = point.answers();
    let answers = answers
        .iter()
        .map(|(name, times)| printable!("{} {}", name, times));
    Printable::join(answers, ", ")
}

/// The result of a limit that was made too small.
fn provoked(point: &PointReport, limit: &str) -> Printable {
    let found = point
        .provoked
        .iter()
        .find(|provoked| provoked.limit == limit);
    match found {
        None => "-".into(),
        Some(Provoked { cause: None, .. }) => "too fast".into(),
        Some(Provoked {
            continues: Some(true),
            ..
        }) => "continues".into(),
        Some(_) if point.on_failure == Consequence::Fails => "fails".into(),
        Some(_) => "refused".into(),
    }
}
