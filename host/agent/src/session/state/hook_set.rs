//! The hooks that a turn began with.

use std::collections::BTreeMap;

use portcullis::Hooks;
use serde::{Deserialize, Serialize};

use crate::events::AgentEvent;
use crate::journal::HookAuthority;

/// The hooks of an agent: a digest of each, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct HookSet(BTreeMap<String, String>);

impl HookSet {
    pub(crate) fn of(hooks: &Hooks) -> Self {
        Self(HookAuthority::digests(hooks))
    }

    /// Returns the event that reports that a turn which began with these hooks continues with
    /// others; `None` if they are the same.
    pub(crate) fn differs(&self, now: &Self) -> Option<AgentEvent> {
        let not_in = |here: &Self, there: &Self| -> Vec<String> {
            let ids = here.0.keys().filter(|id| !there.0.contains_key(*id));
            ids.cloned().collect()
        };
        let changed = now.0.iter().filter(|(id, digest)| {
            let before = self.0.get(*id);
            before.is_some_and(|before| before != *digest)
        });
        (self != now).then(|| AgentEvent::HooksDiffer {
            added: not_in(now, self),
            changed: changed.map(|(id, _)| id.clone()).collect(),
            removed: not_in(self, now),
        })
    }
}
