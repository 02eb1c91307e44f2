//! `portcullis sessions prune`

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis_store::Deleted;

use super::words;
use crate::store::{RetentionArgs, Where};
use crate::terminal::format::print_line;
use crate::terminal::style::BOLD;
use crate::terminal::{Out, agrees, json};

/// The arguments of `portcullis sessions prune`.
#[derive(Debug, Args)]
pub struct PruneArgs {
    #[command(flatten)]
    retention: RetentionArgs,
    #[command(flatten)]
    store: Where,
    /// Delete without asking.
    #[arg(long)]
    yes: bool,
    /// Print JSON. Requires --yes.
    #[arg(long, requires = "yes")]
    json: bool,
}

impl PruneArgs {
    pub(super) async fn prune(&self) -> anyhow::Result<ExitCode> {
        if self.retention.keeps_all() {
            bail!("no session is to be deleted; add --keep-days, --keep-bytes or both");
        }
        let store = self.store.open()?;
        if !self.json {
            print_line!(
                Out::stdout(),
                "{BOLD}Deletes{BOLD:#} {}",
                self.retention.words()
            )?;
        }
        if !(self.yes || agrees("Delete these sessions", "nothing was deleted")?) {
            print_line!(Out::stderr(), "Nothing was deleted.")?;
            return Ok(ExitCode::FAILURE);
        }
        let deleted = self.retention.prune(&store).await?;
        match self.json {
            true => json::document(&deleted)?,
            false if deleted == Deleted::default() => {
                print_line!(Out::stdout(), "there is nothing to delete")?;
            }
            false => print_line!(Out::stdout(), "deleted {}", words(&deleted))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
