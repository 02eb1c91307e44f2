//! `portcullis hooks`: information on hooks before they run.

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

pub use check::problems;
pub use dir::{CacheArgs, HooksDir, load};
pub use problem::Problem;
pub use words::role;

/// Inspect hooks.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  portcullis hooks list --hooks ./hooks")]
pub enum HooksCommand {
    /// List the hooks of a directory.
    List(list::ListArgs),
    /// Show the points that a hook serves, and what it may see and do.
    Inspect(inspect::InspectArgs),
    /// Show the order of the hooks at every point.
    Order(order::OrderArgs),
    /// Find every error that loading the hooks would meet.
    Check(check::CheckArgs),
    /// Pin the hooks of a directory by their digests.
    Lock(lock::LockArgs),
}

impl HooksCommand {
    /// Runs the command.
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
