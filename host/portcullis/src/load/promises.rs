//! The host services on which hooks may rely: a store, a journal.

use std::path::PathBuf;

use super::{LoadError, LoadFault, LoadedHook, Loader, Stage};
use crate::contract::{FailurePolicy, HookRole};
use crate::model::hook::{Mode, Profile};
use crate::model::state::WriteState;
use crate::model::write_run::WriteRun;

/// The host services on which hooks may rely.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Promises {
    /// Whether hook state is kept in a store.
    pub(crate) state_store: bool,
    /// Whether runs are recorded in a journal.
    pub(crate) journal: bool,
}

impl Promises {
    /// Returns faults for the services on which a component relies and that the host does not
    /// promise.
    pub(super) fn missing(self, hook: &LoadedHook) -> Vec<LoadFault> {
        let profile = &hook.resolved.profile;
        let state = hook.component.setup.write_state == WriteState::BeforeAnswer;
        let state = (state && !self.state_store).then(|| LoadFault::NoStateStore {
            id: profile.id.to_string(),
        });
        state.into_iter().chain(self.missing_run(profile)).collect()
    }

    /// Returns a fault if a hook of any sort relies on the journal and the host does not promise
    /// one.
    pub(crate) fn missing_run(self, profile: &Profile) -> Option<LoadFault> {
        let relies = profile.write_run == WriteRun::BeforeAnswer;
        (relies && !self.journal).then(|| LoadFault::NoJournal {
            id: profile.id.to_string(),
        })
    }

    /// Returns the default time at which a hook's runs are written to the journal. A hook whose
    /// `own` role is to observe, but which may refuse by failing, is an audit: its operator wants
    /// no call to pass without a record.
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
    /// Returns errors for the services on which scripts rely and that the host does not promise.
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

/// Returns the path by which errors refer to a script.
pub(crate) fn script_file(id: &str) -> PathBuf {
    PathBuf::from(format!("(script `{id}`)"))
}
