//! `portcullis hooks`: what there is to know of hooks before they run.

mod check;
mod described;
mod dir;
mod inspect;
mod list;
mod lock;
mod order;
mod problem;
mod words;

use std::process::ExitCode;

use clap::Subcommand;

pub use dir::{CacheArgs, HooksDir, load};
pub use problem::Problem;

/// Look at hooks.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  portcullis hooks list --hooks ./hooks")]
pub enum HooksCommand {
    /// List the hooks of a directory.
    List(list::ListArgs),
    /// Say what one hook serves, sees and may do.
    Inspect(inspect::InspectArgs),
    /// Show in which order hooks run at every point.
    Order(order::OrderArgs),
    /// Find everything that could go wrong when the hooks are loaded.
    Check(check::CheckArgs),
    /// Pin the hooks of a directory by their digests.
    Lock(lock::LockArgs),
}

impl HooksCommand {
    /// Does what was asked for.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::List(args) => list::run(&args),
            Self::Inspect(args) => inspect::run(&args),
            Self::Order(args) => order::run(&args),
            Self::Check(args) => check::run(&args),
            Self::Lock(args) => lock::run(&args),
        }
    }
}
