//! `portcullis journal`: recorded hook runs.

mod rows;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use portcullis::points::PointId;
use portcullis_agent::RunState;
use portcullis_store::{HookSummary, Journal, RunFilter};

use crate::points;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units, width};
use crate::unknown::no_such;

/// Show the journal of hook runs.
///
/// Every run has its time (UTC), result, latency and fuel; below it stands why it refused or failed. JSON has
/// the digests too. A refusal in audit mode had no effect. A run that was unfinished when its process died is
/// `lost`.
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
    /// Only runs in this state.
    #[arg(long, value_name = "STATE", value_parser = states())]
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

fn states() -> impl TypedValueParser<Value = RunState> {
    PossibleValuesParser::new(RunState::ALL.map(RunState::code))
        .try_map(|name| name.parse::<RunState>())
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
    if runs.is_empty() {
        check_names(args, &journal)?;
    }
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
        print_line!(out, "{}", rows::shown(&runs, width()))?;
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

/// Refuses a name that no run in the journal has.
fn check_names(args: &JournalArgs, journal: &Journal) -> anyhow::Result<()> {
    let has = |filter: RunFilter| -> anyhow::Result<bool> {
        let any = RunFilter { limit: 1, ..filter };
        Ok(!journal.runs(&any)?.is_empty())
    };
    let unknown = |what, name: &str, known: Vec<String>| {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        bail!("{}", no_such(what, name, &known))
    };
    if let Some(hook) = &args.hook
        && !has(RunFilter {
            hook: Some(hook.clone()),
            ..RunFilter::default()
        })?
    {
        return unknown("hook in the journal", hook, journal.hooks()?);
    }
    if let Some(session) = &args.session
        && !has(RunFilter {
            session: Some(session.clone()),
            ..RunFilter::default()
        })?
    {
        return unknown("session in the journal", session, journal.sessions()?);
    }
    Ok(())
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
