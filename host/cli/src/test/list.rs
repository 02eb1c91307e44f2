//! Cases for people.

use std::io;
use std::time::Duration;

use portcullis_workbench::case::Difference;
use portcullis_workbench::{CaseReport, Status, TestReport};
use serde_json::Value;

use super::trace;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, CHANGED, DIM, ERROR, GOOD, NOTE, REFUSED};
use crate::terminal::{Out, Printable};
use crate::terminal::{text, units};

/// The widths of the columns.
const NAME: usize = 32;
const POINT: usize = 26;
const OUTCOME: usize = 12;
/// The longest value on one line, in columns.
const VALUE: usize = 160;
/// The longest message of a failure on one line, in columns. It names the place of the failure.
const MESSAGE: usize = 4 << 10;

/// Writes a case's result.
pub fn write_case(case: &CaseReport) -> io::Result<()> {
    let mut out = Out::stdout();
    let (style, mark) = match case.status {
        Status::Passed => (GOOD, "✓"),
        Status::Updated => (CHANGED, "~"),
        Status::Failed | Status::Broken => (ERROR, "✗"),
    };
    let point = case.point.map_or("", |point| point.name());
    let outcome = case.outcome.map_or("", |outcome| outcome.name());
    print_line!(
        out,
        "{}{}{:#} {BOLD}{}{BOLD:#} {} {} {DIM}{:>8} {:>6}{DIM:#}",
        style,
        mark,
        style,
        text::pad(&case.name, NAME),
        text::pad(point, POINT),
        text::pad(outcome, OUTCOME),
        case.micros
            .map_or_else(Printable::default, |us| units::time(Duration::from_micros(
                us
            ))),
        case.fuel.map_or_else(Printable::default, units::short)
    )?;
    if let Some(trace) = &case.trace {
        trace::write(&mut out, trace)?;
    }
    if matches!(case.status, Status::Failed | Status::Broken) {
        if let Some(about) = &case.about {
            print_line!(out, "    {DIM}{}{DIM:#}", Printable::line(about))?;
        }
        for line in case.errors.iter().flat_map(|error| error.lines()) {
            print_line!(out, "    {NOTE}{}{NOTE:#}", Printable::line(line))?;
        }
        case.differences
            .iter()
            .try_for_each(|difference| write_difference(&mut out, difference))?;
        // A trace has the log lines at their places.
        let logs = match &case.trace {
            Some(_) => &[],
            None => case.logs.as_slice(),
        };
        if !logs.is_empty() {
            print_line!(out, "    log")?;
        }
        for line in logs {
            print_line!(out, "      {DIM}{}{DIM:#}", Printable::line(line))?;
        }
    }
    Ok(())
}

pub(super) fn write_difference(out: &mut Out, difference: &Difference) -> io::Result<()> {
    print_line!(out, "    {}", Printable::line(&difference.path))?;
    let key = &difference.path;
    match (&difference.expected, &difference.got) {
        (Some(Value::String(expected)), Some(Value::String(got))) => {
            let quoted = |text: &String| Printable::whole(format!("{text:?}"));
            let (expected, got) = text::difference(&quoted(expected), &quoted(got), most(key));
            print_line!(out, "      {REFUSED}- {}{REFUSED:#}", expected)?;
            print_line!(out, "      {GOOD}+ {}{GOOD:#}", got)?;
        }
        (expected, got) => {
            if let Some(expected) = expected {
                print_line!(out, "      {REFUSED}- {}{REFUSED:#}", shown(key, expected))?;
            }
            match got {
                Some(got) => print_line!(out, "      {GOOD}+ {}{GOOD:#}", shown(key, got))?,
                None => print_line!(out, "      {DIM}nothing{DIM:#}")?,
            }
        }
    }
    if let Some(hint) = &difference.hint {
        print_line!(out, "      {NOTE}did you mean `{}`?{NOTE:#}", hint)?;
    }
    Ok(())
}

pub(super) fn shown(key: &str, value: &Value) -> Printable {
    text::cut(&Printable::line(value.to_string()), most(key))
}

fn most(key: &str) -> usize {
    match key {
        "message" => MESSAGE,
        _ => VALUE,
    }
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
    let mut out = Out::stdout();
    let all = units::plural(report.cases.len(), "case");
    let updated = match of(Status::Updated) {
        0 => Printable::default(),
        n => printable!(", {} updated", n),
    };
    match of(Status::Failed) + of(Status::Broken) {
        0 => print_line!(
            out,
            "\n{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} of {}{}, all as expected",
            all,
            report.hook,
            updated
        ),
        n => print_line!(
            out,
            "\n{ERROR}{} of {}{ERROR:#} of {} {}{}",
            n,
            all,
            report.hook,
            if n == 1 {
                "is not as expected"
            } else {
                "are not as expected"
            },
            updated
        ),
    }
}
