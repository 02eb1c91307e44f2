//! `[hooks]`: which hooks the agent has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use portcullis::{CacheChoice, Hooks, HooksError, LoadOptions, Progress};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::file::AgentFile;
use crate::subagents::Subagent;

/// Which hooks the agent has.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct HooksTable {
    /// The hooks directory. It must exist.
    pub dir: PathBuf,
    /// Whether the agent has hooks at all.
    pub enabled: bool,
    /// Whether hooks that do not load are left out and reported. Otherwise nothing starts.
    pub skip_broken: bool,
    /// Whether hooks are reloaded when their directory changes.
    pub watch: bool,
    /// Whether compiled hooks are kept.
    pub cache: bool,
    /// Where compiled hooks are kept.
    #[schemars(extend("x-if-left-out" = "the user's cache directory"))]
    pub cache_dir: Option<PathBuf>,
}

impl Default for HooksTable {
    fn default() -> Self {
        Self {
            dir: "hooks".into(),
            enabled: true,
            skip_broken: false,
            watch: true,
            cache: true,
            cache_dir: None,
        }
    }
}

impl HooksTable {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        self.dir = dir.join(&self.dir);
        if let Some(cache) = &mut self.cache_dir {
            *cache = dir.join(&*cache);
        }
    }

    fn load(&self, dir: &Path, progress: &(dyn Fn(Progress<'_>) + Sync)) -> Result<Hooks, HooksError> {
        let cache = match (&self.cache_dir, self.cache) {
            (_, false) => CacheChoice::None,
            (Some(dir), true) => CacheChoice::Dir(dir.clone()),
            (None, true) => CacheChoice::User,
        };
        let options = LoadOptions {
            skip_broken: self.skip_broken,
            cache,
            progress,
            ..LoadOptions::default()
        };
        Hooks::load(dir, &options)
    }
}

/// The hooks of an agent and of its sub-agents.
#[derive(Debug, Clone)]
pub struct LoadedHooks {
    /// The agent's.
    pub hooks: Hooks,
    /// The sub-agents' own, by name.
    pub(crate) subagents: BTreeMap<String, LoadedHooks>,
}

impl LoadedHooks {
    /// All hooks: the agent's, then those of its sub-agents that have some.
    pub fn all(&self) -> Vec<&Hooks> {
        let below = self.subagents.values().flat_map(Self::all);
        std::iter::once(&self.hooks).chain(below).collect()
    }
}

impl AgentFile {
    /// Loads the hooks of the agent and of its sub-agents. This compiles them, so do not call it on a
    /// thread of an async runtime.
    ///
    /// # Errors
    ///
    /// A directory cannot be read, or hooks do not load.
    pub fn load_hooks(
        &self,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<LoadedHooks, HooksError> {
        if !self.hooks.enabled {
            return Ok(none(&self.subagents));
        }
        Ok(LoadedHooks {
            hooks: self.hooks.load(&self.hooks.dir, progress)?,
            subagents: self.below(&self.subagents, progress)?,
        })
    }

    fn below(
        &self,
        subagents: &BTreeMap<String, Subagent>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<BTreeMap<String, LoadedHooks>, HooksError> {
        let loaded = subagents.iter().map(|(name, subagent)| {
            let hooks = match &subagent.hooks {
                Some(dir) => self.hooks.load(dir, progress)?,
                None => Hooks::none(),
            };
            let subagents = self.below(&subagent.subagents, progress)?;
            Ok((name.clone(), LoadedHooks { hooks, subagents }))
        });
        loaded.collect()
    }

    /// The hooks directories of the agent and of its sub-agents, each with the path of its key.
    pub fn hook_dirs(&self) -> Vec<(Vec<String>, PathBuf)> {
        if !self.hooks.enabled {
            return Vec::new();
        }
        let own = (vec!["hooks".to_owned(), "dir".to_owned()], self.hooks.dir.clone());
        let mut dirs = vec![own];
        collect(&self.subagents, &[], &mut dirs);
        dirs
    }
}

fn collect(
    subagents: &BTreeMap<String, Subagent>,
    above: &[String],
    dirs: &mut Vec<(Vec<String>, PathBuf)>,
) {
    for (name, subagent) in subagents {
        let at = [above, &["subagents".to_owned(), name.clone()]].concat();
        if let Some(dir) = &subagent.hooks {
            dirs.push(([&at[..], &["hooks".to_owned()]].concat(), dir.clone()));
        }
        collect(&subagent.subagents, &at, dirs);
    }
}

fn none(subagents: &BTreeMap<String, Subagent>) -> LoadedHooks {
    let below = subagents.iter();
    LoadedHooks {
        hooks: Hooks::none(),
        subagents: below
            .map(|(name, subagent)| (name.clone(), none(&subagent.subagents)))
            .collect(),
    }
}
