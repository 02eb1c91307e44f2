//! What a hook called of the host, line by line.

use std::io;
use std::time::Duration;

use portcullis_workbench::play::{Trace, TraceEvent, What};
use serde_json::Value;

use super::list::{shown, write_difference};
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{DIM, ERROR, GOOD, NOTE};
use crate::terminal::{Out, Printable};
use crate::terminal::{text, units};

/// The longest list of arguments on one line, in columns.
const ARGUMENTS: usize = 100;

/// Writes what happened, and the result.
pub(super) fn write(out: &mut Out, trace: &Trace) -> io::Result<()> {
    print_line!(out, "    {DIM}   after   fuel{DIM:#}")?;
    trace
        .events
        .iter()
        .try_for_each(|event| write_event(out, event))?;
    print_line!(out, "    verdict")?;
    for (key, value) in &trace.verdict {
        print_line!(out, "      {} {}", Printable::line(key), shown(value))?;
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
    match &event.what {
        What::Call {
            interface,
            function,
            arguments,
            returned,
            error,
        } => {
            let interface = interface
                .strip_prefix("portcullis:hooks/")
                .unwrap_or(interface);
            let name = Printable::line(format!("{interface}.{function}"));
            let arguments = text::cut(&Printable::line(listed(arguments)), ARGUMENTS);
            let took = units::time(Duration::from_micros(event.micros));
            match error {
                Some(error) => {
                    let error = Printable::line(error);
                    print_line!(
                        out,
                        "{}  {}({}) {ERROR}✗ {}{ERROR:#}",
                        begin,
                        name,
                        arguments,
                        error
                    )
                }
                None if returned.is_null() => {
                    print_line!(
                        out,
                        "{}  {}({}) {DIM}{}{DIM:#}",
                        begin,
                        name,
                        arguments,
                        took
                    )
                }
                None => print_line!(
                    out,
                    "{}  {}({}) {GOOD}→ {}{GOOD:#} {DIM}{}{DIM:#}",
                    begin,
                    name,
                    arguments,
                    shown(returned),
                    took
                ),
            }
        }
        What::Log { line } => print_line!(
            out,
            "{}  {NOTE}log {}{NOTE:#}",
            begin,
            Printable::line(line)
        ),
        What::Request { request } => {
            let part = |key: &str| match request.get(key) {
                None => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            };
            let answer = format!("{}{}", part("status"), part("error"));
            let sent = format!("{} {}", part("method"), part("url"));
            print_line!(
                out,
                "{}  {NOTE}request {} → {}{NOTE:#}",
                begin,
                Printable::line(sent),
                Printable::line(answer)
            )
        }
    }
}

/// The arguments, without brackets around them.
fn listed(arguments: &Value) -> String {
    match arguments {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            items.join(", ")
        }
        Value::Object(named) => {
            let items = named.iter().map(|(name, value)| match value {
                Value::String(text) => format!("{name}: {text}"),
                other => format!("{name}: {other}"),
            });
            items.collect::<Vec<_>>().join(", ")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
