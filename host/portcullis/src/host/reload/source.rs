//! A directory from which hooks are loaded and reloaded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::changes::{self, Reload, Reloaded, StaleHook};
use super::jobs::Jobs;
use super::listen::{Listeners, Listening};
use super::snapshot::Snapshot;
use crate::host::hooks::{
    CurrentHooks, HookSet, HooksError, LoadContext, LoadOptions, lock_of, reloaded,
};
use crate::host::native::NativeHook;
use crate::host::report::MappingUse;
use crate::load::compiling::{Compiling, Later, When};
use crate::load::{
    LastHolder, LoadError, LoadErrors, LoadFault, Loaded, Loader, PreviousLoad, Progress, Stage,
};
use crate::model::secrets::SecretSource;
use crate::settings::Settings;

/// The most times a directory is read if it changes while it is read.
const MOST_READINGS: usize = 3;

/// A directory from which hooks are loaded.
pub(crate) struct Source {
    dir: PathBuf,
    /// The embedder's settings, which replace `hooks.toml`.
    fixed: Option<Arc<Settings>>,
    load_context: LoadContext,
    skip_broken: bool,
    secrets: Option<Arc<dyn SecretSource>>,
    /// The ids of the native hooks that were loaded with the directory, for which `hooks.toml` may
    /// contain settings.
    natives: Vec<String>,
    /// Held while the directory is reloaded.
    state: Mutex<State>,
    /// The [`CurrentHooks`] that receive the hooks of every reload.
    fed: Mutex<Vec<Weak<CurrentHooks>>>,
    jobs: Arc<Jobs>,
    listeners: Listeners<dyn Fn(&Reload) + Send + Sync>,
    progress_listeners: Listeners<dyn Fn(Progress<'_>) + Send + Sync>,
}

/// The result of the last load.
struct State {
    settings: Arc<Settings>,
    before: PreviousLoad,
    errors: Vec<LoadError>,
    kept: Vec<StaleHook>,
    /// The errors of the last reload, if it was refused.
    refused: Option<LoadErrors>,
    seen: Snapshot,
}

impl Source {
    /// Loads a directory for the first time. Returns the source and its hooks, with the native
    /// hooks.
    pub(crate) fn open(
        dir: &Path,
        settings: Option<&Settings>,
        options: &LoadOptions<'_>,
    ) -> Result<(Self, HookSet), HooksError> {
        // Taken first, so that later changes are detected.
        let seen = Snapshot::of(dir);
        let fixed = settings.cloned().map(Arc::new);
        let settings = match &fixed {
            Some(settings) => settings.clone(),
            None => Arc::new(Settings::of_dir(dir)?),
        };
        let source = Self {
            dir: dir.to_owned(),
            load_context: LoadContext::open(&settings, options)?,
            fixed,
            skip_broken: options.skip_broken,
            secrets: options.secrets.clone(),
            natives: native_ids(&options.native),
            state: Mutex::new(State {
                settings: settings.clone(),
                before: PreviousLoad::default(),
                errors: Vec::new(),
                kept: Vec::new(),
                refused: None,
                seen,
            }),
            fed: Mutex::default(),
            jobs: Arc::default(),
            listeners: Listeners::default(),
            progress_listeners: Listeners::default(),
        };
        let mut state = source.state();
        let loaded = source.load(&settings, &state.before, When::Now, options.progress)?;
        let hook_set = HookSet::new(
            dir,
            settings,
            &loaded,
            &options.native,
            source.load_context.promises,
        )?;
        state.remember(loaded);
        drop(state);
        Ok((source, hook_set))
    }

    /// Sets the jobs that compile components.
    #[cfg(test)]
    pub(super) fn set_jobs(&mut self, jobs: Jobs) {
        self.jobs = Arc::new(jobs);
    }

    /// Registers `current` to receive the hooks of every reload.
    pub(crate) fn feeds(&self, current: &Arc<CurrentHooks>) {
        hold(&self.fed).push(Arc::downgrade(current));
    }

    /// Registers a listener for reloads.
    pub(crate) fn tells<L: Fn(&Reload) + Send + Sync + 'static>(&self, listener: L) -> Listening {
        let listener = Arc::new(listener);
        let weak: Weak<L> = Arc::downgrade(&listener);
        self.listeners.add(weak);
        Listening::of(listener)
    }

    /// Registers a listener for the progress of reloads.
    pub(crate) fn tells_progress<L: Fn(Progress<'_>) + Send + Sync + 'static>(
        &self,
        listener: L,
    ) -> Listening {
        let listener = Arc::new(listener);
        let weak: Weak<L> = Arc::downgrade(&listener);
        self.progress_listeners.add(weak);
        Listening::of(listener)
    }

    pub(super) fn progress(&self, progress: Progress<'_>) {
        for listener in self.progress_listeners.now() {
            listener(progress);
        }
    }

    pub(super) fn compiling(&self) -> &Arc<Compiling> {
        &self.load_context.compiling
    }

    /// Returns the memory mappings of the loaded hooks.
    pub(crate) fn mappings(&self) -> MappingUse {
        let mappings = &self.load_context.compiling.runtime.mappings;
        MappingUse {
            most: mappings.most(),
            used: mappings.used(),
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.load_context.compiling.runtime.admission.waiting()
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns whether the directory looked like `snapshot` at the last load.
    pub(super) fn has_seen(&self, snapshot: &Snapshot) -> bool {
        self.state().seen == *snapshot
    }

    /// Reloads the directory until all of it is compiled. Returns the changes.
    pub(crate) fn reload(self: &Arc<Self>) -> Reload {
        let settings = self.state().settings.clone();
        let hook_sets: Vec<_> = self
            .fed()
            .into_iter()
            .map(|current| (current.hook_set(), current))
            .collect();
        let (reload, whole) = self.step();
        if whole {
            return reload;
        }
        self.jobs.wait();
        let state = self.state();
        if let Some(errors) = &state.refused {
            return Reload::Refused(errors.clone());
        }
        let mut changes = BTreeMap::new();
        for (before, current) in &hook_sets {
            changes::collect(before, &current.hook_set(), &mut changes);
        }
        Reload::Done(Reloaded {
            changes: changes.into_values().collect(),
            settings: settings.source != state.settings.source,
            kept: state.kept.clone(),
            errors: state.errors.clone(),
            compiling: self.jobs.left(),
        })
    }

    /// Loads the compiled files of the directory, starts compiling the rest, and notifies the
    /// listeners. Returns the result and whether it is complete. Newly compiled files are loaded by
    /// another step, on the compile thread.
    pub(super) fn step(self: &Arc<Self>) -> (Reload, bool) {
        let mut state = self.state();
        let later = self.jobs.done();
        let loaded = self.load_again(&mut state, &later);
        let wanted = later.into_wanted();
        let whole = wanted.is_empty();
        let (reload, read) = match loaded {
            Ok(reload) => {
                state.refused = None;
                (reload, true)
            }
            // The directory may be valid together with the components being compiled.
            Err(_) if !whole => (Reload::Unchanged, true),
            // Loading failed before the components were read, so nothing is known of them.
            Err(LoadErrors(errors)) => {
                state.errors.clone_from(&errors);
                state.refused = Some(LoadErrors(errors.clone()));
                (Reload::Refused(LoadErrors(errors)), false)
            }
        };
        if !matches!(reload, Reload::Unchanged) {
            for listener in self.listeners.now() {
                listener(&reload);
            }
        }
        // After the listeners, so that they receive this step before the next.
        if read {
            self.jobs.want(wanted, self);
        }
        (reload, whole)
    }

    /// Returns the registered [`CurrentHooks`] that still exist.
    fn fed(&self) -> Vec<Arc<CurrentHooks>> {
        upgraded(&mut hold(&self.fed))
    }

    fn load_again(&self, state: &mut State, later: &Later) -> Result<Reload, LoadErrors> {
        let (settings, loaded) = self.steady(state, later)?;
        // Held to the end: hooks that are derived from these meanwhile would keep the old set.
        let mut all = hold(&self.fed);
        let fed = upgraded(&mut all);
        // All sets are built first, so that one failure leaves all unchanged.
        let hook_sets = fed.iter().map(|current| {
            let hook_set = HookSet::new(
                &self.dir,
                settings.clone(),
                &loaded,
                &current.native,
                self.load_context.promises,
            )?;
            Ok((current, hook_set))
        });
        let hook_sets: Vec<_> = hook_sets.collect::<Result<_, LoadErrors>>()?;
        let mut changes = BTreeMap::new();
        for (current, hook_set) in &hook_sets {
            changes::collect(&current.hook_set(), hook_set, &mut changes);
        }
        for (current, hook_set) in hook_sets {
            current.put(hook_set);
        }
        let done = Reloaded {
            changes: changes.into_values().collect(),
            settings: settings.source != state.settings.source,
            kept: loaded.kept.iter().map(Into::into).collect(),
            errors: loaded.broken.clone(),
            compiling: loaded.compiling.clone(),
        };
        let same_hooks = done.changes.is_empty() && !done.settings;
        let same = same_hooks && done.errors == state.errors;
        // A file that does not load must not make every session rebuild its chains.
        if !same_hooks {
            reloaded();
        }
        state.settings = settings;
        state.kept.clone_from(&done.kept);
        state.remember(loaded);
        Ok(match same {
            true => Reload::Unchanged,
            false => Reload::Done(done),
        })
    }

    /// Loads a directory that does not change while it is read, so that all of it is consistent.
    fn steady(
        &self,
        state: &mut State,
        later: &Later,
    ) -> Result<(Arc<Settings>, Loaded), LoadErrors> {
        for _ in 0..MOST_READINGS {
            state.seen = Snapshot::of(&self.dir);
            later.restart();
            let read = self.read(state, later);
            if Snapshot::of(&self.dir) == state.seen {
                return read;
            }
        }
        let changing = LoadError::new(&self.dir, Stage::Read, LoadFault::Changing);
        Err(LoadErrors(vec![changing]))
    }

    fn read(&self, state: &State, later: &Later) -> Result<(Arc<Settings>, Loaded), LoadErrors> {
        let settings = match &self.fixed {
            Some(settings) => settings.clone(),
            None => Arc::new(Settings::of_dir(&self.dir)?),
        };
        // The engine is created once.
        if !settings.engine.goes_with(&state.settings.engine) {
            let problem =
                "takes effect only when the host restarts; restart it, or undo the change";
            let error = settings.source.error(&["engine"], problem.into());
            return Err(LoadErrors(vec![error.into()]));
        }
        let loaded = self.load(&settings, &state.before, When::Later(later), &|progress| {
            self.progress(progress)
        })?;
        Ok((settings, loaded))
    }

    fn load(
        &self,
        settings: &Settings,
        before: &PreviousLoad,
        when: When<'_>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<Loaded, LoadErrors> {
        let lock = lock_of(&self.dir, settings)?;
        let loader = self.load_context.loader(settings, before, progress);
        let loader = Loader {
            when,
            lock: lock.as_ref(),
            secrets: self.secrets.as_deref().unwrap_or(settings),
            ..loader
        };
        let scripts = settings.scripts.keys().map(String::as_str);
        let natives = self.natives.iter().map(String::as_str);
        let others: Vec<&str> = natives.chain(scripts).collect();
        loader.dir(&self.dir, &others, self.skip_broken)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        hold(&self.state)
    }
}

impl Drop for Source {
    /// Cancels compilations, since nothing uses these hooks any more.
    fn drop(&mut self) {
        self.compiling().cancel.cancel();
    }
}

impl State {
    fn remember(&mut self, loaded: Loaded) {
        let holders = loaded.found.iter().map(|found| {
            let id = found.hook.descriptor.id.clone();
            (id, LastHolder::of(found))
        });
        self.before.ids.extend(holders);
        self.before.found = loaded.found;
        self.before.again = true;
        self.errors = loaded.broken;
    }
}

/// Returns the entries that still exist and removes the others.
fn upgraded(all: &mut Vec<Weak<CurrentHooks>>) -> Vec<Arc<CurrentHooks>> {
    all.retain(|current| current.strong_count() > 0);
    all.iter().filter_map(Weak::upgrade).collect()
}

fn native_ids(hooks: &[NativeHook]) -> Vec<String> {
    hooks.iter().map(|hook| hook.id().to_owned()).collect()
}

// Ignoring poison is safe: the value is written in one step, at the end.
fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
