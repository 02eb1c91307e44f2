//! How hooks are loaded.

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

/// How hooks are loaded.
pub struct LoadOptions<'a> {
    /// Leave out hooks that do not load, and name them in [`Hooks::broken`](crate::Hooks::broken).
    /// Default no: nothing starts unless everything loads, so that no guard is missing unnoticed.
    pub skip_broken: bool,
    /// Where compiled hooks are kept. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// Where components are compiled. Default: in this process, where a compilation cannot be stopped.
    pub compiler: Compiler,
    /// Once this is cancelled, compilations end, of this load and of those that follow: components that
    /// are not compiled yet do not load. Default: never cancelled.
    pub cancel: CancellationToken,
    /// Hooks in Rust, in the same chains and the same order, of which `hooks.toml` may speak too.
    /// Default: none.
    pub native: Vec<NativeHook>,
    /// Where secrets come from, also when the hooks are loaded again. Default: from where
    /// `[secrets]` in `hooks.toml` says.
    pub secrets: Option<Arc<dyn SecretSource>>,
    /// Where hooks' state is kept: shared state, and the private state of sessions that are opened with
    /// [`SessionOptions::state`](crate::SessionOptions::state). Default: in memory.
    pub state: StateStorage,
    /// Whether the observers of sessions [record runs](crate::observer::HookObserver::recorded). Hooks
    /// with `write-run = "before-answer"` load only then. Default no.
    pub records_runs: bool,
    /// Called with the progress; compiling takes from 50 ms to some seconds a hook.
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

/// Where hooks' state is kept.
#[derive(Clone, Default)]
pub enum StateStorage {
    /// In memory: it is gone with the process. Hooks with `write-state = "before-answer"` do not load.
    #[default]
    Memory,
    /// In a store.
    Store(Arc<dyn StateStore>),
    /// In memory, in the place of a store: hooks load that need one. For checks of hooks.
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

/// Where compiled hooks are kept.
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
    /// Hooks, or what is said of them, are wrong.
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
