//! The result of a reload.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::contract::{FailurePolicy, HookRole};
use crate::host::hooks::HookSet;
use crate::host::member::{Body, Member};
use crate::load::{LoadError, LoadErrors, LocatedHook};
use crate::model::hook::{HookId, Mode};
use crate::model::share::Share;
use crate::model::verdict::Digest;

/// The result of reloading the hooks.
#[derive(Debug, Clone)]
pub enum Reload {
    /// Nothing changed.
    Unchanged,
    /// The hooks that load are in effect.
    Done(Reloaded),
    /// Nothing took effect: everything runs as it did after the previous load.
    Refused(LoadErrors),
}

/// The changes of a reload.
#[derive(Debug, Clone, Default)]
pub struct Reloaded {
    /// The changed hooks, sorted by id.
    pub changes: Vec<HookChange>,
    /// Whether `hooks.toml` changed.
    pub settings: bool,
    /// The hooks that continue as they were loaded because their files do not load.
    pub kept: Vec<StaleHook>,
    /// The errors of files that do not load.
    pub errors: Vec<LoadError>,
    /// The files that are being compiled. Their hooks continue as they were loaded, without the
    /// grants that the operator has revoked since, or are not present yet. Another reload follows.
    pub compiling: Vec<PathBuf>,
}

/// A changed hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookChange {
    /// The hook's id.
    pub hook: HookId,
    /// The kind of change.
    pub change: ChangeKind,
    /// The digest of the component that answered before, if one did.
    pub before: Option<Digest>,
    /// The digest of the component that answers from now on, if one does. Equal to `before` if only
    /// the hook's settings changed.
    pub after: Option<Digest>,
    /// Whether the hook was a guard and no longer is: it could refuse or change things, and is now
    /// removed, disabled, in audit mode, an observer, or withheld while it fails open. Also set if
    /// it still is a guard, but in a smaller share of sessions.
    pub disarmed: bool,
}

/// The kind of change to a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// The hook is new.
    Added,
    /// The hook or its settings changed.
    Changed,
    /// The hook is gone.
    Removed,
}

/// A hook that continues as it was loaded because its file does not load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaleHook {
    /// The hook's id.
    pub hook: HookId,
    /// The digest of the component that runs.
    pub component: Digest,
    /// The file that does not load.
    pub file: PathBuf,
    /// Whether the hook is disabled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
    /// The revoked grants that the hook uses, as written in `hooks.toml`. If there are any, the
    /// hook does not run and its failure policy decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revoked: Vec<String>,
}

impl From<&LocatedHook> for StaleHook {
    fn from(found: &LocatedHook) -> Self {
        Self {
            hook: found.hook.resolved.profile.id.clone(),
            component: found.hook.digest,
            file: found.file.clone(),
            off: found.amended.off,
            revoked: found.amended.revoked.clone(),
        }
    }
}

impl Reloaded {
    /// Returns the changes of hooks that were guards and no longer are.
    pub fn disarmed(&self) -> impl Iterator<Item = &HookChange> {
        self.changes.iter().filter(|change| change.disarmed)
    }
}

/// Adds the differences between two sets of hooks, by id.
pub(super) fn collect(old: &HookSet, new: &HookSet, changes: &mut BTreeMap<String, HookChange>) {
    let ids = old.members.iter().chain(&new.members).map(Member::id);
    for id in ids {
        let (before, after) = (old.member(id), new.member(id));
        let change = match (before, after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            (Some(before), Some(after)) if is_same(before, after, old, new) => continue,
            _ => ChangeKind::Changed,
        };
        let component = |member: Option<&Member>| member?.effective.profile.component;
        let change = HookChange {
            hook: id.into(),
            change,
            before: component(before),
            after: component(after),
            disarmed: after.map_or(0.0, guarded) < before.map_or(0.0, guarded),
        };
        changes.insert(id.to_owned(), change);
    }
}

/// Returns whether no change to a hook is visible to a call.
fn is_same(before: &Member, after: &Member, old: &HookSet, new: &HookSet) -> bool {
    let same_body = match (&before.body, &after.body) {
        (Body::Component(before), Body::Component(after)) => before.is_same(after),
        (Body::Shared(_), Body::Shared(_)) => {
            // Native code does not change; a script changes with its settings.
            old.settings.scripts.get(before.id()) == new.settings.scripts.get(after.id())
        }
        _ => false,
    };
    same_body && before.effective == after.effective
}

/// Returns the share of sessions in which a hook can refuse or change anything.
fn guarded(member: &Member) -> f64 {
    let profile = &member.effective.profile;
    // A withheld hook that fails open guards nothing.
    let runs = !member.is_withheld() || profile.failure == FailurePolicy::FailClosed;
    let decides = profile.mode == Mode::Enforce && profile.role != HookRole::Observe;
    match member.effective.enabled && runs && decides {
        true => profile.share.map_or(1.0, Share::get),
        false => 0.0,
    }
}
