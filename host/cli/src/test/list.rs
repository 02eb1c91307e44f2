//! Cases for people.

use std::io::{self, Write};
use std::time::Duration;

use portcullis_workbench::case::Difference;
use portcullis_workbench::{CaseReport, Status, TestReport};
use serde_json::Value;

use crate::terminal::style::{BOLD, CHANGED, DIM, ERROR, GOOD, NOTE, REFUSED};
use crate::terminal::{text, units};

/// How wide the columns are.
const NAME: usize = 32;
const POINT: usize = 26;
const OUTCOME: usize = 12;
/// The longest value on one line, in columns.
const VALUE: usize = 160;

/// Writes the result of a case.
pub fn write_case(case: &CaseReport) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let (style, mark) = match case.status {
        Status::Passed => (GOOD, "✓"),
        Status::Updated => (CHANGED, "~"),
        Status::Failed | Status::Broken => (ERROR, "✗"),
    };
    let point = case.point.map_or("", |point| point.name());
    let outcome = case.outcome.map_or("", |outcome| outcome.name());
    writeln!(
        out,
        "{style}{mark}{style:#} {BOLD}{}{BOLD:#} {} {} {DIM}{:>8} {:>6}{DIM:#}",
        text::pad(&case.name, NAME),
        text::pad(point, POINT),
        text::pad(outcome, OUTCOME),
        case.micros
            .map_or_else(String::new, |us| units::time(Duration::from_micros(us))),
        case.fuel.map_or_else(String::new, units::short),
    )?;
    if matches!(case.status, Status::Failed | Status::Broken) {
        if let Some(about) = &case.about {
            writeln!(
                out,
                "    {DIM}{}{DIM:#}",
                portcullis::sanitize_for_terminal(about)
            )?;
        }
        for error in &case.errors {
            writeln!(out, "    {NOTE}{error}{NOTE:#}")?;
        }
        case.differences
            .iter()
            .try_for_each(|difference| write_difference(&mut out, difference))?;
    }
    Ok(())
}

fn write_difference(out: &mut impl Write, difference: &Difference) -> io::Result<()> {
    writeln!(
        out,
        "    {}",
        portcullis::sanitize_for_terminal(&difference.path)
    )?;
    match (&difference.expected, &difference.got) {
        (Some(Value::String(expected)), Some(Value::String(got))) => {
            let (expected, got) = text::difference(expected, got, VALUE);
            writeln!(out, "      {REFUSED}- {expected:?}{REFUSED:#}")?;
            writeln!(out, "      {GOOD}+ {got:?}{GOOD:#}")?;
        }
        (expected, got) => {
            if let Some(expected) = expected {
                writeln!(out, "      {REFUSED}- {}{REFUSED:#}", shown(expected))?;
            }
            match got {
                Some(got) => writeln!(out, "      {GOOD}+ {}{GOOD:#}", shown(got))?,
                None => writeln!(out, "      {DIM}nothing{DIM:#}")?,
            }
        }
    }
    if let Some(hint) = &difference.hint {
        writeln!(out, "      {NOTE}did you mean `{hint}`?{NOTE:#}")?;
    }
    Ok(())
}

fn shown(value: &Value) -> String {
    text::cut(
        &portcullis::sanitize_for_terminal(&value.to_string()),
        VALUE,
    )
}

/// Writes how many cases passed.
pub fn write_sum(report: &TestReport) -> io::Result<()> {
    let of = |status| {
        report
            .cases
            .iter()
            .filter(|case| case.status == status)
            .count()
    };
    let mut out = anstream::stdout().lock();
    let all = units::plural(report.cases.len(), "case");
    let updated = match of(Status::Updated) {
        0 => String::new(),
        n => format!(", {n} updated"),
    };
    match of(Status::Failed) + of(Status::Broken) {
        0 => writeln!(
            out,
            "\n{GOOD}✓{GOOD:#} {BOLD}{all}{BOLD:#} of {}{updated}, all as expected",
            report.hook
        ),
        n => writeln!(
            out,
            "\n{ERROR}{n} of {all}{ERROR:#} of {} {}{updated}",
            report.hook,
            if n == 1 {
                "is not as expected"
            } else {
                "are not as expected"
            }
        ),
    }
}
