//! `portcullis sessions`: conversations in the store.

mod prune;
mod show;

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};
use portcullis::time::now_ms;
use portcullis_store::{Deleted, Released, SessionRow, Sessions};

use crate::store::Where;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable, agrees, json, units};
use crate::unknown::no_such;

/// List, show, export, cancel, release, delete and prune conversations.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis sessions list\n  \
    portcullis sessions export ID > session.json\n  portcullis run --session ID")]
pub struct SessionsArgs {
    #[command(subcommand)]
    command: SessionsCommand,
}

#[derive(Debug, Subcommand)]
enum SessionsCommand {
    /// List the sessions, the one that was last used first.
    #[command(after_help = "Example:\n  portcullis sessions list --json")]
    List(ListArgs),
    /// Print a session's conversation.
    #[command(after_help = "Example:\n  portcullis sessions show ID")]
    Show(OneArgs),
    /// Print a session as one JSON document, with its conversation and the agent's state.
    #[command(after_help = "Example:\n  portcullis sessions export ID > session.json")]
    Export(OneArgs),
    /// Cancel the turn of a durable agent's session: one that runs, in any process, or one that was interrupted.
    #[command(after_help = "Example:\n  portcullis sessions cancel ID")]
    Cancel(OneArgs),
    /// Release a session that another process has open, which can then not save it any more.
    #[command(after_help = "Example:\n  portcullis sessions release ID")]
    Release(OneArgs),
    /// Delete a session with its memory, suspended turns, jobs and hook runs.
    ///
    /// The session is shown first. Without a terminal nothing is deleted, unless --yes is given.
    #[command(after_help = "Example:\n  portcullis sessions delete ID")]
    Delete(DeleteArgs),
    /// Delete old sessions, such as those that were not used for some days.
    ///
    /// Open sessions are kept, and the newest session is kept by --keep-bytes. Without a terminal nothing is deleted, unless
    /// --yes is given.
    #[command(
        after_help = "Examples:\n  portcullis sessions prune --keep-days 90\n  \
        portcullis sessions prune --keep-days 90 --keep-bytes 1000000000 --yes"
    )]
    Prune(prune::PruneArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    store: Where,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct OneArgs {
    /// The session.
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    store: Where,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct DeleteArgs {
    #[command(flatten)]
    one: OneArgs,
    /// Delete it also while a process has it open, which can then not save it any more.
    #[arg(long)]
    force: bool,
    /// Delete without asking.
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &SessionsArgs) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        match &args.command {
            SessionsCommand::List(args) => list(args).await?,
            SessionsCommand::Show(args) => show::show(&args.find().await?, args.json)?,
            SessionsCommand::Export(args) => json::document(&args.find().await?)?,
            SessionsCommand::Cancel(args) => args.cancel().await?,
            SessionsCommand::Release(args) => args.release().await?,
            SessionsCommand::Delete(args) => return args.delete().await,
            SessionsCommand::Prune(args) => return args.prune().await,
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn list(args: &ListArgs) -> anyhow::Result<()> {
    let sessions = args.store.open()?.sessions().list().await?;
    if args.json {
        return json::document(&sessions);
    }
    print_line!(Out::stdout(), "{}", table(&sessions))?;
    Ok(())
}

impl OneArgs {
    fn sessions(&self) -> anyhow::Result<Sessions> {
        Ok(self.store.open()?.sessions())
    }

    async fn find(&self) -> anyhow::Result<SessionRow> {
        let sessions = self.sessions()?;
        if let Some(found) = sessions.get(&self.id).await? {
            return Ok(found);
        }
        let all = sessions.list().await?;
        let ids: Vec<&str> = all.iter().map(|session| session.id.as_str()).collect();
        bail!("{}", no_such("session", &self.id, &ids))
    }

    async fn cancel(&self) -> anyhow::Result<()> {
        let session = self.find().await?;
        let cancelled = self.store.open()?.turns().cancel(&self.id).await?;
        // A suspended turn has no record.
        if let Some(turn) = session.suspended.as_ref()
            && !cancelled
            && !turn.claimed
            && !self.json
        {
            bail!(
                "session `{}` has no turn that runs: its turn is suspended; discard it with `portcullis \
                 approvals discard {}`",
                session.id,
                turn.checkpoint
            );
        }
        if self.json {
            return json::document(&serde_json::json!({ "cancelled": cancelled }));
        }
        let runs = session.open_in.is_some() || session.turn_engine.is_some();
        let what = match (cancelled, runs) {
            (true, true) => "its turn is being cancelled",
            (true, false) => "its interrupted turn was removed",
            (false, true) => {
                "no turn of it is recorded; one of an agent that is not durable is cancelled in its own process"
            }
            (false, false) => "it has no turn that runs or was interrupted",
        };
        print_line!(Out::stdout(), "{}: {}", &self.id, what)?;
        Ok(())
    }

    async fn release(&self) -> anyhow::Result<()> {
        let released = self.sessions()?.release(&self.id).await?;
        if released == Released::Unknown {
            // This fails, and the error lists the known sessions.
            self.find().await?;
        }
        if self.json {
            let released = matches!(released, Released::From(_));
            return json::document(&serde_json::json!({ "released": released }));
        }
        let what = match released {
            Released::From(Some(holder)) => Printable::line(format!(
                "released from process {} on {}",
                holder.pid, holder.machine
            )),
            Released::From(None) => "released".into(),
            Released::WasFree | Released::Unknown => "it was not open".into(),
        };
        print_line!(Out::stdout(), "{}: {}", &self.id, what)?;
        Ok(())
    }
}

impl DeleteArgs {
    async fn delete(&self) -> anyhow::Result<ExitCode> {
        if self.one.json && !self.yes {
            bail!("with --json nothing is shown and asked; add --yes to delete the session");
        }
        let session = self.one.find().await?;
        if !self.one.json {
            print_line!(
                Out::stdout(),
                "{BOLD}Deletes{BOLD:#} {} {DIM}of {}: {}, last used {}{DIM:#}",
                &session.id,
                &session.agent,
                turns(&session),
                ago(session.updated_ms)
            )?;
        }
        if !(self.yes || agrees(format!("Delete {}", session.id), "nothing was deleted")?) {
            print_line!(Out::stderr(), "Nothing was deleted.")?;
            return Ok(ExitCode::FAILURE);
        }
        let deleted = self
            .one
            .sessions()?
            .delete(&self.one.id, self.force)
            .await?;
        match self.one.json {
            true => json::document(&deleted)?,
            false => print_line!(Out::stdout(), "deleted {}", words(&deleted))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Describes the deleted items.
pub fn words(deleted: &Deleted) -> Printable {
    let parts = [
        (deleted.sessions, "session"),
        (deleted.memories, "remembered turn"),
        (deleted.checkpoints, "suspended turn"),
        (deleted.turns, "interrupted turn"),
        (deleted.jobs, "job"),
        (deleted.hook_runs, "hook run"),
        (deleted.hook_state, "hook value"),
        (deleted.recorded_calls, "recorded call"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        units::plural(count, what).to_string()
    });
    Printable::line(parts.collect::<Vec<_>>().join(", "))
}

fn table(sessions: &[SessionRow]) -> Printable {
    let mut table = Table::new(&[
        "session", "agent", "used", "turns", "messages", "size", "state",
    ]);
    for session in sessions {
        table.row([
            Cell::new(Printable::line(&session.id)).bold(),
            Cell::new(Printable::line(&session.agent)),
            Cell::right(ago(session.updated_ms)),
            Cell::right(units::count(session.turns)),
            Cell::right(units::count(session.messages)),
            Cell::right(units::bytes(session.bytes)),
            Cell::new(state(session)).note(),
        ]);
    }
    table.shown()
}

/// Returns the process that has a session open, or the engine that runs its turn, or that its last
/// turn was interrupted or is suspended.
fn state(session: &SessionRow) -> Printable {
    match (&session.open_in, session.turn_since_ms) {
        (_, Some(began_ms)) if session.turn_engine.is_some() => Printable::line(format!(
            "{} runs a turn that began {}",
            session.turn_engine.as_deref().unwrap_or_default(),
            ago(began_ms)
        )),
        (Some(holder), _) => {
            let waits = match &session.suspended {
                Some(turn) if !turn.claimed => ", which waits for the answers of a suspended turn",
                _ => "",
            };
            Printable::line(format!(
                "open in process {} on {}{waits}",
                holder.pid, holder.machine
            ))
        }
        (None, Some(began_ms)) => Printable::line(format!(
            "a turn was interrupted that began {}",
            ago(began_ms)
        )),
        (None, None) => match &session.suspended {
            Some(turn) if turn.claimed => Printable::line(format!(
                "the suspended turn {} was resumed, and has not ended",
                turn.checkpoint
            )),
            Some(turn) => Printable::line(format!(
                "a turn was suspended {}: {}",
                ago(turn.since_ms),
                turn.checkpoint
            )),
            None => Printable::default(),
        },
    }
}

/// Returns a session's number of turns, in words, with the one that has not ended.
fn turns(session: &SessionRow) -> Printable {
    let turns = usize::try_from(session.turns).unwrap_or(usize::MAX);
    let turns = units::plural(turns, "turn");
    match (&session.suspended, session.turn_since_ms) {
        (_, Some(_)) if session.is_interrupted() => printable!("{} and an interrupted one", turns),
        (Some(_), None) => printable!("{} and a suspended one", turns),
        _ => turns,
    }
}

/// Returns the age of a time, in its largest unit.
fn ago(ms: u64) -> Printable {
    let seconds = now_ms().saturating_sub(ms) / 1_000;
    match seconds {
        0..60 => printable!("{} s ago", seconds),
        60..3_600 => printable!("{} min ago", seconds / 60),
        3_600..86_400 => printable!("{} h ago", seconds / 3_600),
        _ => {
            let days = usize::try_from(seconds / 86_400).unwrap_or(usize::MAX);
            printable!("{} ago", units::plural(days, "day"))
        }
    }
}
