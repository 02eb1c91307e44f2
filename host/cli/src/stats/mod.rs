//! `portcullis stats`: how often hooks ran, answered and failed, and what they cost.

mod spark;
mod svg;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis_store::Journal;

use crate::files;
use crate::runs::Narrow;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, GOOD};
use crate::terminal::{Out, Printable, json, units};
use crate::unknown::no_such_in;

/// Show statistics of hooks: calls, refusals, failures, and how long they took and what they used.
///
/// They are of the runs in the journal. Percentiles are within 1.6 %, and of calls that are over. `refused` is how often the
/// hook refused, `not run` how often it failed, or its answer was not applied, or its process died. JSON has the points of
/// each hook, every answer and every cause too. With --hook, the points of the hook have lines of their own.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis stats --since 7d\n  portcullis stats --hook path-jail --json\n  portcullis stats --since 2026-01-31 --plot hooks.svg"
)]
pub struct StatsArgs {
    #[command(flatten)]
    store: Where,
    #[command(flatten)]
    narrow: Narrow,
    /// Draw the distributions of latency, fuel and memory into an SVG file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON: a list of hooks.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let journal = store.journal()?;
    let hooks = journal.stats(&args.narrow.filter())?;
    if let (Some(hook), true) = (&args.narrow.hook, hooks.is_empty()) {
        check_hook(hook, &journal)?;
    }
    if let Some(path) = &args.plot {
        files::replace(path, &svg::plot(&hooks))?;
    }
    if args.json {
        json::document(&hooks)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    if hooks.is_empty() {
        let place = Printable::line(store.to_string());
        print_line!(out, "no runs that fit {DIM}in {}{DIM:#}", place)?;
    } else {
        print_line!(out, "{}", table::shown(&hooks, args.narrow.hook.is_some()))?;
    }
    if let Some(path) = &args.plot {
        let hooks = units::plural(hooks.len(), "hook");
        print_line!(
            out,
            "\n{GOOD}✓{GOOD:#} {} drawn in {}",
            hooks,
            path.display()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a hook that no run in the journal has.
pub(crate) fn check_hook(hook: &str, journal: &Journal) -> anyhow::Result<()> {
    let known = journal.hooks()?;
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    if !known.contains(&hook) {
        bail!("{}", no_such_in("the journal", "hook", hook, &known));
    }
    Ok(())
}
