//! What a host provides that hooks may rely on: a store, a journal.

use std::path::PathBuf;

use super::{LoadError, LoadFault, LoadedHook, Loader, Stage};
use crate::contract::{FailurePolicy, HookRole};
use crate::model::hook::{Mode, Profile};
use crate::model::state::WriteState;
use crate::model::write_run::WriteRun;

/// What a host provides that hooks may rely on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Promises {
    /// Hooks' state is kept in a store.
    pub(crate) state_store: bool,
    /// Runs are recorded in a journal.
    pub(crate) journal: bool,
}

impl Promises {
    /// What a component relies on and the host does not promise.
    pub(super) fn missing(self, hook: &LoadedHook) -> Vec<LoadFault> {
        let profile = &hook.resolved.profile;
        let state = hook.component.setup.write_state == WriteState::BeforeAnswer;
        let state = (state && !self.state_store).then(|| LoadFault::NoStateStore {
            id: profile.id.to_string(),
        });
        state.into_iter().chain(self.missing_run(profile)).collect()
    }

    /// The journal, if a hook of any sort relies on it and the host does not promise it.
    pub(crate) fn missing_run(self, profile: &Profile) -> Option<LoadFault> {
        let relies = profile.write_run == WriteRun::BeforeAnswer;
        (relies && !self.journal).then(|| LoadFault::NoJournal {
            id: profile.id.to_string(),
        })
    }

    /// When the journal has the runs of a hook of which the operator does not say it. A hook whose `own`
    /// role is to observe, and which may nevertheless refuse by failing, is an audit: its operator wants
    /// nothing to pass without a record.
    pub(super) fn write_run(
        self,
        own: HookRole,
        role: HookRole,
        failure: FailurePolicy,
        mode: Mode,
    ) -> WriteRun {
        let is_audit = own == HookRole::Observe
            && role != HookRole::Observe
            && failure == FailurePolicy::FailClosed
            && mode == Mode::Enforce;
        match is_audit && self.journal {
            true => WriteRun::BeforeAnswer,
            false => WriteRun::AfterAnswer,
        }
    }
}

impl Loader<'_> {
    /// What scripts rely on and the host does not promise.
    pub(super) fn missing_of_scripts(&self) -> Vec<LoadError> {
        let scripts = self.settings.scripts.iter();
        let enabled = scripts.filter(|(_, script)| script.enabled);
        let missing = enabled.filter_map(|(id, script)| {
            let fault = self.promises.missing_run(&script.profile(id))?;
            Some(LoadError::new(&script_file(id), Stage::Resolve, fault))
        });
        missing.collect()
    }
}

/// What errors call a script.
pub(crate) fn script_file(id: &str) -> PathBuf {
    PathBuf::from(format!("(script `{id}`)"))
}
