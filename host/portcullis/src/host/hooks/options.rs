//! Options for loading hooks.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::host::native::NativeHook;
use crate::load::cache::CacheError;
use crate::load::compiler::Compiler;
use crate::load::{LoadError, LoadErrors, Progress};
use crate::model::secrets::SecretSource;
use crate::model::state::StateStore;
use crate::sandbox::engine::EngineError;
use crate::settings::SettingsError;

/// Options for loading hooks.
pub struct LoadOptions<'a> {
    /// Whether to leave out hooks that do not load and list them in
    /// [`Hooks::broken`](crate::Hooks::broken). Default no: nothing starts unless everything loads,
    /// so that no guard is missing unnoticed.
    pub skip_broken: bool,
    /// The location of compiled hooks. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// The process that compiles components. Default: this process, in which a compilation cannot
    /// be stopped.
    pub compiler: Compiler,
    /// A token that cancels the compilations of this load and of later ones. Components that are
    /// not compiled by then do not load. Default: never cancelled.
    pub cancel: CancellationToken,
    /// Hooks in Rust, in the same chains and the same order as components. `hooks.toml` may contain
    /// settings for them too. Default: none.
    pub native: Vec<NativeHook>,
    /// The source of secrets, also for reloads. Default: the places in `[secrets]` of `hooks.toml`.
    pub secrets: Option<Arc<dyn SecretSource>>,
    /// The storage of hook state: shared state, and the private state of sessions that are opened
    /// with [`SessionOptions::state`](crate::SessionOptions::state). Default: in memory.
    pub state: StateStorage,
    /// Whether the session observers [record runs](crate::observer::HookObserver::recorded). Hooks
    /// with `write-run = "before-answer"` load only if they do. Default no.
    pub records_runs: bool,
    /// The callback for progress. Compiling takes from 50 ms to some seconds per hook.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl Default for LoadOptions<'_> {
    fn default() -> Self {
        Self {
            skip_broken: false,
            cache: CacheChoice::User,
            compiler: Compiler::default(),
            cancel: CancellationToken::new(),
            native: Vec::new(),
            secrets: None,
            state: StateStorage::Memory,
            records_runs: false,
            progress: &|_| {},
        }
    }
}

impl std::fmt::Debug for LoadOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadOptions")
            .field("skip_broken", &self.skip_broken)
            .field("cache", &self.cache)
            .field("compiler", &self.compiler)
            .finish_non_exhaustive()
    }
}

/// The storage of hook state.
#[derive(Clone, Default)]
pub enum StateStorage {
    /// In memory. State is lost when the process ends, and hooks with
    /// `write-state = "before-answer"` do not load.
    #[default]
    Memory,
    /// In a store.
    Store(Arc<dyn StateStore>),
    /// In memory, as a substitute for a store. Hooks that need a store load. For checking hooks.
    Stub,
}

impl StateStorage {
    pub(crate) fn store(&self) -> Option<&Arc<dyn StateStore>> {
        match self {
            Self::Store(store) => Some(store),
            Self::Memory | Self::Stub => None,
        }
    }
}

/// The location of compiled hooks.
#[derive(Debug, Clone, Default)]
pub enum CacheChoice {
    /// In the user's cache directory.
    #[default]
    User,
    /// In this directory.
    Dir(PathBuf),
    /// Nowhere.
    None,
}

/// Hooks cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum HooksError {
    /// The engine cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The compile cache cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// Hooks or their settings are wrong.
    #[error(transparent)]
    Load(#[from] LoadErrors),
}

impl From<Vec<SettingsError>> for HooksError {
    fn from(errors: Vec<SettingsError>) -> Self {
        Self::Load(errors.into())
    }
}

impl From<LoadError> for HooksError {
    fn from(error: LoadError) -> Self {
        Self::Load(LoadErrors(vec![error]))
    }
}
