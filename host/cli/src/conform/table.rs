//! A report for people.

use std::io::Write as _;
use std::time::Duration;

use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint};
use portcullis_workbench::conform::{ConformReport, Consequence, PointReport, Provoked};

use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE};
use crate::terminal::table::table;
use crate::terminal::units;

/// Writes the report of a component.
pub(super) fn write(report: &ConformReport) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    let limits = &report.limits;
    let fuel = limits.fuel.map_or_else(
        || "uncounted fuel".into(),
        |n| format!("{} fuel", units::short(n)),
    );
    writeln!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}{}, with {fuel}, {} ms and {} a call{DIM:#}\n{}",
        report.hook,
        format!("{:?}", report.role).to_lowercase(),
        limits.deadline_ms,
        units::bytes(limits.memory_bytes as u64),
        listed(report)
    )?;
    for (consequence, points) in policies(report) {
        writeln!(
            out,
            "  {DIM}a trap, a reached limit or a forbidden answer{DIM:#} {} {DIM}({points}){DIM:#}",
            consequence.words()
        )?;
    }
    for point in &report.points {
        for note in &point.notes {
            let note = portcullis::sanitize_for_terminal(note);
            writeln!(out, "  {NOTE}note{NOTE:#} {}: {note}", point.point)?;
        }
        for fault in &point.faults {
            let fault = portcullis::sanitize_for_terminal(fault);
            writeln!(out, "  {ERROR}✗{ERROR:#} {}: {fault}", point.point)?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Writes how many hooks conform.
pub(super) fn write_sum(reports: &[ConformReport]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    let wrong: Vec<&str> = reports
        .iter()
        .filter(|report| !report.conforms())
        .map(|report| report.hook.as_str())
        .collect();
    let all = units::plural(reports.len(), "hook");
    match wrong.is_empty() {
        true => writeln!(out, "{GOOD}✓{GOOD:#} {BOLD}{all}{BOLD:#} without errors")?,
        false => writeln!(
            out,
            "{ERROR}{} of {all} with errors{ERROR:#}: {}",
            wrong.len(),
            wrong.join(", ")
        )?,
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

fn listed(report: &ConformReport) -> String {
    let mut table = table(&[
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
            true => Cell::new("✓").fg(Color::Green),
            false => Cell::new("✗").fg(Color::Red),
        };
        let slowest = point
            .tried
            .iter()
            .map(|tried| tried.micros)
            .max()
            .unwrap_or_default();
        let fuel = point.tried.iter().filter_map(|tried| tried.fuel).max();
        let number = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let slowest = Duration::from_micros(u64::try_from(slowest).unwrap_or(u64::MAX));
        table.add_row([
            mark,
            Cell::new(point.point.name()).add_attribute(Attribute::Bold),
            number(point.tried.len().to_string()),
            Cell::new(answers(point)),
            number(units::time(slowest)),
            number(fuel.map_or_else(|| "-".into(), units::short)),
            Cell::new(provoked(point, "fuel")),
            Cell::new(provoked(point, "deadline-ms")),
            Cell::new(provoked(point, "memory-bytes")),
        ]);
    }
    for column in table.column_iter_mut().take(2) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}

fn answers(point: &PointReport) -> String {
    let answers = point.answers();
    let answers = answers
        .iter()
        .map(|(name, times)| format!("{name} {times}"));
    answers.collect::<Vec<_>>().join(", ")
}

/// The result of a limit that was made too small.
fn provoked(point: &PointReport, limit: &str) -> String {
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
