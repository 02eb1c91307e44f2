//! The hooks of all agents of a session, in their chains.

use std::sync::Arc;

use super::hook_set::{Host, SessionHookSet};
use crate::chain::chains::Chains;
use crate::model::limits::TurnLimits;
use crate::model::secrets::AllSecrets;

/// The hooks of all agents of a session, in their chains. Immutable: a reload creates a new one.
pub(crate) struct HookSets {
    pub(super) chains: Chains,
    /// The hooks of the agent's parents, outermost first, and its own.
    pub(super) sets: Vec<Arc<SessionHookSet>>,
    /// Whether the first set contains the front hooks.
    pub(super) has_front: bool,
}

impl std::fmt::Debug for HookSets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.chains.fmt(f)
    }
}

impl HookSets {
    /// Adds the secrets that any of the hooks was granted to `all`.
    pub(super) fn add_secrets(&self, all: &AllSecrets) {
        self.sets.iter().for_each(|it| all.add(it.secrets()));
    }

    pub(super) fn new(sets: Vec<Arc<SessionHookSet>>) -> Self {
        let mut chains = Chains::default();
        for set in &sets {
            set.chain(&mut chains);
        }
        Self {
            chains,
            sets,
            has_front: false,
        }
    }

    /// Returns the same sets; `has_front` says whether the first contains the front hooks.
    pub(super) fn with_front(self, has_front: bool) -> Self {
        Self { has_front, ..self }
    }

    /// Returns the sets without the front hooks.
    pub(super) fn own(&self) -> &[Arc<SessionHookSet>] {
        let from = usize::from(self.has_front);
        self.sets.get(from..).unwrap_or_default()
    }

    /// Returns the sets with the current hooks, or `None` if these sets are current.
    pub(super) fn renewed(&self, host: &Host) -> Option<Self> {
        let mut changed = false;
        let sets = self.sets.iter().map(|set| match set.renewed(host) {
            Some(renewed) => {
                changed = true;
                Arc::new(renewed)
            }
            None => set.clone(),
        });
        let sets = sets.collect();
        changed.then(|| Self::new(sets).with_front(self.has_front))
    }

    /// Returns these sets with the hooks that the embedder has added since, from `now`, or `None`
    /// if there are none. Added hooks also apply to waiting calls, since they replace no other
    /// version.
    pub(super) fn with_added(&self, now: &Self, host: &Host) -> Option<Self> {
        let mut pairs = self.sets.iter().zip(&now.sets);
        let same = self.sets.len() == now.sets.len();
        if same && pairs.all(|(then, now)| then.is_of(now) && then.added() == now.added()) {
            return None;
        }
        let sets = now.sets.iter().map(|now| {
            let then = self.sets.iter().find(|then| then.is_of(now));
            // Added hooks that do not fit the earlier hooks are combined with the current ones.
            let then = then.and_then(|then| then.with_added(now, host).ok());
            then.map_or_else(|| now.clone(), Arc::new)
        });
        Some(Self::new(sets.collect()).with_front(now.has_front))
    }

    /// Returns the components' limits for a turn, from the outermost agent's settings.
    pub(super) fn turn_limits(&self) -> TurnLimits {
        let outermost = self.own().first();
        outermost.map_or_else(TurnLimits::default, |set| set.turn_limits())
    }
}
