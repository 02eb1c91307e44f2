//! `portcullis update [ID…]`

mod installed;
mod one;
mod refusals;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis_registry::Source;

use self::installed::{Chosen, chosen};
use super::fetch::Known;
use crate::failure;
use crate::hooks::trust::{Extra, files};
use crate::hooks::{CacheArgs, HooksDir};
use crate::terminal::json;

/// Fetch the current versions of hooks that were added, show the differences, ask, and replace
/// them.
///
/// The source is that in hooks.lock: a tag may lead to another component by now. The new component
/// is checked as by `portcullis add`. It is refused if it is older than the current version, is not
/// signed, or was signed by another key. The differences in points, order, imports, reach,
/// configuration and limits are shown, and the answers of both versions in the cases. Without a
/// terminal nothing is written, unless --yes is given. If a hook cannot be updated, the others
/// still are. Exit code 0: all are the current versions, or could be, with --dry-run and --json; 1:
/// one is not.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis update --dry-run --hooks ./hooks\n  \
    portcullis update word-filter --cases ./cases/word-filter"
)]
pub struct UpdateArgs {
    /// The hooks, by id [default: all that were added].
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Update to this source in place of the hook's own, such as another tag. It may be an older version.
    #[arg(long, value_name = "SOURCE")]
    to: Option<Source>,
    /// Take a version that this signer signed, by the name in hooks.toml, although another signer,
    /// or the same one with another key, signed the current version.
    #[arg(long, value_name = "NAME")]
    signer: Option<String>,
    /// The directory with the cases of the hook [default: cases/ID in the hooks directory, if there is one].
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    #[command(flatten)]
    known: Known,
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    extra: Extra,
    /// Show the differences, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Write without asking.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Print JSON: a list of the hooks, with the differences, or the error. Nothing is written,
    /// unless --yes is given.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &UpdateArgs) -> anyhow::Result<ExitCode> {
    let settings = files::settings(&args.dir.hooks)?;
    let chosen = chosen(args)?;
    if chosen.len() != 1
        && (args.to.is_some() || args.known.digest.is_some() || args.cases.is_some())
    {
        bail!("--to, --digest and --cases are for one hook; name it");
    }
    let mut code = ExitCode::SUCCESS;
    let mut results = Vec::new();
    for Chosen { id, hook } in chosen {
        let from = hook.as_ref().ok().map(|hook| hook.origin.clone());
        let result = hook.and_then(|hook| one::update(args, &settings, &hook));
        let result = result.unwrap_or_else(|error| {
            let error = error.context(format!("{id} was not updated"));
            failure::report(&error);
            one::Updated::failed(id, from, &error)
        });
        if !result.is_done(args) {
            code = ExitCode::FAILURE;
        }
        results.push(result);
    }
    if args.json {
        json::document(&results)?;
    }
    Ok(code)
}
