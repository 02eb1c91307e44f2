//! The report for people.

use portcullis_workbench::replay::{Difference, Kind, ReplayReport, Side};

use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, ERROR, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable, units};

pub(super) fn print(report: &ReplayReport, examples: usize) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(
        out,
        "{BOLD}{}{BOLD:#} of {} {DIM}by {}{DIM:#}",
        units::plural(report.replayed, "call"),
        Printable::line(&report.hook),
        Printable::line(report.component.get(..12).unwrap_or_default())
    )?;
    if report.config.is_some() {
        print_line!(
            out,
            "{NOTE}with the given configuration in place of the recorded one{NOTE:#}"
        )?;
    }
    let mut table = Table::new(&["result", "calls"]);
    let mut row = |name: &'static str, calls: usize| {
        table.row([
            Cell::new(name),
            Cell::right(units::count(u64::try_from(calls).unwrap_or(u64::MAX))),
        ]);
    };
    row("identical", report.identical);
    row("same, other fuel", report.same);
    row("changed", report.changed);
    row("newly refused", report.newly_refused);
    row("newly allowed", report.newly_allowed);
    row("more fuel", report.more_fuel);
    if let Some(slower) = report.slower {
        row("slower", slower);
    }
    print_line!(out, "{}", table.shown())?;
    print_line!(
        out,
        "fuel: {} then, {} now",
        units::short(report.fuel.recorded),
        units::short(report.fuel.now)
    )?;
    if report.incomplete > 0 {
        print_line!(
            out,
            "{NOTE}{} without the calls before: the hook may remember less than it did{NOTE:#}",
            units::plural(report.incomplete, "call")
        )?;
    }
    for (why, calls) in &report.not_replayed {
        print_line!(
            out,
            "{NOTE}{} not made again: {}{NOTE:#}",
            units::plural(*calls, "call"),
            Printable::line(why)
        )?;
    }
    for missing in &report.not_recorded {
        print_line!(
            out,
            "{ERROR}not recorded{ERROR:#}: {}, asked for in {}, such as {}",
            Printable::line(&missing.what),
            units::plural(missing.calls, "call"),
            Printable::line(&missing.run)
        )?;
    }
    for difference in report.differences.iter().take(examples) {
        print_line!(out, "{}", shown(difference))?;
    }
    let more = report.differences.len().saturating_sub(examples);
    if more > 0 {
        print_line!(out, "{DIM}and {} more; --json has them all{DIM:#}", more)?;
    }
    Ok(())
}

fn shown(difference: &Difference) -> Printable {
    let mut notes = Vec::new();
    if difference.kind != Kind::Same && difference.kind != Kind::Identical {
        notes.push(difference.kind.name());
    }
    if difference.more_fuel {
        notes.push("more fuel");
    }
    if difference.slower {
        notes.push("slower");
    }
    if !difference.not_recorded.is_empty() {
        notes.push("asks for what was not recorded");
    }
    if difference.redacted {
        notes.push("redacted");
    }
    if difference.incomplete {
        notes.push("calls before it are missing");
    }
    printable!(
        "\n{BOLD}{}{BOLD:#} {} {DIM}session {}, turn {}.{}, {}{DIM:#}\n  then: {}\n  now:  {}",
        Printable::line(notes.join(", ")),
        Printable::line(&difference.run),
        Printable::line(&difference.session),
        difference.turn,
        difference.step,
        Printable::line(&difference.point),
        side(&difference.recorded, &difference.now),
        side(&difference.now, &difference.recorded)
    )
}

/// The maximum length of a value, in bytes.
const VALUE: usize = 200;

/// The maximum number of differing files shown.
const FILES: usize = 3;

fn side(side: &Side, other: &Side) -> Printable {
    let mut text = side.outcome.clone();
    if let Some(why) = &side.why {
        text.push_str(&format!(" ({why})"));
    }
    if let Some(value) = &side.value {
        let value = value.to_string();
        let cut = value.floor_char_boundary(VALUE);
        text.push(' ');
        text.push_str(value.get(..cut).unwrap_or_default());
        if cut < value.len() {
            text.push('…');
        }
    }
    let files = side.files.iter();
    let mut files = files.filter(|(path, what)| other.files.get(*path) != Some(*what));
    for (path, what) in files.by_ref().take(FILES) {
        text.push_str(&format!(", {path}: {what}"));
    }
    if files.next().is_some() {
        text.push_str(", …");
    }
    if let Some(fuel) = side.fuel {
        text.push_str(&format!(", fuel {fuel}"));
    }
    Printable::line(text)
}
