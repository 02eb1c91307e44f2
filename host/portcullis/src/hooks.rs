//! A host's hooks: loaded once, opened for every session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::background::Background;
use crate::cache::{CacheError, CompileCache};
use crate::contract::HookRole;
use crate::engine::{EngineError, Runtime};
use crate::link::Linkers;
use crate::load::{LoadError, LoadErrors, LoadFault, Loader, Progress, Stage};
use crate::lock::Lock;
use crate::member::{Body, Member};
use crate::native::NativeHook;
use crate::order::{self, Orders};
use crate::points::PointId;
use crate::quarantine::Quarantined;
use crate::report::{HookReport, Sort, StandingReport};
use crate::secrets::SecretSource;
use crate::session::{Session, SessionOptions};
use crate::settings::{LockRule, OnMismatch, Settings};
use crate::state::StateStore;

/// How hooks are loaded.
pub struct LoadOptions<'a> {
    /// Leave out hooks that do not load, and name them in [`Hooks::broken`]. Default no: nothing
    /// starts unless everything loads, so that no guard is missing unnoticed.
    pub skip_broken: bool,
    /// Where compiled hooks are kept. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// Hooks in Rust, in the same chains and the same order, of which `hooks.toml` may speak too.
    /// Default: none.
    pub native: Vec<NativeHook>,
    /// Where secrets come from. Default: from where `[secrets]` in `hooks.toml` says.
    pub secrets: Option<&'a dyn SecretSource>,
    /// Told what is going on; compiling takes from 50 ms to some seconds a hook.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl Default for LoadOptions<'_> {
    fn default() -> Self {
        Self {
            skip_broken: false,
            cache: CacheChoice::User,
            native: Vec::new(),
            secrets: None,
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
pub struct Hooks {
    pub(crate) layer: Arc<Layer>,
    pub(crate) background: Arc<Background>,
}

/// The hooks of one agent.
#[derive(Clone, Default)]
pub(crate) struct Layer {
    /// By file, then those that are no files.
    pub(crate) members: Vec<Member>,
    pub(crate) orders: Orders,
    /// What components remember and share.
    pub(crate) state: Arc<StateStore>,
    pub(crate) settings: Arc<Settings>,
    broken: Vec<LoadError>,
    unpinned: Vec<LoadError>,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.layer.members.iter().map(Member::id))
            .finish()
    }
}

impl Hooks {
    /// No hooks at all.
    pub fn none() -> Self {
        Self::default()
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
        let scripts = settings.scripts.iter();
        let natives = options.native.iter().map(NativeHook::id);
        let others: Vec<&str> = natives
            .chain(scripts.clone().map(|(id, _)| id.as_str()))
            .collect();
        let lock = lock_of(dir, settings)?;
        let loader = Loader {
            lock: lock.as_ref(),
            secrets: options.secrets.unwrap_or(settings),
            ..workshop.loader(settings, options.progress)
        };
        let loaded = loader.dir(dir, &others, options.skip_broken)?;
        let mut layer = Layer {
            members: loaded.hooks.into_iter().map(Member::component).collect(),
            orders: Orders::new(),
            state: Arc::default(),
            settings: Arc::new(settings.clone()),
            broken: loaded.broken,
            unpinned: loaded.unpinned,
        };
        let scripts = scripts.map(|(id, script)| Member::script(id, script, dir, settings));
        layer.members.extend(scripts);
        layer.put(options.native.iter().cloned())?;
        Ok(Self {
            layer: Arc::new(layer),
            background: Arc::default(),
        })
    }

    /// These hooks and native ones beside them, in the same chains and the same order.
    ///
    /// # Errors
    ///
    /// An id that is taken or none, a dependency that cannot be kept.
    pub fn with(&self, hooks: impl IntoIterator<Item = NativeHook>) -> Result<Self, LoadErrors> {
        let mut layer = Layer::clone(&self.layer);
        layer.put(hooks)?;
        Ok(Self {
            layer: Arc::new(layer),
            background: self.background.clone(),
        })
    }

    /// Opens a session: instances of its own, and private state of its own.
    pub fn session(&self, options: SessionOptions) -> Session {
        Session::open(self, options)
    }

    /// Waits for the runs that nobody waits for otherwise, for no longer than this. Gives how many
    /// have not ended; they are lost if the process ends now.
    pub async fn drain(&self, within: Duration) -> usize {
        self.background.drain(within).await
    }

    /// How many runs that nobody waits for have not ended.
    pub fn pending(&self) -> usize {
        self.background.pending()
    }

    /// The hooks that did not load and were left out.
    pub fn broken(&self) -> &[LoadError] {
        &self.layer.broken
    }

    /// The components that failed too often in a row and are left alone for now.
    pub fn quarantined(&self) -> Vec<Quarantined> {
        let members = self.layer.members.iter();
        members
            .filter_map(|member| {
                let profile = &member.standing.profile;
                let (failures, cause, left) = member.breaker()?.standing()?;
                Some(Quarantined {
                    hook: profile.id.clone(),
                    component: profile.component?,
                    failures,
                    cause,
                    left,
                })
            })
            .collect()
    }

    /// What differs from `hooks.lock` and was loaded all the same, since
    /// [`OnMismatch::Report`] says so.
    pub fn unpinned(&self) -> &[LoadError] {
        &self.layer.unpinned
    }

    /// What there is to say of every component, by file.
    pub fn reports(&self) -> Vec<HookReport> {
        let members = self.layer.members.iter();
        members
            .filter_map(|member| match &member.body {
                Body::Component(hook) => Some(HookReport::of(hook, &[], &self.layer.settings)),
                Body::Shared(_) => None,
            })
            .collect()
    }

    /// How every hook stands, of whatever sort: components by file, then scripts, then native hooks.
    pub fn standings(&self) -> Vec<StandingReport> {
        let members = self.layer.members.iter();
        members
            .map(|member| {
                let sort = match &member.body {
                    Body::Component(_) => Sort::Component,
                    Body::Shared(_) if self.layer.settings.scripts.contains_key(member.id()) => {
                        Sort::Script
                    }
                    Body::Shared(_) => Sort::Native,
                };
                StandingReport::of(member, sort)
            })
            .collect()
    }

    /// The ids of a point's hooks, in the order they run: those that look on after those that
    /// decide.
    pub fn order(&self, point: PointId) -> Vec<&str> {
        let order = self.layer.orders.get(&point);
        let mut members: Vec<_> = order
            .into_iter()
            .flatten()
            .filter_map(|index| self.layer.members.get(*index))
            .collect();
        members.sort_by_key(|member| member.standing.profile.role == HookRole::Observe);
        members.into_iter().map(Member::id).collect()
    }

    /// The state that hooks share, for the embedder to read and to set up.
    pub fn state(&self) -> &StateStore {
        &self.layer.state
    }
}

impl Layer {
    /// Puts native hooks in, and orders all.
    fn put(&mut self, hooks: impl IntoIterator<Item = NativeHook>) -> Result<(), LoadErrors> {
        let mut errors = Vec::new();
        for hook in hooks {
            let file = native_file(hook.id());
            match Member::native(hook, &self.settings) {
                Ok(member) => self.members.push(member),
                Err(fault) => errors.push(LoadError::new(&file, Stage::Resolve, fault)),
            }
        }
        let entries: Vec<_> = self.members.iter().map(Member::entry).collect();
        let (orders, faults) = order::orders(&entries);
        errors.extend(faults.into_iter().map(|wrong| {
            let file = self.file(&wrong.hook);
            LoadError::new(&file, Stage::Order, wrong.fault)
        }));
        self.orders = orders;
        match errors.is_empty() {
            true => Ok(()),
            false => Err(LoadErrors(errors)),
        }
    }

    /// Where a hook is from.
    fn file(&self, id: &str) -> PathBuf {
        let member = self.members.iter().find(|member| member.id() == id);
        match member.map(|member| &member.body) {
            Some(Body::Component(hook)) => hook.file.clone(),
            _ if self.settings.scripts.contains_key(id) => {
                PathBuf::from(format!("(script `{id}`)"))
            }
            _ => native_file(id),
        }
    }
}

fn native_file(id: &str) -> PathBuf {
    PathBuf::from(format!("(native hook `{id}`)"))
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
    let dir = file.parent().unwrap_or(Path::new(""));
    let lock = Lock::of_dir(dir).map_err(|error| LoadErrors(vec![error]))?;
    let loader = Loader {
        lock: lock.as_ref(),
        on_mismatch: OnMismatch::Report,
        ..workshop.loader(settings, options.progress)
    };
    let hook = loader
        .inspect(file)
        .map_err(|error| LoadErrors(vec![*error]))?;
    Ok(HookReport::of(&hook, &loader.not_granted(&hook), settings))
}

/// The lock that pins the components of a directory as they are now. What it differs in from the
/// one that is there, [`Lock::changes_since`] tells; [`Lock::write`] puts it in place.
///
/// # Errors
///
/// A component cannot be pinned: it does not tell its id.
pub fn lock(
    dir: &Path,
    settings: &Settings,
    options: &LoadOptions<'_>,
) -> Result<Lock, HooksError> {
    let workshop = Workshop::open(settings, &options.cache)?;
    Ok(workshop.loader(settings, options.progress).pins(dir)?)
}

/// The lock of a directory, which must have one if the settings say so.
fn lock_of(dir: &Path, settings: &Settings) -> Result<Option<Lock>, LoadErrors> {
    let lock = Lock::of_dir(dir).map_err(|error| LoadErrors(vec![error]))?;
    match (&lock, settings.integrity.lock) {
        (None, LockRule::Required) if dir.is_dir() => Err(LoadErrors(vec![LoadError::new(
            dir,
            Stage::Lock,
            LoadFault::NoLock,
        )])),
        _ => Ok(lock),
    }
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
            lock: None,
            secrets: settings,
            on_mismatch: settings.integrity.on_mismatch,
            progress,
        }
    }
}
