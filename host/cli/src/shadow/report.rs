//! `portcullis shadow report`

use std::process::ExitCode;

use clap::Args;
use portcullis_store::{Example, Finding, RunFilter, Shadow};

use crate::runs::Narrow;
use crate::stats::ensure_known;
use crate::store::Where;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::{Out, Printable, json, text, units, width};

/// The indents of lines below a hook, and of lines below a finding.
const FINDING: usize = 2;
const EXAMPLE: usize = 6;

/// Compare the hooks' answers in audit mode with those that were enforced.
///
/// Every hook that ran in audit mode is listed by point: its runs in audit mode and enforced, its
/// answers other than `continue` and its failures, by the code of the refusal or the cause of the
/// failure. Below are examples, with the consequences that enforcement would have had; `portcullis
/// explain` takes their sessions and turns.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis shadow report --since 7d\n  portcullis shadow report --hook word-filter --json"
)]
pub struct ReportArgs {
    #[command(flatten)]
    store: Where,
    #[command(flatten)]
    narrow: Narrow,
    /// Print JSON: a list of hooks at points.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let journal = store.journal()?;
    let filter = args.narrow.filter();
    let shadows = journal.shadow(&filter)?;
    if shadows.is_empty() {
        ensure_known(&filter, &journal)?;
    }
    if args.json {
        json::document(&shadows)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    if shadows.is_empty() {
        let place = Printable::line(store.to_string());
        let none = match filter != RunFilter::default() {
            true => "no run in audit mode that fits",
            false => "no hook ran in audit mode",
        };
        print_line!(out, "{} {DIM}in {}{DIM:#}", none, place)?;
    }
    for (index, shadow) in shadows.iter().enumerate() {
        if index > 0 {
            print_line!(out)?;
        }
        write(&mut out, shadow)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut Out, shadow: &Shadow) -> anyhow::Result<()> {
    print_line!(
        out,
        "{BOLD}{}{BOLD:#} at {}  {DIM}{} in audit mode, {} enforced{DIM:#}",
        Printable::line(&shadow.hook),
        Printable::line(&shadow.point),
        units::plural(usize::try_from(shadow.audited)?, "call"),
        units::count(shadow.enforced)
    )?;
    if shadow.findings.is_empty() {
        print_line!(out, "{:FINDING$}it always continued", "")?;
    }
    for finding in &shadow.findings {
        let line = printable!(
            "{}: {} in audit mode, {} enforced",
            name(finding),
            part(finding.audited, shadow.audited),
            part(finding.enforced, shadow.enforced)
        );
        print_line!(out, "{:FINDING$}{NOTE}{}{NOTE:#}", "", line)?;
        for example in &finding.examples {
            write_example(out, &shadow.point, example)?;
        }
    }
    Ok(())
}

/// Returns the answer with the code of a refusal, or the cause of a failure.
fn name(finding: &Finding) -> Printable {
    match (&finding.outcome, &finding.cause) {
        (Some(outcome), Some(code)) => printable!("{} {}", outcome, code),
        (Some(outcome), None) => Printable::line(outcome),
        (None, cause) => printable!("failed {}", cause.as_deref().unwrap_or_default()),
    }
}

/// Returns a count out of all, with the percentage.
fn part(some: u64, all: u64) -> Printable {
    match (some, all) {
        (some, 0) => units::count(some),
        (some, all) => {
            let percent = 100.0 * some as f64 / all as f64;
            printable!(
                "{} of {} ({:.1} %)",
                units::count(some),
                units::count(all),
                percent
            )
        }
    }
}

fn write_example(out: &mut Out, point: &str, example: &Example) -> anyhow::Result<()> {
    let place = match example.turn {
        0 => Printable::line(&example.session),
        turn => printable!("{}/{}", Printable::line(&example.session), turn),
    };
    print_line!(out, "    {DIM}portcullis explain{DIM:#} {}", place)?;
    for line in lines(point, example) {
        for line in text::wrap(&line, width().saturating_sub(EXAMPLE)) {
            print_line!(out, "{:EXAMPLE$}{}", "", line)?;
        }
    }
    Ok(())
}

/// Returns the hook's message, the consequence that enforcement would have had, and the changes
/// that it would have made.
fn lines(point: &str, example: &Example) -> Vec<Printable> {
    let mut lines: Vec<Printable> = example.message.iter().map(Printable::line).collect();
    let Some(would) = &example.would else {
        return lines;
    };
    lines.extend(would.message.as_ref().map(Printable::line));
    if let Some(followed) = would.at(point) {
        lines.push(printable!("{}", followed));
    }
    if !would.not_run.is_empty() {
        let hooks = Printable::line(would.not_run.join(", "));
        lines.push(printable!("would not have run: {}", hooks));
    }
    if let Some(answer) = &would.answer {
        lines.push(printable!("its answer: {}", Printable::line(answer)));
    }
    for change in would.changes.iter().flatten() {
        let side = |text: &Option<String>| match text {
            Some(text) => printable!("`{}`", Printable::line(text)),
            None => "nothing".into(),
        };
        let (before, after) = (side(&change.before), side(&change.after));
        let path = Printable::line(&change.path);
        lines.push(printable!("{} {} → {}", path, before, after));
    }
    lines
}
