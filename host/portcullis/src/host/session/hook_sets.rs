//! The hooks of all agents of a session, in their chains.

use std::sync::Arc;

use super::layer::{Host, SessionHookSet};
use crate::chain::chains::Chains;
use crate::model::limits::TurnLimits;
use crate::model::secrets::AllSecrets;

/// The hooks of all agents of a session, in their chains. It does not change: what is loaded again
/// makes another one.
pub(crate) struct HookSets {
    pub(super) chains: Chains,
    /// The hooks of the agent's parents, outermost first, and its own.
    pub(super) layers: Vec<Arc<SessionHookSet>>,
    /// Whether the first layer was put in front of them for a while.
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
        self.layers.iter().for_each(|it| all.add(it.secrets()));
    }

    pub(super) fn new(layers: Vec<Arc<SessionHookSet>>) -> Self {
        let mut chains = Chains::default();
        for layer in &layers {
            layer.chain(&mut chains);
        }
        Self {
            chains,
            layers,
            has_front: false,
        }
    }

    /// The same layers, of which the first stands in front for a while or not.
    pub(super) fn with_front(self, has_front: bool) -> Self {
        Self { has_front, ..self }
    }

    /// The layers without the one in front.
    pub(super) fn own(&self) -> &[Arc<SessionHookSet>] {
        let from = usize::from(self.has_front);
        self.layers.get(from..).unwrap_or_default()
    }

    /// The stack with the current hooks; nothing if these are they.
    pub(super) fn renewed(&self, host: &Host) -> Option<Self> {
        let mut changed = false;
        let layers = self.layers.iter().map(|layer| match layer.renewed(host) {
            Some(renewed) => {
                changed = true;
                Arc::new(renewed)
            }
            None => layer.clone(),
        });
        let layers = layers.collect();
        changed.then(|| Self::new(layers).with_front(self.has_front))
    }

    /// This stack with what was put in by hand since, as `now` has it; nothing if that is nothing.
    /// What the embedder adds holds for calls that wait, too: it is no other version of anything.
    pub(super) fn with_added(&self, now: &Self, host: &Host) -> Option<Self> {
        let mut pairs = self.layers.iter().zip(&now.layers);
        let same = self.layers.len() == now.layers.len();
        if same && pairs.all(|(then, now)| then.is_of(now) && then.added() == now.added()) {
            return None;
        }
        let layers = now.layers.iter().map(|now| {
            let then = self.layers.iter().find(|then| then.is_of(now));
            // What does not fit among the hooks of that time is added to the current ones.
            let then = then.and_then(|then| then.with_added(now, host).ok());
            then.map_or_else(|| now.clone(), Arc::new)
        });
        Some(Self::new(layers.collect()).with_front(now.has_front))
    }

    /// What components may use in a turn, as the outermost agent's settings say.
    pub(super) fn turn_limits(&self) -> TurnLimits {
        let outermost = self.own().first();
        outermost.map_or_else(TurnLimits::default, |layer| layer.turn_limits())
    }
}
