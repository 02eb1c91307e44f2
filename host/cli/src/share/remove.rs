//! `portcullis remove ID`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::hooks::{HooksError, LoadErrors};
use portcullis::lock::Lock;
use portcullis::settings::Settings;

use crate::hooks::HooksDir;
use crate::hooks::trust::edit;
use crate::hooks::trust::files::Before;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, Printable, agrees};

/// Remove a hook: its file, its table in hooks.toml and its entry in hooks.lock.
///
/// The hook must be in hooks.lock, as one that was added or trusted is. What would be removed is shown first. Without
/// a terminal nothing is removed, unless --yes is given.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis remove word-filter --hooks ./hooks")]
pub struct RemoveArgs {
    /// The hook's id.
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    dir: HooksDir,
    /// Remove without asking.
    #[arg(long)]
    yes: bool,
}

/// What is removed.
struct Removal {
    before: Before,
    file: PathBuf,
    /// The lock that stays.
    lock: Lock,
    /// The text of `hooks.toml` that stays, and the table that goes.
    settings: Option<(String, String)>,
}

/// Runs the command.
pub fn run(args: &RemoveArgs) -> anyhow::Result<ExitCode> {
    let removal = Removal::of(args)?;
    let mut out = Out::stdout();
    print_line!(out, "{BOLD}Removes{BOLD:#}")?;
    print_line!(out, "  {}", removal.file.display())?;
    for line in removal.table().filter(|line| !line.is_empty()) {
        print_line!(out, "    {}", Printable::line(line))?;
    }
    if !(args.yes || agrees(format!("Remove {}", args.id), "nothing was removed")?) {
        print_line!(out, "Nothing was removed.")?;
        return Ok(ExitCode::FAILURE);
    }
    removal.run(args)?;
    print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}is removed{DIM:#}",
        args.id
    )?;
    Ok(ExitCode::SUCCESS)
}

impl Removal {
    fn of(args: &RemoveArgs) -> anyhow::Result<Self> {
        let dir = &args.dir.hooks;
        let before = Before::of(dir)?;
        let Some(mut lock) = before.lock.clone() else {
            bail!(
                "{} does not exist; remove the hook's file, and its table with `portcullis hooks untrust`",
                before.lock_file().display()
            );
        };
        let found = lock
            .components
            .iter()
            .find(|(_, pinned)| pinned.id == args.id);
        let Some(name) = found.map(|(name, _)| name.clone()) else {
            let ids = lock.components.values().map(|pinned| pinned.id.as_str());
            let hint = match portcullis::text::nearest(&args.id, ids) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            bail!(
                "{} does not name `{}`{hint}",
                before.lock_file().display(),
                args.id
            );
        };
        lock.components.remove(&name);
        let settings = edit::unnamed(&before.settings, &args.id)?;
        if let Some((rest, _)) = &settings {
            Settings::parse(&before.settings_file(), rest)
                .map_err(|e| HooksError::Load(LoadErrors::from(e)))?;
        }
        Ok(Self {
            before,
            file: dir.join(name),
            lock,
            settings,
        })
    }

    fn table(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().flat_map(|(_, table)| table.lines())
    }

    /// The table first: a hook without one is capped, and its file is still pinned.
    fn run(&self, args: &RemoveArgs) -> anyhow::Result<()> {
        let dir = &args.dir.hooks;
        self.before.ensure_unchanged()?;
        if let Some((rest, _)) = &self.settings {
            crate::files::replace(&self.before.settings_file(), rest)?;
        }
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            removed => {
                removed.with_context(|| format!("{} cannot be removed", self.file.display()))?
            }
        }
        let written = self.lock.write(dir);
        written.with_context(|| format!("{} cannot be written", self.before.lock_file().display()))
    }
}
