//! `portcullis approvals release` and `portcullis approvals discard`

use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::Args;
use portcullis_agent::{CheckpointInfo, CheckpointStore as _, ProcessState, discard_suspended};

use super::list::Listed;
use super::open::{TurnArg, block_on, get};
use crate::terminal::format::print_line;
use crate::terminal::style::GOOD;
use crate::terminal::{Out, json};

/// Release a turn that a dead process has claimed, so that it can be resumed.
///
/// The turn begins again where it was suspended. Tools that ran since run once more.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis approvals release ID && portcullis resume ID")]
pub struct ReleaseArgs {
    #[command(flatten)]
    turn: TurnArg,
    /// Release it although its process is alive, or cannot be seen from here.
    #[arg(long)]
    force: bool,
    /// Print JSON: the turn, which waits again.
    #[arg(long)]
    json: bool,
}

/// Discard a suspended turn. It cannot be resumed then.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis approvals discard ID")]
pub struct DiscardArgs {
    #[command(flatten)]
    turn: TurnArg,
    /// Discard it although its process is alive, or cannot be seen from here.
    #[arg(long)]
    force: bool,
    /// Print JSON: the turn as it was.
    #[arg(long)]
    json: bool,
}

pub(super) fn release(args: &ReleaseArgs) -> anyhow::Result<ExitCode> {
    let (store, info) = args.turn.find()?;
    ensure!(
        info.claim.is_some(),
        "no process has claimed the turn: it waits"
    );
    check(&info, args.force)?;
    let store = store.checkpoints();
    block_on(store.release(&info.id))?;
    if args.json {
        let now = get(&store, &info.id)?;
        json::document(&Listed::new(&now))?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line!(Out::stdout(), "{GOOD}✓{GOOD:#} {} waits again", info.id)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn discard(args: &DiscardArgs) -> anyhow::Result<ExitCode> {
    let (store, info) = args.turn.find()?;
    check(&info, args.force)?;
    block_on(discard_suspended(&store.checkpoints(), &info.id))?;
    if args.json {
        json::document(&Listed::new(&info))?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line!(Out::stdout(), "{GOOD}✓{GOOD:#} {} is discarded", info.id)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a turn that may be running.
fn check(info: &CheckpointInfo, force: bool) -> anyhow::Result<()> {
    let Some(claim) = info.claim.as_ref().filter(|_| !force) else {
        return Ok(());
    };
    let why = match claim.process_state() {
        ProcessState::Dead => return Ok(()),
        ProcessState::Alive => "is there, so the turn may be running",
        ProcessState::Unknown => "cannot be seen from here, so the turn may be running",
    };
    bail!(
        "process {} on `{}` has claimed the turn and {why}; if you know that it is not, use --force",
        claim.process,
        claim.host
    )
}
