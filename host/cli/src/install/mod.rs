//! `portcullis install` and `portcullis uninstall`: entering `portcullis hook` into an agent's settings.

mod edit;
mod entry;
mod place;
mod show;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum as _};
use portcullis_dialects::Dialect;

use self::edit::Document;
use self::entry::Entry;
pub use self::place::PlaceArgs;
use crate::hook::{DEADLINE, UseDaemon, dialects};
use crate::hooks::{CacheArgs, HooksDir, load, uncalled, warn_if_empty};
use crate::terminal::agrees;
use crate::{diff, files};

/// Let another agent run the hooks of a directory.
///
/// `portcullis hook` is entered into the agent's settings for every event that calls a lifecycle
/// point. The hooks are loaded first, so that they are compiled. The changes are shown as a diff.
/// Without a terminal nothing is written, unless --yes is given. `portcullis uninstall` removes the
/// entries again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis install claude --hooks ./hooks\n  \
    portcullis install codex --user --hooks ~/hooks --yes"
)]
pub struct InstallArgs {
    /// The agent: claude, codex or gemini.
    #[arg(value_name = "AGENT", value_parser = dialects())]
    agent: Dialect,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    hooks: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    /// The time that `portcullis hook` may take to decide an event, in seconds. The agent waits ten
    /// more.
    #[arg(long, value_name = "SECONDS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    deadline: u64,
    /// Whether events go to a daemon: `portcullis hook --help` has more.
    #[arg(long, value_name = "WHETHER")]
    daemon: Option<UseDaemon>,
    /// Write without asking.
    #[arg(long)]
    yes: bool,
}

/// Remove the entries of `portcullis install` from an agent's settings.
///
/// Entries that were changed since are kept, and named. Everything else in the file stays as it is.
/// A file with nothing else is removed. Without a terminal nothing is written, unless --yes is
/// given.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis uninstall claude --yes")]
pub struct UninstallArgs {
    /// The agent: claude, codex or gemini.
    #[arg(value_name = "AGENT", value_parser = dialects())]
    agent: Dialect,
    #[command(flatten)]
    place: PlaceArgs,
    /// Write without asking.
    #[arg(long)]
    yes: bool,
}

/// Runs `portcullis install`.
pub fn install(args: &InstallArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.hooks.hooks;
    // Loading the hooks now compiles them, so that no agent waits for that later.
    let hooks = load(dir, None, &args.cache, false)?;
    warn_if_empty(dir, &hooks);
    uncalled::warn(&hooks, args.agent.agent(), |point| args.agent.calls(point));
    let dir = dir.canonicalize();
    let dir = dir.with_context(|| format!("{} cannot be found", args.hooks.hooks.display()))?;
    let mut more = args.cache.to_arguments()?;
    let daemon = args.daemon.and_then(|daemon| daemon.to_possible_value());
    if let Some(daemon) = daemon {
        more.extend(["--daemon".into(), daemon.get_name().into()]);
    }
    let entry = Entry::new(args.agent, &dir, args.deadline, &more)?;
    let path = args.place.file(args.agent)?;
    let before = files::text(&path)?;
    let document = Document::parse(&path, &before)?;
    document.remove(args.agent)?;
    let changed = document.changed_entries(args.agent)?;
    if !changed.is_empty() {
        bail!(
            "{} has entries for `portcullis hook` that were changed since they were installed, at {}; remove them \
             there first, or change them back",
            path.display(),
            changed.join(", ")
        );
    }
    document.add(&entry)?;
    let after = document.text();
    if after == before {
        show::unchanged(&path)?;
        return Ok(ExitCode::SUCCESS);
    }
    let written = write(&path, &before, Some(&after), args.yes)?;
    if written == ExitCode::SUCCESS {
        show::installed(args.agent)?;
    }
    Ok(written)
}

/// Runs `portcullis uninstall`.
pub fn uninstall(args: &UninstallArgs) -> anyhow::Result<ExitCode> {
    let path = args.place.file(args.agent)?;
    let before = files::text(&path)?;
    let document = Document::parse(&path, &before)?;
    let removed = document.remove(args.agent)?;
    let changed = document.changed_entries(args.agent)?;
    if !changed.is_empty() {
        show::left(&path, &changed)?;
    }
    if removed == 0 {
        show::unchanged(&path)?;
        return Ok(ExitCode::SUCCESS);
    }
    let after = document.text();
    let after = (!document.is_empty()).then_some(after);
    write(&path, &before, after.as_deref(), args.yes)
}

/// Shows the changes, and writes them if the person agrees. `None` removes the file.
pub fn write(
    path: &Path,
    before: &str,
    after: Option<&str>,
    yes: bool,
) -> anyhow::Result<ExitCode> {
    match diff::print(path, before, after.unwrap_or_default()) {
        // With `--yes`, the output may be closed before its end.
        Err(error) if yes && error.kind() == io::ErrorKind::BrokenPipe => {}
        shown => shown?,
    }
    if !(yes
        || agrees(
            format!("Write this to {}", path.display()),
            "nothing was written",
        )?)
    {
        show::not_written(path)?;
        return Ok(ExitCode::FAILURE);
    }
    if files::text(path)? != before {
        bail!(
            "nothing was written: {} was changed meanwhile; run the command again",
            path.display()
        );
    }
    match after {
        Some(after) => {
            if let Some(dir) = path.parent() {
                std::fs::create_dir_all(dir)
                    .with_context(|| format!("{} cannot be made", dir.display()))?;
            }
            files::replace(path, after)?;
        }
        None => std::fs::remove_file(path)
            .with_context(|| format!("{} cannot be removed", path.display()))?,
    }
    show::written(path)?;
    Ok(ExitCode::SUCCESS)
}
