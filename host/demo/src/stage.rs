//! The demo's hooks, working directory and providers.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use portcullis::Hooks;
use portcullis::hooks::HooksError;
use portcullis::settings::Settings;
use portcullis_agent::Script;
use tempfile::TempDir;

use portcullis_terminal::activity::Places;
use portcullis_terminal::load::{CacheArgs, load};

/// The settings of the example hooks in the demo.
pub const SETTINGS: &str = include_str!("../story/hooks.toml");
/// The providers' responses.
pub const SCRIPT: &str = include_str!("../story/script.json");
/// A file with a secret in it. The secret is the example key of AWS's documentation.
const TODO: &str = include_str!("../story/todo.md");

/// Checks that there is a directory of hooks.
pub fn check(dir: &Path) -> anyhow::Result<()> {
    if !dir.is_dir() {
        bail!(
            "there is no directory {}; build the hooks with `cargo xtask hooks`, or name \
             another directory with --hooks",
            dir.display()
        );
    }
    Ok(())
}

/// Loads the example hooks.
pub fn hooks(dir: &Path, cache: &CacheArgs) -> anyhow::Result<Hooks> {
    check(dir)?;
    // The demo needs its own settings, for a budget that runs out and a hook that traps.
    let settings = Settings::parse(Path::new("the demo's hooks.toml"), SETTINGS);
    let settings = settings.map_err(HooksError::from)?;
    load(dir, Some(&settings), cache, false).map_err(|error| match others(dir, &settings) {
        // The fault is in the directory, since nobody can edit the settings.
        Some(why) => anyhow!(why),
        None => error.into(),
    })
}

/// Returns why a directory is not the demo's, if its hooks are not the demo's.
fn others(dir: &Path, settings: &Settings) -> Option<String> {
    let components = fs::read_dir(dir).ok()?.filter_map(|entry| {
        let path = entry.ok()?.path();
        let is_component = path.extension().is_some_and(|ending| ending == "wasm");
        let name = path.file_stem().filter(|_| is_component)?;
        Some(name.to_str()?.to_owned())
    });
    let components: BTreeSet<String> = components.collect();
    let hooks = &settings.hooks;
    let missing = hooks.keys().filter(|id| !components.contains(*id));
    let foreign = components.iter().filter(|id| !hooks.contains_key(*id));
    let whys = [
        some(missing).map(|names| format!("it lacks {names}")),
        some(foreign).map(|names| format!("it has {names}, of which the demo knows nothing")),
    ];
    let whys: Vec<String> = whys.into_iter().flatten().collect();
    (!whys.is_empty()).then(|| {
        format!(
            "{} is not the directory of the demo's hooks: {}; `cargo xtask demo` builds them into \
             target/demo-hooks, and `portcullis run --hooks DIR` runs an agent with others",
            dir.display(),
            whys.join(", and ")
        )
    })
}

/// Returns the first few names, and the number of the others.
fn some<'a>(names: impl Iterator<Item = &'a String>) -> Option<String> {
    const FEW: usize = 3;
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let few: Vec<&str> = names.iter().take(FEW).map(String::as_str).collect();
    let few = few.join(", ");
    match names.len() {
        0 => None,
        1..=FEW => Some(few),
        all => Some(format!("{few} and {} more", all - FEW)),
    }
}

/// The working directory, in a directory that the agent must not write to.
pub struct Stage {
    outside: PathBuf,
    work: PathBuf,
    /// Removed with the stage.
    _temporary: Option<TempDir>,
}

impl Stage {
    /// Makes the directories and their files. They are removed at the end.
    pub fn build() -> anyhow::Result<Self> {
        let dir = make()?;
        let mut stage = Self::at(dir.path())?;
        stage._temporary = Some(dir);
        Ok(stage)
    }

    /// Returns the stage in an existing directory.
    pub fn at(dir: &Path) -> anyhow::Result<Self> {
        let outside = dir
            .canonicalize()
            .with_context(|| format!("{} is not there", dir.display()))?;
        Ok(Self {
            work: outside.join("work"),
            outside,
            _temporary: None,
        })
    }

    /// Returns the directory that tools work in.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// Writes the page of the session into a new directory, which is not removed.
    pub fn keep(&self, page: &str) -> anyhow::Result<PathBuf> {
        let write = || -> io::Result<PathBuf> {
            let dir = directory()?;
            fs::write(dir.path().join("session.html"), page)?;
            Ok(dir.keep().join("session.html"))
        };
        write().context("the page of the session cannot be written")
    }

    /// Returns the providers' script.
    pub fn script() -> anyhow::Result<Script> {
        Script::parse(SCRIPT).context("the demo's script cannot be played")
    }

    /// Returns the directories by their short names.
    pub fn places(&self) -> Places {
        Places::default()
            .name(self.work.display().to_string(), "$WORK")
            .name(self.outside.display().to_string(), "$WORK/..")
    }

    /// Returns the files on the disk at the end, in words.
    pub fn outcome(&self) -> Vec<String> {
        let there = |path: PathBuf| path.exists();
        let mut words = Vec::new();
        words.push(
            match (
                there(self.work.join("RELEASE.md")),
                there(self.outside.join("RELEASE.md")),
            ) {
                (true, false) => {
                    "RELEASE.md is inside the working directory, and none is outside".into()
                }
                (false, false) => "RELEASE.md was not written".into(),
                (_, true) => "RELEASE.md is outside the working directory".into(),
            },
        );
        words.push(match there(self.work.join("drafts/release.md")) {
            true => "the drafts are still there".into(),
            false => "the drafts are gone".into(),
        });
        words
    }
}

/// Makes the directories and their files.
pub fn make() -> anyhow::Result<TempDir> {
    let make = || -> io::Result<TempDir> {
        let dir = directory()?;
        let work = dir.path().join("work");
        fs::create_dir_all(work.join("notes"))?;
        fs::create_dir_all(work.join("drafts"))?;
        fs::write(work.join("notes/todo.md"), TODO)?;
        fs::write(work.join("drafts/release.md"), "Kestrel is out!\n")?;
        Ok(dir)
    };
    make().context("the demo's working directory cannot be made")
}

fn directory() -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix("portcullis-demo-")
        .tempdir()
}
