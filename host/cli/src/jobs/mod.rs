//! `portcullis jobs`: background jobs in the store.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use portcullis_store::{JobRow, JobState};

use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable, json, units};

/// List the background jobs that hooks have queued.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis jobs list")]
pub struct JobsArgs {
    #[command(subcommand)]
    command: JobsCommand,
}

#[derive(Debug, Subcommand)]
enum JobsCommand {
    /// List the jobs in the store, the newest first.
    ///
    /// A waiting job belongs to a process that has ended. It is run again when its agent is started
    /// in the same directory. A job that was started three times, and whose process ended each
    /// time, is given up.
    #[command(after_help = "Example:\n  portcullis jobs list --json")]
    List(ListArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    store: Where,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &JobsArgs) -> anyhow::Result<ExitCode> {
    let JobsCommand::List(args) = &args.command;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let jobs = runtime.block_on(args.store.open()?.jobs().list())?;
    match args.json {
        true => json::document(&jobs)?,
        false => print_line!(Out::stdout(), "{}", table(&jobs))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn table(jobs: &[JobRow]) -> Printable {
    let mut table = Table::new(&[
        "job", "name", "hook", "session", "state", "attempt", "error",
    ]);
    for job in jobs {
        table.row([
            Cell::right(units::count(job.id.unsigned_abs())),
            Cell::new(Printable::line(&job.name)).bold(),
            Cell::new(Printable::line(&job.hook)),
            Cell::new(Printable::line(&job.session)),
            Cell::new(state(job.state)),
            Cell::right(units::count(job.attempt)),
            Cell::new(Printable::line(job.error.as_deref().unwrap_or_default())).note(),
        ]);
    }
    table.shown()
}

fn state(state: JobState) -> &'static str {
    match state {
        JobState::Running => "running",
        JobState::Waiting => "waits for the next start",
        JobState::Done => "done",
        JobState::Failed => "failed",
    }
}
