//! `portcullis hooks`: information on hooks before they run.

mod above_role;
mod capped;
mod check;
mod configuration;
mod cost;
pub(crate) mod described;
mod dir;
pub(crate) mod hook_arg;
pub(crate) mod inspect;
mod list;
mod lock;
mod order;
mod problem;
mod quarantine;
mod schema;
pub(crate) mod trust;
pub(crate) mod uncalled;
mod unused;
pub mod words;

use std::process::ExitCode;

use clap::Subcommand;

pub use capped::note as capped_note;
pub use check::problems;
pub use dir::{
    CacheArgs, HooksDir, Keeps, check_for, load, load_for, load_with_store, settings_of,
    warn_if_empty,
};
pub use problem::{Level, Problem};
pub use words::role;

/// Inspect hooks.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  portcullis hooks list --hooks ./hooks")]
pub enum HooksCommand {
    /// List the hooks of a directory.
    List(list::ListArgs),
    /// Show a hook's points, permissions and limits.
    ///
    /// The file is checked against the hooks.toml of the project that it is built from, or else the
    /// one in its directory, and the hook's settings there are shown. Imports that are not granted
    /// are listed, not refused.
    Inspect(inspect::InspectArgs),
    /// Show the order of the hooks at every point.
    ///
    /// Explicit `after` dependencies come first, then priority (low first; high first at post and
    /// error points), then the id. Hooks that hooks.toml does not name run after those that it
    /// names. Observers (role `observe`) run after the others have decided.
    Order(order::OrderArgs),
    /// Find every error that loading the hooks would meet.
    ///
    /// Every file is read, checked against hooks.lock, compiled, inspected, asked to describe itself, and
    /// checked against hooks.toml and its grants. Every error is reported, not only the first. Exit code
    /// 0: all hooks load; 1: some do not.
    Check(check::CheckArgs),
    /// Print the JSON schema of the directory's hooks.toml, for editors.
    ///
    /// It has the keys of the hooks' own configurations, if the hooks have schemas. Write it to a
    /// file, and name the file in the first line of hooks.toml: `#:schema hooks.schema.json`.
    Schema(schema::SchemaArgs),
    /// Pin the components of a directory by their digests, in hooks.lock.
    ///
    /// An existing lock is rewritten only with --update. Once there is a lock, loading refuses components
    /// that are not in it, that differ from it or that are missing. hooks.toml and the commands of scripts
    /// are not pinned. Exit code 0: the lock matches the directory; 1: it does not, and was not changed.
    Lock(lock::LockArgs),
    /// Show a hook's views, answers, reach and cost, ask, and name it in hooks.toml.
    ///
    /// Its table in hooks.toml grants the views, the answers, the contributions, the state and the events
    /// that it imports now, and nothing else. The file is pinned by its digest in hooks.lock: after a change
    /// it is refused. If there is no hooks.lock, one is written that pins all files of the directory. Without a
    /// terminal nothing is written, unless --yes is given. Exit code 0: the hook is named and pinned, or could
    /// be, with --json; 1: it is not.
    Trust(trust::TrustArgs),
    /// Show which hooks are in quarantine, and end a quarantine.
    ///
    /// A component that fails too often in a row is not called for a while, in all processes with one store. With
    /// --end, it is called again. A quarantine also ends when the component or its limits, grants or
    /// configuration change. One for missed deadlines, or of a process without a store, is not shown.
    Quarantine(quarantine::QuarantineArgs),
    /// Remove a hook's table from hooks.toml, so that it is capped like every hook that is not named.
    ///
    /// The removed table is printed. hooks.lock and the file stay as they are.
    Untrust(trust::UntrustArgs),
}

impl HooksCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::List(args) => list::run(&args),
            Self::Inspect(args) => inspect::run(&args),
            Self::Order(args) => order::run(&args),
            Self::Check(args) => check::run(&args),
            Self::Schema(args) => schema::run(&args),
            Self::Lock(args) => lock::run(&args),
            Self::Trust(args) => trust::run(&args),
            Self::Quarantine(args) => quarantine::run(&args),
            Self::Untrust(args) => trust::untrust(&args),
        }
    }
}
