//! `portcullis approvals`: turns that wait for an answer.

mod claims;
mod decide;
mod edit;
mod list;
pub mod open;
mod show;

use std::process::ExitCode;

use clap::Subcommand;

/// Answer the questions of suspended turns, and release turns whose process died.
///
/// A turn is suspended if a hook's question is deferred (`portcullis run --approvals defer`), or if the
/// model calls a tool that the client runs. It continues in the process that waits for it (`portcullis run
/// --wait`), or by `portcullis resume`. Turns are read from the store
/// that `--store` or agent.toml names, or from the user's.
#[derive(Debug, Subcommand)]
#[command(
    after_help = "Examples:\n  portcullis approvals list\n  portcullis approvals show ID\n  \
    portcullis approvals approve ID && portcullis resume ID"
)]
pub enum ApprovalsCommand {
    List(list::ListArgs),
    Show(show::ShowArgs),
    Approve(decide::ApproveArgs),
    Deny(decide::DenyArgs),
    Edit(edit::EditArgs),
    Release(claims::ReleaseArgs),
    Discard(claims::DiscardArgs),
}

impl ApprovalsCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::List(args) => list::run(&args),
            Self::Show(args) => show::run(&args),
            Self::Approve(args) => decide::approve(&args),
            Self::Deny(args) => decide::deny(&args),
            Self::Edit(args) => edit::run(&args),
            Self::Release(args) => claims::release(&args),
            Self::Discard(args) => claims::discard(&args),
        }
    }
}
