//! `portcullis journal`: recorded hook runs.

mod file;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use comfy_table::{Attribute, Cell, CellAlignment, Color};
use portcullis::points::PointId;
use portcullis_agent::{HookSummary, JournalRun, RunFilter, RunState};

pub use self::file::JournalFile;
use crate::points;
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::table::table;
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
    file: JournalFile,
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
    let path = args.file.path();
    let Some(path) = path.filter(|path| path.exists()) else {
        anyhow::bail!(
            "there is no journal{}; `portcullis run` writes one, or name another with --journal",
            args.file
                .path()
                .map(|path| format!(" at {}", path.display()))
                .unwrap_or_default()
        );
    };
    let journal = file::open(&path)?;
    if args.summary {
        let hooks = journal.summary()?;
        if args.json {
            json::document(&hooks)?;
        } else {
            writeln!(anstream::stdout().lock(), "{}", summed(&hooks))?;
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
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}in {}{DIM:#}",
        units::plural(runs.len(), "run"),
        path.display()
    )?;
    if !runs.is_empty() {
        writeln!(out, "\n{}", listed(&runs))?;
    }
    if !journal.settled().is_empty() {
        writeln!(
            out,
            "\n{NOTE}{} unfinished when a process died; marked as lost{NOTE:#}",
            units::plural(journal.settled().len(), "run")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(runs: &[JournalRun]) -> String {
    let mut table = table(&[
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
        let outcome = run.outcome.as_ref().or(run.cause.as_ref());
        let state = Cell::new(run.state);
        table.add_row([
            Cell::new(portcullis::sanitize_for_terminal(&run.row.session)),
            Cell::new(format!("{}.{}", run.row.turn, run.row.step)),
            Cell::new(&run.row.point),
            Cell::new(&run.row.hook).add_attribute(Attribute::Bold),
            Cell::new(run.row.component.as_deref().map_or("", units::digest)),
            match run.state {
                RunState::Failed | RunState::TimedOut | RunState::Lost => state.fg(Color::Red),
                _ => state,
            },
            Cell::new(outcome.map_or("", String::as_str)),
            Cell::new(run.latency_us.map(micros).unwrap_or_default())
                .set_alignment(CellAlignment::Right),
            Cell::new(run.fuel.map(units::short).unwrap_or_default())
                .set_alignment(CellAlignment::Right),
        ]);
    }
    table.trim_fmt()
}

fn summed(hooks: &[HookSummary]) -> String {
    let mut table = table(&["hook", "runs", "failed", "skipped", "lost", "p50", "p99"]);
    for hook in hooks {
        let number = |n: u64| Cell::new(units::count(n)).set_alignment(CellAlignment::Right);
        let time = |us: Option<u64>| {
            Cell::new(us.map(micros).unwrap_or_default()).set_alignment(CellAlignment::Right)
        };
        table.add_row([
            Cell::new(&hook.hook).add_attribute(Attribute::Bold),
            number(hook.runs),
            number(hook.failures),
            number(hook.skipped),
            number(hook.lost),
            time(hook.p50_us),
            time(hook.p99_us),
        ]);
    }
    table.trim_fmt()
}

fn micros(us: u64) -> String {
    units::time(Duration::from_micros(us))
}
