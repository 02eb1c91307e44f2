//! The hooks of all agents of a session, in their chains.

use std::sync::Arc;

use super::hook_set::{Host, SessionHookSet};
use crate::chain::chains::Chains;
use crate::model::limits::TurnLimits;
use crate::model::secrets::AllSecrets;

/// The hooks of all agents of a session, in their chains. It does not change: what is loaded again
/// makes another one.
pub(crate) struct HookSets {
    pub(super) chains: Chains,
    /// The hooks of the agent's parents, outermost first, and its own.
    pub(super) sets: Vec<Arc<SessionHookSet>>,
    /// Whether the first set was put in front of them for a while.
    pub(super) has_front: bool,
}

impl std::fmt::Debug for HookSets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.chains.fmt(f)
    }
}

impl HookSets {
    /// Adds the secrets that any of the hooks was granted.
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

    /// The same sets, of which the first stands in front for a while or not.
    pub(super) fn with_front(self, has_front: bool) -> Self {
        Self { has_front, ..self }
    }

    /// The sets without the one in front.
    pub(super) fn own(&self) -> &[Arc<SessionHookSet>] {
        let from = usize::from(self.has_front);
        self.sets.get(from..).unwrap_or_default()
    }

    /// The stack with the current hooks; nothing if these are they.
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

    /// This stack with what was put in by hand since, as `now` has it; nothing if that is nothing.
    /// What the embedder adds holds for calls that wait, too: it is no other version of anything.
    pub(super) fn with_added(&self, now: &Self, host: &Host) -> Option<Self> {
        let mut pairs = self.sets.iter().zip(&now.sets);
        let same = self.sets.len() == now.sets.len();
        if same && pairs.all(|(then, now)| then.is_of(now) && then.added() == now.added()) {
            return None;
        }
        let sets = now.sets.iter().map(|now| {
            let then = self.sets.iter().find(|then| then.is_of(now));
            // What does not fit among the hooks of that time is added to the current ones.
            let then = then.and_then(|then| then.with_added(now, host).ok());
            then.map_or_else(|| now.clone(), Arc::new)
        });
        Some(Self::new(sets.collect()).with_front(now.has_front))
    }

    /// What components may use in a turn, as the outermost agent's settings say.
    pub(super) fn turn_limits(&self) -> TurnLimits {
        let outermost = self.own().first();
        outermost.map_or_else(TurnLimits::default, |set| set.turn_limits())
    }
}
