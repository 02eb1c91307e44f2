//! What a host promises, which hooks may rely on.

use super::{LoadFault, LoadedHook};
use crate::model::state::WriteState;
use crate::model::write_run::WriteRun;

/// What a host promises, which hooks may rely on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promises {
    /// Hooks' state is kept in a store.
    pub(crate) state_store: bool,
    /// Runs are recorded in a journal.
    pub(crate) journal: bool,
}

impl Promises {
    /// What a hook relies on and the host does not promise.
    pub(super) fn missing(self, hook: &LoadedHook) -> Vec<LoadFault> {
        let id = || hook.resolved.profile.id.to_string();
        let state = hook.component.setup.write_state == WriteState::BeforeAnswer;
        let run = hook.resolved.profile.write_run == WriteRun::BeforeAnswer;
        let state = (state && !self.state_store).then(|| LoadFault::NoStateStore { id: id() });
        let run = (run && !self.journal).then(|| LoadFault::NoJournal { id: id() });
        state.into_iter().chain(run).collect()
    }
}
