//! A host's hooks: loaded once, opened for every session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cache::{CacheError, CompileCache};
use crate::contract::HookRole;
use crate::engine::{EngineError, Runtime};
use crate::link::Linkers;
use crate::load::{LoadError, LoadErrors, LoadFault, LoadedHook, Loader, Orders, Progress, Stage};
use crate::points::PointId;
use crate::report::HookReport;
use crate::session::{Session, SessionOptions};
use crate::settings::Settings;
use crate::state::StateStore;

/// How hooks are loaded.
pub struct LoadOptions<'a> {
    /// Leave out hooks that do not load, and name them in [`Hooks::broken`]. Default no: nothing
    /// starts unless everything loads, so that no guard is missing unnoticed.
    pub skip_broken: bool,
    /// Where compiled hooks are kept. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// Told what is going on; compiling takes from 50 ms to some seconds a hook.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl Default for LoadOptions<'_> {
    fn default() -> Self {
        Self {
            skip_broken: false,
            cache: CacheChoice::User,
            progress: &|_| {},
        }
    }
}

impl std::fmt::Debug for LoadOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadOptions")
            .field("skip_broken", &self.skip_broken)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
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
    #[error("{0}")]
    Load(#[from] LoadErrors),
}

/// A host's hooks. Cheap to clone.
#[derive(Clone, Default)]
pub struct Hooks(Option<Arc<Host>>);

pub(crate) struct Host {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) hooks: Vec<Arc<LoadedHook>>,
    pub(crate) orders: Orders,
    pub(crate) state: Arc<StateStore>,
    broken: Vec<LoadError>,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.loaded().iter().map(|hook| &hook.descriptor.id))
            .finish()
    }
}

impl Hooks {
    /// No hooks at all.
    pub fn none() -> Self {
        Self(None)
    }

    /// Loads the hooks of a directory, as its `hooks.toml` says. Blocks: call it from a thread
    /// that may.
    ///
    /// # Errors
    ///
    /// All that is wrong with the directory, its hooks and its settings.
    pub fn load(dir: &Path, options: &LoadOptions<'_>) -> Result<Self, HooksError> {
        let settings = Settings::of_dir(dir).map_err(LoadErrors::from)?;
        Self::load_with(dir, &settings, options)
    }

    /// The same, with settings of the embedder's.
    ///
    /// # Errors
    ///
    /// As [`Hooks::load`].
    pub fn load_with(
        dir: &Path,
        settings: &Settings,
        options: &LoadOptions<'_>,
    ) -> Result<Self, HooksError> {
        let workshop = Workshop::open(settings, &options.cache)?;
        let loaded = workshop
            .loader(settings, options.progress)
            .dir(dir, options.skip_broken)?;
        Ok(Self(Some(Arc::new(Host {
            runtime: workshop.runtime,
            hooks: loaded.hooks,
            orders: loaded.orders,
            state: Arc::new(StateStore::default()),
            broken: loaded.broken,
        }))))
    }

    /// Opens a session: instances of its own, and private state of its own.
    pub fn session(&self, options: SessionOptions) -> Session {
        Session::open(self.0.as_ref(), options)
    }

    /// The hooks that did not load and were left out.
    pub fn broken(&self) -> &[LoadError] {
        self.0.as_ref().map_or(&[], |host| &host.broken)
    }

    /// What there is to say of every hook, by file.
    pub fn reports(&self) -> Vec<HookReport> {
        self.loaded()
            .iter()
            .map(|hook| HookReport::of(hook, &[]))
            .collect()
    }

    /// The ids of a point's hooks, in the order they run: those that look on after those that
    /// decide.
    pub fn order(&self, point: PointId) -> Vec<&str> {
        let order = self.0.as_ref().and_then(|host| host.orders.get(&point));
        let mut hooks: Vec<_> = order
            .into_iter()
            .flatten()
            .filter_map(|index| self.loaded().get(*index))
            .collect();
        hooks.sort_by_key(|hook| hook.resolved.profile.role == HookRole::Observe);
        hooks
            .into_iter()
            .map(|hook| hook.descriptor.id.as_str())
            .collect()
    }

    /// The state that hooks share, for the embedder to read and to set up.
    pub fn state(&self) -> Option<&StateStore> {
        self.0.as_ref().map(|host| &*host.state)
    }

    fn loaded(&self) -> &[Arc<LoadedHook>] {
        self.0.as_ref().map_or(&[], |host| &host.hooks)
    }
}

/// Reads one hook file as [`Hooks::load`] would, and says what there is to say of it. What it
/// imports and was not granted is named in the report instead of refused.
///
/// # Errors
///
/// What is wrong with the file.
pub fn inspect(
    file: &Path,
    settings: &Settings,
    options: &LoadOptions<'_>,
) -> Result<HookReport, HooksError> {
    let workshop = Workshop::open(settings, &options.cache)?;
    let loader = workshop.loader(settings, options.progress);
    let hook = loader
        .inspect(file)
        .map_err(|error| LoadErrors(vec![*error]))?;
    Ok(HookReport::of(&hook, &loader.not_granted(&hook)))
}

/// The user's cache, or none where it cannot be used: it only saves time.
fn user_cache() -> Result<Option<CompileCache>, CacheError> {
    match CompileCache::for_user() {
        Err(error @ CacheError::Io { .. }) => {
            tracing::warn!("compiled hooks are not kept: {error}");
            Ok(None)
        }
        other => other,
    }
}

/// What loading needs.
struct Workshop {
    runtime: Arc<Runtime>,
    linkers: Linkers,
    cache: Option<CompileCache>,
}

impl Workshop {
    fn open(settings: &Settings, cache: &CacheChoice) -> Result<Self, HooksError> {
        let runtime = Arc::new(Runtime::new(&settings.engine)?);
        let linkers = Linkers::new(&runtime.engine).map_err(|e| {
            LoadErrors(vec![LoadError::new(
                Path::new("(host)"),
                Stage::Link,
                LoadFault::Link(format!("{e:#}")),
            )])
        })?;
        let cache = match cache {
            CacheChoice::User => user_cache()?,
            CacheChoice::Dir(dir) => Some(CompileCache::open(dir)?),
            CacheChoice::None => None,
        };
        Ok(Self {
            runtime,
            linkers,
            cache,
        })
    }

    fn loader<'a>(
        &'a self,
        settings: &'a Settings,
        progress: &'a (dyn Fn(Progress<'_>) + Sync),
    ) -> Loader<'a> {
        Loader {
            runtime: &self.runtime,
            linkers: &self.linkers,
            cache: self.cache.as_ref(),
            settings,
            progress,
        }
    }
}
