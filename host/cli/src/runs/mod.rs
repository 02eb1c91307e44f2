//! `portcullis runs`: recorded hook runs.

mod narrow;
mod rows;
pub(crate) mod time;

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use portcullis::hooks::Mode;
use portcullis::points::OutcomeKind;
use portcullis::verdict::Cause;
use portcullis_agent::RunState;
use portcullis_store::{Journal, RunFilter};

pub(crate) use self::narrow::Narrow;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units, width};
use crate::unknown::no_such_in;

/// List hook runs: those of a session, a hook, a point, a result or a time.
///
/// Every run has its id, time (UTC), turn and step, result, latency and fuel; below it is the
/// reason for its refusal or failure. JSON has the digests too. `portcullis case from RUN` takes
/// the id, if calls are recorded. A refusal in audit mode had no effect. A run that was unfinished
/// when its process died is `lost`. `portcullis explain` shows a session as a whole, and
/// `portcullis stats` counts.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis runs --outcome reject --mode enforce --since 2h\n  portcullis runs --state failed --hook path-jail --json"
)]
pub struct RunsArgs {
    #[command(flatten)]
    store: Where,
    #[command(flatten)]
    narrow: Narrow,
    /// Only runs in this turn of their session; 0 is outside of turns.
    #[arg(long, value_name = "N", requires = "session")]
    turn: Option<u32>,
    /// Only runs in this state.
    #[arg(long, value_name = "STATE", value_parser = states())]
    state: Option<RunState>,
    /// Only runs with this answer.
    #[arg(long, value_name = "OUTCOME", value_parser = outcomes())]
    outcome: Option<OutcomeKind>,
    /// Only runs that failed with this cause.
    #[arg(long, value_name = "CAUSE", value_parser = causes(), hide_possible_values = true)]
    cause: Option<Cause>,
    /// Only runs of hooks in this mode. A hook's answer in audit mode had no effect.
    #[arg(long, value_name = "MODE", value_parser = modes())]
    mode: Option<Mode>,
    /// The number of runs to show, the newest ones.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
    /// Print JSON: a list of runs.
    #[arg(long)]
    json: bool,
}

/// The next step after the list.
const NEXT: &str = "portcullis explain SESSION/TURN shows what happened there";

fn states() -> impl TypedValueParser<Value = RunState> {
    PossibleValuesParser::new(RunState::ALL.map(RunState::code))
        .try_map(|name| name.parse::<RunState>())
}

fn outcomes() -> impl TypedValueParser<Value = OutcomeKind> {
    named(&OutcomeKind::ALL, OutcomeKind::name)
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    named(&[Mode::Enforce, Mode::Audit], Mode::name)
}

fn causes() -> impl TypedValueParser<Value = Cause> {
    named(&Cause::ALL, Cause::code)
}

/// Returns a parser for one of these values, by its name.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(move |value| name(*value));
    PossibleValuesParser::new(names).try_map(move |given| {
        let value = all.iter().find(|value| name(**value) == given);
        value.copied().ok_or("is not one of the names")
    })
}

/// Runs the command.
pub fn run(args: &RunsArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let journal = store.journal()?;
    let mut runs = journal.runs(&RunFilter {
        state: args.state,
        outcome: args.outcome.map(|outcome| outcome.name().to_owned()),
        cause: args.cause.map(|cause| cause.code().to_owned()),
        mode: args.mode,
        turn: args.turn,
        limit: args.limit,
        newest_first: true,
        ..args.narrow.filter()
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
    // There may be older ones.
    let newest = match u32::try_from(runs.len()) {
        Ok(count) if count == args.limit => "the newest ",
        _ => "",
    };
    print_line!(
        out,
        "{BOLD}{}{}{BOLD:#} {DIM}in {}{DIM:#}",
        newest,
        units::plural(runs.len(), "run"),
        Printable::line(store.to_string())
    )?;
    if !runs.is_empty() {
        print_line!(out, "{}", rows::shown(&runs, width()))?;
        print_line!(out, "\n{DIM}{NEXT}{DIM:#}")?;
        if let Some(run) = journal.last_recorded(&runs)? {
            print_line!(
                out,
                "{DIM}portcullis case from RUN makes a test case of a run whose call is recorded, such as {}.{}{DIM:#}",
                run.host,
                run.row.id
            )?;
        }
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
fn check_names(args: &RunsArgs, journal: &Journal) -> anyhow::Result<()> {
    let has = |filter: RunFilter| -> anyhow::Result<bool> {
        let any = RunFilter { limit: 1, ..filter };
        Ok(!journal.runs(&any)?.is_empty())
    };
    let unknown = |what, name: &str, known: Vec<String>| {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        bail!("{}", no_such_in("the journal", what, name, &known))
    };
    if let Some(hook) = &args.narrow.hook
        && !has(RunFilter {
            hook: Some(hook.clone()),
            ..RunFilter::default()
        })?
    {
        return unknown("hook", hook, journal.hooks()?);
    }
    if let Some(session) = &args.narrow.session
        && !has(RunFilter {
            session: Some(session.clone()),
            ..RunFilter::default()
        })?
    {
        return unknown("session", session, journal.sessions()?);
    }
    Ok(())
}
