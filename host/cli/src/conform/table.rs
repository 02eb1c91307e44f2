//! A report for people.

use std::collections::BTreeMap;
use std::time::Duration;

use portcullis::points::AnswerKind;
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
    write_not_reached(&mut out, report)?;
    print_line!(out)?;
    Ok(())
}

/// Writes which answers no input led to, and how they are tried.
fn write_not_reached(out: &mut Out, report: &ConformReport) -> anyhow::Result<()> {
    let mut points: BTreeMap<AnswerKind, Vec<&str>> = BTreeMap::new();
    let mut first = None;
    for point in &report.points {
        for kind in &point.not_reached {
            first.get_or_insert((point.point, *kind));
            points.entry(*kind).or_default().push(point.point.name());
        }
    }
    let Some((point, kind)) = first else {
        return Ok(());
    };
    for (kind, points) in &points {
        let line = printable!(
            "no input led to `{}` at {}, so it was not tried",
            kind.name(),
            points.join(", ")
        );
        print_line!(out, "  {NOTE}not reached{NOTE:#} {}", line)?;
    }
    print_line!(
        out,
        "  {DIM}A case tries it: a file such as tests/{}.toml with `point = \"{}\"`, the input that leads to it, and `[expect]`; \
         then `portcullis test`.{DIM:#}",
        kind.name(),
        point
    )?;
    Ok(())
}

/// The text for a limit that was not reached.
const TOO_FAST: &str = "too fast";

/// Writes the legend of the tables.
fn write_legend(out: &mut Out, reports: &[ConformReport]) -> anyhow::Result<()> {
    if reports.is_empty() {
        return Ok(());
    }
    print_line!(
        out,
        "{DIM}inputs: generated from the contract; test cases are not used{DIM:#}"
    )?;
    let points = || reports.iter().flat_map(|report| &report.points);
    if points()
        .flat_map(|point| &point.provoked)
        .any(|provoked| provoked.cause.is_none())
    {
        print_line!(
            out,
            "{DIM}{}: all calls ended before the host noticed that their deadline had passed, so what follows from that \
             was not tried{DIM:#}",
            TOO_FAST
        )?;
    }
    Ok(print_line!(out)?)
}

/// Writes how many hooks conform.
pub(super) fn write_sum(reports: &[ConformReport], unloaded: usize) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    write_legend(&mut out, reports)?;
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

/// Returns the consequences of failures, each with its points.
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

/// Returns the result of a limit that was made too small.
fn provoked(point: &PointReport, limit: &str) -> Printable {
    let found = point
        .provoked
        .iter()
        .find(|provoked| provoked.limit == limit);
    match found {
        None => "-".into(),
        Some(Provoked { cause: None, .. }) => TOO_FAST.into(),
        Some(Provoked {
            continues: Some(true),
            ..
        }) => "continues".into(),
        Some(_) if point.on_failure == Consequence::Fails => "fails".into(),
        Some(_) => "refused".into(),
    }
}
