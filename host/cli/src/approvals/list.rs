//! `portcullis approvals list`

use std::process::ExitCode;

use clap::Args;
use portcullis_agent::{CheckpointError, CheckpointInfo, ProcessState};
use serde::Serialize;

use super::open::block_on;
use crate::store::Where;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::DIM;
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable, json};

/// List the suspended turns, and those that a process has claimed.
///
/// A claimed turn runs in the process that claimed it. If that process died, the turn is not continued by
/// itself, because its tools may have run: release it to continue it, or discard it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis approvals list --json")]
pub struct ListArgs {
    #[command(flatten)]
    store: Where,
    /// Only turns of this session.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print JSON: a list of turns.
    #[arg(long)]
    json: bool,
}

/// The state of a suspended turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TurnState {
    /// A call has no answer yet.
    Waiting,
    /// Every call has its answer.
    Answered,
    /// A process has claimed it.
    Claimed,
    /// The time for answers is over. When the turn continues, a call without an answer is denied.
    Over,
}

/// A suspended turn, as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Listed<'a> {
    state: TurnState,
    /// Whether the process that claimed it is alive.
    process: Option<ProcessState>,
    #[serde(flatten)]
    info: &'a CheckpointInfo,
}

impl<'a> Listed<'a> {
    pub(super) fn new(info: &'a CheckpointInfo) -> Self {
        Self {
            state: match (&info.claim, info.is_resolved()) {
                (Some(_), _) => TurnState::Claimed,
                (None, true) => TurnState::Answered,
                (None, false) if info.is_over() => TurnState::Over,
                (None, false) => TurnState::Waiting,
            },
            process: info.claim.as_ref().map(|claim| claim.process_state()),
            info,
        }
    }

    /// Returns the state, in words.
    pub(super) fn words(&self) -> Printable {
        match (&self.info.claim, self.process, self.state) {
            (Some(by), Some(process), _) => {
                let process = match process {
                    ProcessState::Alive => "which is there",
                    ProcessState::Dead => "which is dead",
                    ProcessState::Unknown => "which cannot be seen from here",
                };
                printable!(
                    "claimed by process {} on {}, {}",
                    by.process,
                    by.host,
                    process
                )
            }
            (_, _, TurnState::Over) => {
                "its time is over; `portcullis resume` continues it with no".into()
            }
            (_, _, TurnState::Answered) => "answered; `portcullis resume` continues it".into(),
            _ => "waits for answers".into(),
        }
    }
}

/// Runs the command.
pub fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.checkpoints()?;
    let (waiting, claimed) = block_on(async {
        let session = args.session.as_deref();
        let waiting = store.list(session).await?;
        Ok::<_, CheckpointError>((waiting, store.claimed(session).await?))
    })?;
    let wanted = |info: &CheckpointInfo| !info.of_subagent;
    let all: Vec<CheckpointInfo> = waiting.into_iter().chain(claimed).filter(wanted).collect();
    let all: Vec<Listed<'_>> = all.iter().map(Listed::new).collect();
    if args.json {
        json::document(&all)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    if all.is_empty() {
        print_line!(out, "{DIM}no turn is suspended{DIM:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(&["id", "agent", "turn", "calls", "state"]);
    for turn in &all {
        let calls: Vec<Printable> = (turn.info.pending.iter())
            .map(|call| printable!("{} {}", call.call_id, call.tool))
            .collect();
        table.row([
            Cell::new(printable!("{}", turn.info.id)),
            Cell::new(printable!("{}", turn.info.agent)),
            Cell::right(printable!("{}", turn.info.turn)),
            Cell::new(Printable::join(&calls, ", ")),
            Cell::new(turn.words()),
        ]);
    }
    table.fit(&[0]);
    print_line!(out, "{}", table.shown())?;
    Ok(ExitCode::SUCCESS)
}
