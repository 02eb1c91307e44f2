//! The resources for loading hooks, kept between loads.

use std::path::Path;
use std::sync::Arc;

use super::{CacheChoice, HooksError, LoadOptions, StateStorage};
use crate::host::report::HookReport;
use crate::load::cache::{CacheError, CompileCache};
use crate::load::compiler::Compilers;
use crate::load::compiling::{Compiling, When};
use crate::load::lock::Lock;
use crate::load::{
    FailedCompiles, LoadError, LoadErrors, LoadFault, Loader, PreviousLoad, Progress, Promises,
    Stage,
};
use crate::sandbox::engine::Runtime;
use crate::sandbox::link::Linkers;
use crate::settings::{self, LockRule, OnMismatch, Settings};

/// Reads one hook file like [`Hooks::load`](crate::Hooks::load) and returns a report on it. Imports
/// that the hook was not granted are listed in the report instead of refused.
///
/// # Errors
///
/// Returns the errors in the file.
pub fn inspect(
    file: &Path,
    settings: &Settings,
    options: &LoadOptions<'_>,
) -> Result<HookReport, HooksError> {
    let load_context = LoadContext::open(settings, options)?;
    let dir = file.parent().unwrap_or(Path::new(""));
    let lock = Lock::of_dir(dir).map_err(|error| LoadErrors(vec![error]))?;
    let before = PreviousLoad::default();
    let loader = Loader {
        lock: lock.as_ref(),
        on_mismatch: OnMismatch::Report,
        ..load_context.loader(settings, &before, options.progress)
    };
    (options.progress)(Progress::Found(1));
    let found = loader.inspect(file).map_err(LoadErrors)?;
    Ok(HookReport::of(
        &found,
        &loader.not_granted(file, &found.hook),
        settings,
    ))
}

/// Returns the JSON schema of a directory's `hooks.toml`, with the configuration schema of each
/// hook that provides one. Errors in the settings are ignored.
///
/// # Errors
///
/// Returns an error if a component is broken, so that its schema cannot be read.
pub fn schema(
    dir: &Path,
    settings: &Settings,
    options: &LoadOptions<'_>,
) -> Result<serde_json::Value, HooksError> {
    let load_context = LoadContext::open(settings, options)?;
    let before = PreviousLoad::default();
    let loader = load_context.loader(settings, &before, options.progress);
    let hooks = loader.inspected(dir)?;
    let configs = hooks.iter().filter_map(|found| {
        let config = found.hook.config.as_ref()?;
        Some((found.hook.descriptor.id.as_str(), config.as_json()))
    });
    Ok(settings::schema_with(configs))
}

/// Creates a lock that pins the components of a directory as they are now. [`Lock::changes_since`]
/// compares it with the existing lock. [`Lock::write`] writes it to the directory.
///
/// # Errors
///
/// Returns an error if a component cannot be pinned because it does not report its id.
pub fn lock(
    dir: &Path,
    settings: &Settings,
    options: &LoadOptions<'_>,
) -> Result<Lock, HooksError> {
    let load_context = LoadContext::open(settings, options)?;
    let before = PreviousLoad::default();
    let loader = load_context.loader(settings, &before, options.progress);
    Ok(loader.pins(dir)?)
}

/// Returns the lock of a directory. A missing lock is an error if the settings require one.
pub(crate) fn lock_of(dir: &Path, settings: &Settings) -> Result<Option<Lock>, LoadErrors> {
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

/// Returns the user's cache, or `None` if it cannot be used. The cache only saves time.
fn user_cache() -> Result<Option<CompileCache>, CacheError> {
    match CompileCache::for_user() {
        Err(error @ CacheError::Io { .. }) => {
            tracing::warn!("compiled hooks are not kept: {error}");
            Ok(None)
        }
        other => other,
    }
}

/// The resources for loading hooks, kept between loads.
pub(crate) struct LoadContext {
    pub(crate) compiling: Arc<Compiling>,
    linkers: Linkers,
    pub(crate) promises: Promises,
}

impl LoadContext {
    pub(crate) fn open(settings: &Settings, options: &LoadOptions<'_>) -> Result<Self, HooksError> {
        let runtime = Arc::new(Runtime::new(&settings.engine)?);
        let cache = match &options.cache {
            CacheChoice::User => user_cache()?,
            CacheChoice::Dir(dir) => Some(CompileCache::open(dir)?),
            CacheChoice::None => None,
        };
        Ok(Self {
            compiling: Arc::new(Compiling {
                runtime,
                cache,
                compilers: Compilers::new(options.compiler.clone()),
                failed: FailedCompiles::default(),
                cancel: options.cancel.child_token(),
            }),
            linkers: Linkers::new(options.state.store().is_some()),
            promises: Promises {
                state_store: !matches!(options.state, StateStorage::Memory),
                journal: options.records_runs,
            },
        })
    }

    /// Returns a loader that follows the settings and compiles components immediately.
    pub(crate) fn loader<'a>(
        &'a self,
        settings: &'a Settings,
        before: &'a PreviousLoad,
        progress: &'a (dyn Fn(Progress<'_>) + Sync),
    ) -> Loader<'a> {
        Loader {
            compiling: &self.compiling,
            when: When::Now,
            linkers: &self.linkers,
            promises: self.promises,
            settings,
            lock: None,
            secrets: settings,
            on_mismatch: settings.integrity.on_mismatch,
            before,
            progress,
        }
    }
}
