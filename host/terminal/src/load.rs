//! The hooks directory on the command line, and loading it with progress shown.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use portcullis::hooks::{CacheChoice, Checked, HooksError, Progress, StateStorage};
use portcullis::settings::Settings;
use portcullis::{Hooks, LoadOptions};

use crate::progress::LoadBar;

/// The hooks directory.
#[derive(Debug, Args)]
pub struct HooksDir {
    /// The hooks directory.
    #[arg(
        long,
        value_name = "DIR",
        env = "PORTCULLIS_HOOKS",
        default_value = "hooks"
    )]
    pub hooks: PathBuf,
}

/// The cache of compiled hooks.
#[derive(Debug, Clone, Args)]
pub struct CacheArgs {
    /// Compile every hook anew, and keep nothing.
    #[arg(long, conflicts_with = "cache_dir")]
    no_cache: bool,
    /// Keep compiled hooks in this directory instead of the user's cache directory.
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns these options, with this choice if they make none.
    pub fn or(&self, choice: CacheChoice) -> Self {
        match (self.choice(), choice) {
            (CacheChoice::User, CacheChoice::Dir(dir)) => Self {
                no_cache: false,
                cache_dir: Some(dir),
            },
            (CacheChoice::User, CacheChoice::None) => Self {
                no_cache: true,
                cache_dir: None,
            },
            _ => self.clone(),
        }
    }

    /// Returns the arguments that make the same choice.
    pub fn to_arguments(&self) -> anyhow::Result<Vec<String>> {
        Ok(match &self.cache_dir {
            Some(dir) => {
                let dir = std::path::absolute(dir)?;
                let text = dir.to_str();
                let text = text.with_context(|| format!("{} is not text", dir.display()))?;
                vec!["--cache-dir".into(), text.into()]
            }
            None if self.no_cache => vec!["--no-cache".into()],
            None => Vec::new(),
        })
    }

    /// Returns the choice.
    pub fn choice(&self) -> CacheChoice {
        match &self.cache_dir {
            Some(dir) => CacheChoice::Dir(dir.clone()),
            None if self.no_cache => CacheChoice::None,
            None => CacheChoice::User,
        }
    }
}

/// Loads the hooks of a directory and shows progress. Without settings, its `hooks.toml` is used.
/// The agent is not known, so the hooks load as if it had a store and a journal.
pub fn load(
    dir: &Path,
    settings: Option<&Settings>,
    cache: &CacheArgs,
    skip_broken: bool,
) -> Result<Hooks, HooksError> {
    load_for(Keeps::ALL, dir, settings, cache, skip_broken)
}

/// The storage of the agent that runs the hooks.
#[derive(Debug, Clone, Copy)]
pub struct Keeps {
    /// Whether it has a store.
    pub store: bool,
    /// Whether it has a journal.
    pub journal: bool,
}

impl Keeps {
    /// An agent without store and journal.
    pub const NOTHING: Self = Self {
        store: false,
        journal: false,
    };

    /// An agent with store and journal.
    pub const ALL: Self = Self {
        store: true,
        journal: true,
    };
}

/// Finds all faults of a directory, for an agent with this storage.
pub fn check_for(agent: Keeps, dir: &Path, cache: &CacheArgs) -> Result<Checked, HooksError> {
    let bar = LoadBar::hidden();
    Hooks::check(
        dir,
        &options(agent, cache, &|progress| bar.update(progress)),
    )
}

/// Returns the load options for an agent with this storage.
pub fn options<'a>(
    agent: Keeps,
    cache: &CacheArgs,
    progress: &'a (dyn Fn(Progress<'_>) + Sync),
) -> LoadOptions<'a> {
    LoadOptions {
        state: match agent.store {
            true => StateStorage::Stub,
            false => StateStorage::Memory,
        },
        records_runs: agent.journal,
        cache: cache.choice(),
        compiler: crate::compiler::child(),
        progress,
        ..LoadOptions::default()
    }
}

/// Like [`load`], for an agent with this storage.
pub fn load_for(
    agent: Keeps,
    dir: &Path,
    settings: Option<&Settings>,
    cache: &CacheArgs,
    skip_broken: bool,
) -> Result<Hooks, HooksError> {
    let bar = LoadBar::hidden();
    let progress = |progress: Progress<'_>| bar.update(progress);
    let options = LoadOptions {
        skip_broken,
        ..options(agent, cache, &progress)
    };
    match settings {
        Some(settings) => Hooks::load_with(dir, settings, &options),
        None => Hooks::load(dir, &options),
    }
}
