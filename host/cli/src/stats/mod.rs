//! `portcullis stats`: the hooks' calls, answers, failures and costs.

mod spark;
mod svg;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use portcullis_store::{Journal, RunFilter};

use crate::files;
use crate::runs::Narrow;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, GOOD};
use crate::terminal::{Out, Printable, json, units};
use crate::unknown::no_such_in;

/// Show statistics of hooks: calls, refusals, failures, times and resources.
///
/// The statistics are of the runs in the journal. Percentiles are within 1.6 %, and of finished
/// calls. `refused` counts the hook's refusals; `failed` counts its failures, answers that were not
/// applied, and processes that died. JSON has the points of each hook, every answer and every cause
/// too. With --hook, the points of the hook have lines of their own.
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
    if hooks.is_empty() {
        ensure_known(&args.narrow.filter(), &journal)?;
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

/// Refuses a hook or a session that no run in the journal has.
pub(crate) fn ensure_known(filter: &RunFilter, journal: &Journal) -> anyhow::Result<()> {
    let has = |filter: RunFilter| -> anyhow::Result<bool> {
        let any = RunFilter { limit: 1, ..filter };
        Ok(!journal.runs(&any)?.is_empty())
    };
    if let Some(hook) = &filter.hook
        && !has(RunFilter {
            hook: Some(hook.clone()),
            ..RunFilter::default()
        })?
    {
        return Err(unknown("hook", hook, &journal.hooks()?));
    }
    if let Some(session) = &filter.session
        && !has(RunFilter {
            session: Some(session.clone()),
            ..RunFilter::default()
        })?
    {
        return Err(unknown("session", session, &journal.sessions()?));
    }
    Ok(())
}

fn unknown(what: &str, name: &str, known: &[String]) -> anyhow::Error {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    anyhow!("{}", no_such_in("the journal", what, name, &known))
}
