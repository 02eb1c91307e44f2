//! `portcullis remove ID`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::HookId;
use portcullis::hooks::HooksError;
use portcullis::lock::Lock;
use portcullis::settings::Settings;
use portcullis::verdict::Digest;

use crate::hooks::hook_arg::{components, is_of_one_file, name_of};
use crate::hooks::trust::edit;
use crate::hooks::trust::files::Before;
use crate::hooks::{CacheArgs, HooksDir};
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, Printable, agrees};
use crate::unknown::no_such_in;

/// Remove a hook: its file, its table in hooks.toml and its entry in hooks.lock.
///
/// Remnants of a hook are removed too, such as the table of one whose file is gone. The changes are
/// shown first. Without a terminal nothing is removed, unless --yes is given.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis remove word-filter --hooks ./hooks")]
pub struct RemoveArgs {
    /// The hook's id.
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    /// Remove without asking.
    #[arg(long)]
    yes: bool,
}

/// All remains of the hook, to remove.
struct Removal {
    before: Before,
    /// The file, as it is shown.
    file: Option<(PathBuf, Digest)>,
    /// Whether the lock pins another file under its name.
    is_another: bool,
    /// The lock that stays, if the hook is pinned.
    lock: Option<Lock>,
    /// The text of `hooks.toml` after the removal, and the table that is removed.
    settings: Option<(String, String)>,
}

/// Runs the command.
pub fn run(args: &RemoveArgs) -> anyhow::Result<ExitCode> {
    let removal = Removal::of(args)?;
    let mut out = Out::stdout();
    print_line!(out, "{BOLD}Removes{BOLD:#}")?;
    if let Some((file, _)) = &removal.file {
        let note = match removal.is_another {
            true => " (not the file that is pinned)",
            false => "",
        };
        print_line!(out, "  {}{}", file.display(), note)?;
    }
    if removal.lock.is_some() {
        let lock = removal.before.lock_file();
        print_line!(out, "  {DIM}its entry in{DIM:#} {}", lock.display())?;
    }
    if removal.settings.is_some() {
        let settings = removal.before.settings_file();
        print_line!(out, "  {DIM}its table in{DIM:#} {}", settings.display())?;
    }
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

/// Returns the file name of a hook that is not pinned, if there is one. Its id is known only by
/// asking the components; if one of them cannot be asked, a file with the hook's name is taken as
/// its own.
fn unpinned(
    args: &RemoveArgs,
    settings: &Settings,
    has_table: bool,
) -> anyhow::Result<Option<String>> {
    let dir = &args.dir.hooks;
    let all = match components(dir, settings, &args.cache) {
        Ok(all) => all,
        Err(error) => {
            let name = format!("{}.wasm", args.id);
            let is_there = HookId::fits(&args.id) && dir.join(&name).is_file();
            return match is_there || has_table {
                true => Ok(is_there.then_some(name)),
                false => Err(error),
            };
        }
    };
    is_of_one_file(&args.id, &all)?;
    let name = name_of(&args.id, &all).map(str::to_owned);
    if name.is_none() && !has_table {
        let ids = all.components.values().map(|there| there.id.as_str());
        let tables = settings.hooks.keys().map(String::as_str);
        // A hook with both a table and a file is listed once.
        let known: BTreeSet<&str> = ids.chain(tables).collect();
        let known: Vec<&str> = known.into_iter().collect();
        bail!("{}", no_such_in(dir.display(), "hook", &args.id, &known));
    }
    Ok(name)
}

/// Returns a file's digest; `None` if it does not exist.
fn digest(file: &Path) -> anyhow::Result<Option<Digest>> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(Some(Digest::of(&bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", file.display())),
    }
}

impl Removal {
    fn of(args: &RemoveArgs) -> anyhow::Result<Self> {
        let dir = &args.dir.hooks;
        let before = Before::of(dir)?;
        let settings = edit::unnamed(&before.settings, &args.id)?;
        let rest = settings.as_ref().map_or(&before.settings, |(rest, _)| rest);
        let parsed = || Settings::parse(&before.settings_file(), rest).map_err(HooksError::from);
        if settings.is_some() {
            parsed()?;
        }
        let mut lock = before.lock.clone().unwrap_or_default();
        let pinned = name_of(&args.id, &lock).map(str::to_owned);
        let name = match &pinned {
            Some(name) => Some(name.clone()),
            None => unpinned(args, &parsed()?, settings.is_some())?,
        };
        let pinned = pinned.and_then(|name| lock.components.remove(&name));
        let file = match name.map(|name| dir.join(name)) {
            Some(file) => digest(&file)?.map(|digest| (file, digest)),
            None => None,
        };
        let is_another =
            matches!((&file, &pinned), (Some((_, is)), Some(pinned)) if *is != pinned.sha256);
        Ok(Self {
            before,
            file,
            is_another,
            lock: pinned.map(|_| lock),
            settings,
        })
    }

    fn table(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().flat_map(|(_, table)| table.lines())
    }

    /// Removes the table first: a hook without one is capped, and its file is still pinned.
    fn run(&self, args: &RemoveArgs) -> anyhow::Result<()> {
        let dir = &args.dir.hooks;
        self.before.ensure_unchanged()?;
        if let Some((file, shown)) = &self.file
            && digest(file)?.is_some_and(|is| is != *shown)
        {
            bail!(
                "{} has changed meanwhile; nothing was removed",
                file.display()
            );
        }
        if let Some((rest, _)) = &self.settings {
            crate::files::replace(&self.before.settings_file(), rest)?;
        }
        if let Some((file, _)) = &self.file {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                removed => {
                    removed.with_context(|| format!("{} cannot be removed", file.display()))?
                }
            }
        }
        if let Some(lock) = &self.lock {
            let written = lock.write(dir);
            written.with_context(|| {
                format!("{} cannot be written", self.before.lock_file().display())
            })?;
        }
        Ok(())
    }
}
