//! `portcullis journal`: recorded hook runs.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use portcullis::points::PointId;
use portcullis_agent::RunState;
use portcullis_store::{HookSummary, JournalRun, RunFilter};

use crate::points;
use crate::store::Where;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units};

/// Show the journal of hook runs.
///
/// Every run has its state, outcome, latency, fuel and digests. A run that was unfinished when its
/// process died is `lost`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis journal --state failed\n  portcullis journal --summary --json"
)]
pub struct JournalArgs {
    #[command(flatten)]
    store: Where,
    /// Only runs of this session.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only runs of this hook.
    #[arg(long, value_name = "ID")]
    hook: Option<String>,
    /// Only runs at this point.
    #[arg(long, value_name = "POINT", value_parser = points::parser(), hide_possible_values = true)]
    point: Option<PointId>,
    /// Only runs in this state: started, completed, skipped, failed, timed-out, backgrounded, lost.
    #[arg(long, value_name = "STATE")]
    state: Option<RunState>,
    /// How many runs to show, the newest ones.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
    /// One line for each hook: how often it ran and failed, and how long it took.
    #[arg(long, conflicts_with_all = ["session", "hook", "point", "state"])]
    summary: bool,
    /// Print JSON: a list of runs, or of hooks.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &JournalArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let journal = store.journal()?;
    if args.summary {
        let hooks = journal.summary()?;
        if args.json {
            json::document(&hooks)?;
        } else {
            print_line!(Out::stdout(), "{}", summed(&hooks))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut runs = journal.runs(&RunFilter {
        session: args.session.clone(),
        hook: args.hook.clone(),
        point: args.point.map(|point| point.name().to_owned()),
        state: args.state,
        limit: args.limit,
        newest_first: true,
        ..RunFilter::default()
    })?;
    runs.reverse();
    if args.json {
        json::document(&runs)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    print_line!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}in {}{DIM:#}",
        units::plural(runs.len(), "run"),
        Printable::line(store.to_string())
    )?;
    if !runs.is_empty() {
        print_line!(out, "\n{}", listed(&runs))?;
    }
    if let settled @ 1.. = store.settled() {
        print_line!(
            out,
            "\n{NOTE}{} unfinished when a process died; marked as lost{NOTE:#}",
            units::plural(usize::try_from(settled)?, "run")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(runs: &[JournalRun]) -> Printable {
    let mut table = Table::new(&[
        "session",
        "turn",
        "point",
        "hook",
        "component",
        "state",
        "outcome",
        "took",
        "fuel",
    ]);
    for run in runs {
        let outcome = run.end.outcome.as_ref().or(run.end.cause.as_ref());
        let state = Cell::new(run.end.state.to_string());
        table.row([
            Cell::new(Printable::line(&run.row.session)),
            Cell::new(printable!("{}.{}", run.row.turn, run.row.step)),
            Cell::new(&run.row.point),
            Cell::new(&run.row.hook).bold(),
            Cell::new(
                run.row
                    .component
                    .as_deref()
                    .map_or_else(Printable::default, units::digest),
            ),
            match run.end.state {
                RunState::Failed | RunState::TimedOut | RunState::Lost => state.bad(),
                _ => state,
            },
            Cell::new(outcome.map_or("", String::as_str)),
            Cell::right(run.end.latency_us.map(micros).unwrap_or_default()),
            Cell::right(run.end.fuel.map(units::short).unwrap_or_default()),
        ]);
    }
    table.shown()
}

fn summed(hooks: &[HookSummary]) -> Printable {
    let mut table = Table::new(&["hook", "runs", "failed", "skipped", "lost", "p50", "p99"]);
    for hook in hooks {
        let number = |n: u64| Cell::right(units::count(n));
        let time = |us: Option<u64>| Cell::right(us.map(micros).unwrap_or_default());
        table.row([
            Cell::new(&hook.hook).bold(),
            number(hook.runs),
            number(hook.failures),
            number(hook.skipped),
            number(hook.lost),
            time(hook.p50_us),
            time(hook.p99_us),
        ]);
    }
    table.shown()
}

fn micros(us: u64) -> Printable {
    units::time(Duration::from_micros(us))
}
