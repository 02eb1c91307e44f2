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

/// The result of loading the hooks again.
#[derive(Debug, Clone)]
pub enum Reload {
    /// Nothing is different.
    Unchanged,
    /// What loads is in effect.
    Done(Reloaded),
    /// Nothing of it is in effect: all runs as it did, or as the reload before left it.
    Refused(LoadErrors),
}

/// What is different from before.
#[derive(Debug, Clone, Default)]
pub struct Reloaded {
    /// The hooks that are different, by id.
    pub changes: Vec<HookChange>,
    /// Whether `hooks.toml` is another one.
    pub settings: bool,
    /// The hooks that continue as they were loaded, since their files do not load.
    pub kept: Vec<StaleHook>,
    /// What does not load, and why.
    pub errors: Vec<LoadError>,
    /// The files that are being compiled. Their hooks continue as they were loaded, without what the
    /// operator has taken from them since, or are not there yet. Another reload follows.
    pub compiling: Vec<PathBuf>,
}

/// A hook that is different from before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookChange {
    /// The hook.
    pub hook: HookId,
    /// What became of it.
    pub change: ChangeKind,
    /// The digest of the component that answered before, if one did.
    pub before: Option<Digest>,
    /// The digest of the component that answers from now on, if one does. The same as before where
    /// only what is said of the hook changed.
    pub after: Option<Digest>,
    /// Whether it was a guard, and is none any more: it could refuse or change things, and now is
    /// gone, disabled, audited only, observing, or let by since it may not run. Or it still is one, in a smaller share of
    /// sessions.
    pub disarmed: bool,
}

/// What became of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// It was not there.
    Added,
    /// It, or what is said of it, is another.
    Changed,
    /// It is not there any more.
    Removed,
}

/// A hook that continues as it was loaded, since its file does not load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaleHook {
    /// The hook.
    pub hook: HookId,
    /// The digest of the component that runs.
    pub component: Digest,
    /// The file that does not load.
    pub file: PathBuf,
    /// Whether it is disabled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
    /// What it uses and was granted, and is granted no more, as `hooks.toml` writes it. If there is
    /// anything it does not run, and its failure policy decides.
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
    /// The hooks that were guards, and are none any more.
    pub fn disarmed(&self) -> impl Iterator<Item = &HookChange> {
        self.changes.iter().filter(|change| change.disarmed)
    }
}

/// Adds what is different between two sets of hooks, by id.
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

/// Whether nothing changed about a hook that a call could tell.
fn is_same(before: &Member, after: &Member, old: &HookSet, new: &HookSet) -> bool {
    let same_body = match (&before.body, &after.body) {
        (Body::Component(before), Body::Component(after)) => before.is_same(after),
        (Body::Shared(_), Body::Shared(_)) => {
            // Code of the embedder's is what it was; a script is what the settings say.
            old.settings.scripts.get(before.id()) == new.settings.scripts.get(after.id())
        }
        _ => false,
    };
    same_body && before.effective == after.effective
}

/// The share of sessions in which a hook can refuse or change anything.
fn guarded(member: &Member) -> f64 {
    let profile = &member.effective.profile;
    // Where its failure lets a call continue, nothing guards it.
    let runs = !member.is_withheld() || profile.failure == FailurePolicy::FailClosed;
    let decides = profile.mode == Mode::Enforce && profile.role != HookRole::Observe;
    match member.effective.enabled && runs && decides {
        true => profile.share.map_or(1.0, Share::get),
        false => 0.0,
    }
}
