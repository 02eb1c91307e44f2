//! `[hooks]`: which hooks the agent has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis::compiler::Compiler;
use portcullis::hooks::{CacheChoice, HooksError, Progress, StateStorage};
use portcullis::{Hooks, LoadOptions};
use portcullis_store::{Store, directory_scope};
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
    /// Whether the agent has hooks.
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

    /// Returns the cache of compiled hooks.
    pub fn cache_choice(&self) -> CacheChoice {
        match (&self.cache_dir, self.cache) {
            (_, false) => CacheChoice::None,
            (Some(dir), true) => CacheChoice::Dir(dir.clone()),
            (None, true) => CacheChoice::User,
        }
    }

    fn load(&self, dir: &Path, load: &Load<'_>) -> Result<Hooks, HooksError> {
        let options = LoadOptions {
            state: load.state(dir),
            records_runs: load.records_runs,
            skip_broken: self.skip_broken,
            cache: self.cache_choice(),
            compiler: load.compiler.clone(),
            progress: load.progress,
            ..LoadOptions::default()
        };
        Hooks::load(dir, &options)
    }
}

/// The inputs for loading hooks.
struct Load<'a> {
    compiler: &'a Compiler,
    store: Option<&'a Store>,
    /// Whether hook runs are recorded in a journal.
    records_runs: bool,
    /// The name for the state that hooks share.
    scope: Option<&'a str>,
    progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl Load<'_> {
    /// Returns the storage for the state of a directory's hooks.
    fn state(&self, dir: &Path) -> StateStorage {
        let Some(store) = self.store else {
            return StateStorage::Memory;
        };
        let scope = match self.scope {
            Some(scope) => scope.to_owned(),
            None => directory_scope(dir),
        };
        StateStorage::Store(Arc::new(store.hook_state(&scope)))
    }
}

/// The hooks of an agent and of its sub-agents.
#[derive(Debug, Clone)]
pub struct LoadedHooks {
    /// The agent's hooks.
    pub hooks: Hooks,
    /// Whether the agent's hooks are from a directory.
    loaded: bool,
    /// The sub-agents' own hooks, by name.
    pub(crate) subagents: BTreeMap<String, LoadedHooks>,
}

impl LoadedHooks {
    /// Returns all hooks from directories: the agent's, then its sub-agents'.
    pub fn all(&self) -> Vec<&Hooks> {
        let own = self.loaded.then_some(&self.hooks);
        let below = self.subagents.values().flat_map(Self::all);
        own.into_iter().chain(below).collect()
    }
}

impl AgentFile {
    /// Loads the hooks of the agent and of its sub-agents, and compiles them with the compiler.
    /// Their state is kept in the store; hooks that need a store do not load without it. Blocks: do
    /// not call it on a thread of an async runtime.
    ///
    /// # Errors
    ///
    /// A directory cannot be read, or hooks do not load.
    pub fn load_hooks(
        &self,
        compiler: &Compiler,
        store: Option<&Store>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<LoadedHooks, HooksError> {
        let load = Load {
            compiler,
            store,
            records_runs: self.stores.journal && store.is_some(),
            scope: self.stores.state_scope.as_deref(),
            progress,
        };
        if !self.hooks.enabled {
            return Ok(none(&self.subagents));
        }
        Ok(LoadedHooks {
            hooks: self.hooks.load(&self.hooks.dir, &load)?,
            loaded: true,
            subagents: self.below(&self.subagents, &load)?,
        })
    }

    fn below(
        &self,
        subagents: &BTreeMap<String, Subagent>,
        load: &Load<'_>,
    ) -> Result<BTreeMap<String, LoadedHooks>, HooksError> {
        let loaded = subagents.iter().map(|(name, subagent)| {
            let hooks = match &subagent.hooks {
                Some(dir) => self.hooks.load(dir, load)?,
                None => Hooks::none(),
            };
            let loaded = LoadedHooks {
                hooks,
                loaded: subagent.hooks.is_some(),
                subagents: self.below(&subagent.subagents, load)?,
            };
            Ok((name.clone(), loaded))
        });
        loaded.collect()
    }

    /// Returns the hooks directories of the agent and of its sub-agents.
    pub fn hook_dirs(&self) -> Vec<PathBuf> {
        let mut dirs = Vec::new();
        if self.hooks.enabled {
            dirs.push(self.hooks.dir.clone());
            collect(&self.subagents, &mut dirs);
        }
        dirs
    }
}

fn collect(subagents: &BTreeMap<String, Subagent>, dirs: &mut Vec<PathBuf>) {
    for subagent in subagents.values() {
        dirs.extend(subagent.hooks.clone());
        collect(&subagent.subagents, dirs);
    }
}

fn none(subagents: &BTreeMap<String, Subagent>) -> LoadedHooks {
    let below = subagents.iter();
    LoadedHooks {
        hooks: Hooks::none(),
        loaded: false,
        subagents: below
            .map(|(name, subagent)| (name.clone(), none(&subagent.subagents)))
            .collect(),
    }
}
