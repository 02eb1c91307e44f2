//! A host's hooks: loaded once, opened for every session, and loaded again when they change.

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

/// A host's hooks. Cheap to clone: all clones are the same hooks, also when they are loaded again.
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
        Self::loaded(dir, None, options)
    }

    /// The same, with settings of the embedder's, which hold also when the hooks are loaded again.
    ///
    /// # Errors
    ///
    /// As [`Hooks::load`].
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

    /// Hooks in their order, and where they are loaded from again.
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

    /// These hooks and native ones beside them, in the same chains and the same order. What is
    /// loaded again takes effect for both.
    ///
    /// # Errors
    ///
    /// An id that is taken or none, a dependency that cannot be kept.
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
            // Loaded again just now, before the source knew of these: they begin anew.
            if self.current.is(&hook_set) {
                return Ok(Self {
                    current,
                    background: self.background.clone(),
                });
            }
        }
    }

    /// Loads the directory again, where anything in it has changed, and returns the result. Open
    /// sessions apply the new hooks at their next call of a chain; calls that are under way keep
    /// the old. Blocks while components are compiled: call it from a thread that may.
    ///
    /// What needs no compiler takes effect before anything is compiled, and each component once it is
    /// compiled, unless it only fits together with others. Listeners are notified of each such step; the
    /// result is what all of them changed.
    ///
    /// A file that does not load leaves the hook running that it was loaded as, without what the
    /// operator has taken from it since. Settings or a lock that cannot be read, ids that are there twice and an order that cannot be kept leave all as it
    /// was. Hooks that were not loaded from a directory stay as they are.
    pub fn reload(&self) -> Reload {
        match &self.current.source {
            Some(source) => source.reload(),
            None => Reload::Unchanged,
        }
    }

    /// Watches the directory, and loads it again when it has changed and settled. Ends when what
    /// it gives is dropped.
    ///
    /// # Errors
    ///
    /// There is no directory, or no thread to watch it.
    pub fn watch(&self, options: WatchOptions) -> Result<Watch, WatchError> {
        match &self.current.source {
            Some(source) => Watch::start(source, options),
            None => Err(WatchError::NoDirectory),
        }
    }

    /// Calls `listener` whenever the directory was loaded again, whoever asked for it and whatever
    /// came of it, unless nothing has changed. It must not load the hooks again itself. Ends when what
    /// this gives is dropped.
    pub fn on_reload(&self, listener: impl Fn(&Reload) + Send + Sync + 'static) -> Listening {
        match &self.current.source {
            Some(source) => source.tells(listener),
            None => Listening::to_nothing(),
        }
    }

    /// Calls `listener` with the progress of every reload from now on, such as which files are being
    /// compiled, whoever asked for it. Ends when what this gives is dropped.
    pub fn on_progress(
        &self,
        listener: impl Fn(Progress<'_>) + Send + Sync + 'static,
    ) -> Listening {
        match &self.current.source {
            Some(source) => source.tells_progress(listener),
            None => Listening::to_nothing(),
        }
    }

    /// Whether these hooks and those are loaded from the same directory, together.
    pub fn are_loaded_with(&self, other: &Self) -> bool {
        match (&self.current.source, &other.current.source) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Opens a session: instances of its own, and private state of its own.
    pub fn session(&self, options: SessionOptions) -> Session {
        Session::open(self, options)
    }

    /// Waits for detached runs, for no longer than this. Gives how many
    /// have not ended; they are lost if the process ends now.
    pub async fn drain(&self, within: Duration) -> usize {
        self.background.pending().drain(within).await
    }

    /// How many detached runs have not ended.
    pub fn pending(&self) -> usize {
        self.background.pending().count()
    }

    /// How many calls of components wait until there is room for one more: see
    /// [`EngineOptions::concurrent_calls`](crate::limits::EngineOptions::concurrent_calls).
    pub fn waiting(&self) -> usize {
        self.current
            .source
            .as_ref()
            .map_or(0, |source| source.waiting())
    }

    /// What does not load: it was left out, or, where it was loaded before, continues as it was loaded.
    pub fn broken(&self) -> Vec<LoadError> {
        self.current.hook_set().broken.clone()
    }

    /// The components that failed too often in a row and are left alone for now.
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

    /// Whether a quarantine is that of one of these hooks, with the component and the settings that it is loaded with.
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

    /// What differs from `hooks.lock` and was still loaded, since
    /// [`OnMismatch::Report`](crate::settings::OnMismatch::Report) says so.
    pub fn unpinned(&self) -> Vec<LoadError> {
        self.current.hook_set().unpinned.clone()
    }

    /// What there is to say of every component, by file.
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

    /// The memory mappings that instances may have and have. `None` if the hooks were not loaded from a
    /// directory: others have none.
    pub fn memory_mappings(&self) -> Option<MappingUse> {
        self.current.source.as_ref().map(|source| source.mappings())
    }

    /// A summary of every hook, of whatever sort: components by file, then scripts, then native hooks.
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

    /// The ids of a point's hooks, in the order they run: those that observe after those that
    /// decide.
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

    /// The state that hooks share, for the embedder to read and to set up. Where hooks' state is kept
    /// in a store, shared state is there and not here.
    pub fn state(&self) -> &MemoryState {
        &self.current.state
    }

    /// Reads what hooks remember of a session from the store, to open the session with. Nothing if
    /// hooks' state is in memory alone.
    ///
    /// # Errors
    ///
    /// The store failed, or these hooks have the session open already.
    pub async fn stored_state(
        &self,
        session: &str,
    ) -> Result<Option<StoredState>, StateStoreError> {
        let Some(writer) = self.current.state.writer() else {
            return Ok(None);
        };
        writer.open(session).await.map(Some)
    }

    /// Has the store take all that hooks wrote and that it does not have yet, and waits for it. Call it
    /// before the process ends.
    ///
    /// # Errors
    ///
    /// The store failed. What it did not take is kept, and tried again.
    pub async fn flush_state(&self) -> Result<(), StateStoreError> {
        match self.current.state.writer() {
            Some(writer) => writer.flush().await,
            None => Ok(()),
        }
    }
}
