//! A hook's host calls, line by line.

use std::io;
use std::time::Duration;

use portcullis::trace::{TraceEvent, TraceEventKind};
use portcullis_workbench::play::Trace;

use super::list::{shown, write_difference};
use crate::activity;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::DIM;
use crate::terminal::units;
use crate::terminal::{Out, Printable};

/// Writes the calls, and the result.
pub(super) fn write(out: &mut Out, trace: &Trace) -> io::Result<()> {
    print_line!(out, "    {DIM}   after   fuel{DIM:#}")?;
    trace
        .events
        .iter()
        .try_for_each(|event| write_event(out, event))?;
    print_line!(out, "    verdict")?;
    for (key, value) in &trace.verdict {
        print_line!(out, "      {} {}", Printable::line(key), shown(key, value))?;
    }
    if !trace.changes.is_empty() {
        print_line!(out, "    changes")?;
    }
    trace
        .changes
        .iter()
        .try_for_each(|change| write_difference(out, change))
}

fn write_event(out: &mut Out, event: &TraceEvent) -> io::Result<()> {
    let after = units::time(Duration::from_micros(event.after_micros));
    let fuel = event.fuel.map_or_else(Printable::default, units::short);
    let begin = printable!("    {DIM}{:>8} {:>6}{DIM:#}", after, fuel);
    let took = match event.what {
        TraceEventKind::Call { .. } => units::time(Duration::from_micros(event.micros)),
        TraceEventKind::Log { .. } | TraceEventKind::Request { .. } => Printable::default(),
    };
    print_line!(
        out,
        "{}  {} {DIM}{}{DIM:#}",
        begin,
        activity::happened(&event.what),
        took
    )
}
