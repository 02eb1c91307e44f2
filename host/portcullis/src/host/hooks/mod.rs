//! A host's hooks: loaded once, opened for every session, and reloaded when they change.

mod check;
mod current;
mod hook_set;
mod load_context;
mod options;
mod quarantines;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::chain::background::Background;
use crate::chain::quarantine::Quarantined;
use crate::contract::HookRole;
use crate::host::member::{Body, Member};
use crate::host::native::NativeHook;
use crate::host::reload::{Listening, Reload, Source, Watch, WatchError, WatchOptions};
use crate::host::report::{HookReport, HookSummary, MappingUse, Sort};
use crate::host::session::{Session, SessionOptions};
use crate::load::{LoadError, LoadErrors, Progress};
use crate::model::points::PointId;
use crate::model::quarantine::SharedQuarantine;
use crate::model::state::{MemoryState, StateStoreError, StoredState};
use crate::settings::Settings;

pub use check::Checked;
pub(crate) use current::{CurrentHooks, generation, reloaded};
pub(crate) use hook_set::{HookSet, not_resolved};
pub(crate) use load_context::{LoadContext, lock_of};
pub use load_context::{inspect, lock, schema};
pub use options::{CacheChoice, HooksError, LoadOptions, StateStorage};

/// A host's hooks. Cloning is cheap: all clones share the same hooks, also after a reload.
#[derive(Clone, Default)]
pub struct Hooks {
    pub(crate) current: Arc<CurrentHooks>,
    pub(crate) background: Arc<Background>,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.current.hook_set().members.iter().map(Member::id))
            .finish()
    }
}

impl Hooks {
    /// Creates an empty set of hooks.
    pub fn none() -> Self {
        Self::default()
    }

    /// Loads the hooks of a directory according to its `hooks.toml`. Blocks: call it from a thread
    /// that may block.
    ///
    /// # Errors
    ///
    /// Returns all errors in the directory, its hooks and its settings.
    pub fn load(dir: &Path, options: &LoadOptions<'_>) -> Result<Self, HooksError> {
        Self::loaded(dir, None, options)
    }

    /// Loads the hooks of a directory with the embedder's settings, which also apply to reloads.
    ///
    /// # Errors
    ///
    /// Same as [`Hooks::load`].
    pub fn load_with(
        dir: &Path,
        settings: &Settings,
        options: &LoadOptions<'_>,
    ) -> Result<Self, HooksError> {
        Self::loaded(dir, Some(settings), options)
    }

    fn loaded(
        dir: &Path,
        settings: Option<&Settings>,
        options: &LoadOptions<'_>,
    ) -> Result<Self, HooksError> {
        let (source, hook_set) = Source::open(dir, settings, options)?;
        Ok(Self::of(hook_set, options, Some(Arc::new(source))))
    }

    /// Creates hooks from an ordered set and the source from which they are reloaded.
    fn of(hook_set: HookSet, options: &LoadOptions<'_>, source: Option<Arc<Source>>) -> Self {
        let native = options.native.clone();
        let state = options.state.store().cloned().map(MemoryState::stored);
        let state = Arc::new(state.unwrap_or_default());
        let background = Background::new(hook_set.settings.engine.concurrent_calls);
        Self {
            current: CurrentHooks::new(hook_set, native, state, source, Arc::default()),
            background: Arc::new(background),
        }
    }

    /// Returns these hooks and native hooks together, in the same chains and the same order. A
    /// reload updates both `self` and the result.
    ///
    /// # Errors
    ///
    /// Returns an error if an id is taken or invalid, or if a dependency cannot be satisfied.
    pub fn with(&self, hooks: impl IntoIterator<Item = NativeHook>) -> Result<Self, LoadErrors> {
        let hooks: Vec<NativeHook> = hooks.into_iter().collect();
        loop {
            let hook_set = self.current.hook_set();
            let mut beside = HookSet::clone(&hook_set);
            beside.put(hooks.iter().cloned())?;
            let current = CurrentHooks::new(
                beside,
                self.current.native.iter().chain(&hooks).cloned().collect(),
                self.current.state.clone(),
                self.current.source.clone(),
                self.current.quarantines.clone(),
            );
            // If a reload came before the source knew of these hooks, the loop starts over.
            if self.current.is(&hook_set) {
                return Ok(Self {
                    current,
                    background: self.background.clone(),
                });
            }
        }
    }

    /// Reloads the directory if anything in it has changed, and returns the result. Open sessions
    /// apply the new hooks at their next chain call. Calls in progress keep the old hooks. Blocks
    /// while components are compiled: call it from a thread that may block.
    ///
    /// Changes that need no compilation take effect first. Each component takes effect once it is
    /// compiled, unless it depends on others that are still being compiled. Listeners are notified
    /// of each step. The result contains the changes of all steps.
    ///
    /// If a file does not load, its hook continues as it was loaded, without the grants that the
    /// operator has revoked since. Unreadable settings, an unreadable lock, duplicate ids or an
    /// order that cannot be satisfied leave everything unchanged. Hooks that were not loaded from a
    /// directory are unchanged too.
    pub fn reload(&self) -> Reload {
        match &self.current.source {
            Some(source) => source.reload(),
            None => Reload::Unchanged,
        }
    }

    /// Watches the directory and reloads it when it has changed and settled. Watching ends when the
    /// returned [`Watch`] is dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if the hooks have no directory, or if the watching thread cannot start.
    pub fn watch(&self, options: WatchOptions) -> Result<Watch, WatchError> {
        match &self.current.source {
            Some(source) => Watch::start(source, options),
            None => Err(WatchError::NoDirectory),
        }
    }

    /// Calls `listener` after every reload step whose result is not [`Reload::Unchanged`], whoever
    /// requested it. The listener must not reload the hooks itself. Listening ends when the
    /// returned [`Listening`] is dropped.
    pub fn on_reload(&self, listener: impl Fn(&Reload) + Send + Sync + 'static) -> Listening {
        match &self.current.source {
            Some(source) => source.tells(listener),
            None => Listening::to_nothing(),
        }
    }

    /// Calls `listener` with the progress of every later reload, such as the files being compiled,
    /// whoever requested it. Listening ends when the returned [`Listening`] is dropped.
    pub fn on_progress(
        &self,
        listener: impl Fn(Progress<'_>) + Send + Sync + 'static,
    ) -> Listening {
        match &self.current.source {
            Some(source) => source.tells_progress(listener),
            None => Listening::to_nothing(),
        }
    }

    /// Returns whether `self` and `other` were loaded together from the same directory.
    pub fn are_loaded_with(&self, other: &Self) -> bool {
        match (&self.current.source, &other.current.source) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Opens a session with its own instances and its own private state.
    pub fn session(&self, options: SessionOptions) -> Session {
        Session::open(self, options)
    }

    /// Waits for detached runs, for at most `within`. Returns the number of runs that have not
    /// ended. They are lost if the process ends now.
    pub async fn drain(&self, within: Duration) -> usize {
        self.background.pending().drain(within).await
    }

    /// Returns the number of detached runs that have not ended.
    pub fn pending(&self) -> usize {
        self.background.pending().count()
    }

    /// Returns the number of component calls that wait for a free slot: see
    /// [`EngineOptions::concurrent_calls`](crate::limits::EngineOptions::concurrent_calls).
    pub fn waiting(&self) -> usize {
        self.current
            .source
            .as_ref()
            .map_or(0, |source| source.waiting())
    }

    /// Returns the errors of hooks that do not load. Such a hook was left out, or continues as it
    /// was loaded before.
    pub fn broken(&self) -> Vec<LoadError> {
        self.current.hook_set().broken.clone()
    }

    /// Returns the components that failed too often in a row and are not called for now.
    pub fn quarantined(&self) -> Vec<Quarantined> {
        let hook_set = self.current.hook_set();
        let members = hook_set.members.iter();
        members
            .filter_map(|member| {
                let profile = &member.effective.profile;
                let breaker = member.breaker()?;
                let (failures, cause, left) = breaker.quarantined()?;
                Some(Quarantined {
                    hook: profile.id.clone(),
                    component: profile.component?,
                    settings: breaker.settings(),
                    failures,
                    cause,
                    left,
                })
            })
            .collect()
    }

    /// Returns whether a quarantine belongs to one of these hooks, with the component and the
    /// settings with which the hook is loaded.
    pub fn has_quarantine(&self, quarantine: &SharedQuarantine) -> bool {
        let hook_set = self.current.hook_set();
        hook_set.members.iter().any(|member| {
            let component = member.effective.profile.component;
            let settings = member.breaker().map(|breaker| breaker.settings());
            member.id() == quarantine.hook
                && component == Some(quarantine.component)
                && settings == Some(quarantine.settings)
        })
    }

    /// Returns the differences from `hooks.lock` of components that were loaded because of
    /// [`OnMismatch::Report`](crate::settings::OnMismatch::Report).
    pub fn unpinned(&self) -> Vec<LoadError> {
        self.current.hook_set().unpinned.clone()
    }

    /// Returns a report on every component, sorted by file.
    pub fn reports(&self) -> Vec<HookReport> {
        let hook_set = self.current.hook_set();
        let members = hook_set.members.iter();
        members
            .filter_map(|member| match &member.body {
                Body::Component(found) => Some(HookReport::of(found, &[], &hook_set.settings)),
                Body::Shared(_) => None,
            })
            .collect()
    }

    /// Returns the limit on the memory mappings of instances, and the number in use. `None` if the
    /// hooks were not loaded from a directory: other hooks use none.
    pub fn memory_mappings(&self) -> Option<MappingUse> {
        self.current.source.as_ref().map(|source| source.mappings())
    }

    /// Returns a summary of every hook: components sorted by file, then scripts, then native hooks.
    pub fn summaries(&self) -> Vec<HookSummary> {
        let hook_set = self.current.hook_set();
        let members = hook_set.members.iter();
        members
            .map(|member| {
                let sort = match &member.body {
                    Body::Component(_) => Sort::Component,
                    Body::Shared(_) if hook_set.settings.scripts.contains_key(member.id()) => {
                        Sort::Script
                    }
                    Body::Shared(_) => Sort::Native,
                };
                HookSummary::of(member, sort)
            })
            .collect()
    }

    /// Returns the ids of a point's hooks in the order in which they run: deciding hooks before
    /// observers.
    pub fn order(&self, point: PointId) -> Vec<String> {
        let hook_set = self.current.hook_set();
        let order = hook_set.orders.get(&point);
        let mut members: Vec<_> = order
            .into_iter()
            .flatten()
            .filter_map(|index| hook_set.members.get(*index))
            .collect();
        members.sort_by_key(|member| member.effective.profile.role == HookRole::Observe);
        let ids = members.into_iter().map(Member::id);
        ids.map(str::to_owned).collect()
    }

    /// Returns the shared state, for the embedder to read and to initialize. If hook state is kept
    /// in a store, shared state is in the store and not here.
    pub fn state(&self) -> &MemoryState {
        &self.current.state
    }

    /// Reads the hooks' private state of a session from the store, to open the session with it.
    /// Returns `None` if hook state is only in memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the store failed, or if these hooks already have the session open.
    pub async fn stored_state(
        &self,
        session: &str,
    ) -> Result<Option<StoredState>, StateStoreError> {
        let Some(writer) = self.current.state.writer() else {
            return Ok(None);
        };
        writer.open(session).await.map(Some)
    }

    /// Writes all pending hook state to the store and waits for it. Call it before the process
    /// ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the store failed. Unwritten state is kept and written later.
    pub async fn flush_state(&self) -> Result<(), StateStoreError> {
        match self.current.state.writer() {
            Some(writer) => writer.flush().await,
            None => Ok(()),
        }
    }
}
