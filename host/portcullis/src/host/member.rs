//! A host's hook of any sort: a component, a native hook or a script.

use std::path::Path;
use std::sync::Arc;

use crate::chain::background::RunQueue;
use crate::chain::handlers::Handlers;
use crate::chain::order::Entry;
use crate::chain::quarantine::Breaker;
use crate::host::native::NativeHook;
use crate::load::{
    DEFAULT_PRIORITY, Effective, LoadFault, LocatedHook, Promises, effective, not_to_contribute,
};
use crate::model::hook::Profile;
use crate::model::points::PointSet;
use crate::script::ScriptHook;
use crate::settings::{HookSettings, ScriptSettings, Settings};

/// A host's hook of any sort.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) effective: Effective,
    pub(crate) points: PointSet,
    pub(crate) body: Body,
}

/// The implementation of a hook.
#[derive(Clone)]
pub(crate) enum Body {
    /// A component. Every session has its own instances of it.
    Component(LocatedHook),
    /// A native hook or a script. All sessions share it.
    Shared(Arc<Handlers>),
}

impl Member {
    pub(crate) fn component(found: LocatedHook, settings: &Settings) -> Self {
        let resolved = &found.hook.resolved;
        let after = found.amended.after.as_ref();
        Self {
            effective: Effective {
                profile: resolved.profile.clone(),
                enabled: resolved.enabled && !found.amended.off,
                capped: settings.caps(resolved.profile.id.as_str()),
                priority: resolved.priority,
                after: after.unwrap_or(&resolved.after).clone(),
            },
            points: found.hook.component.info.points.clone(),
            body: Body::Component(found),
        }
    }

    /// Creates the member of a native hook with its settings applied. Its author is the embedder,
    /// who grants its contributions by adding it. The operator may revoke them.
    pub(crate) fn native(
        hook: NativeHook,
        settings: &Settings,
        promises: Promises,
    ) -> Result<Self, LoadFault> {
        let no_overrides = HookSettings::default();
        let overrides = settings.hooks.get(hook.id()).unwrap_or(&no_overrides);
        let limits = overrides.limits.over(&settings.defaults.limits);
        let effective = effective(&hook.declared, overrides, &limits, None, promises)?;
        if effective.enabled
            && overrides.grants.contribute.is_some()
            && let Some(fault) =
                not_to_contribute(hook.id(), &hook.declared.contributes, &overrides.grants).pop()
        {
            return Err(fault);
        }
        let missing = promises.missing_run(&effective.profile);
        if let Some(fault) = missing.filter(|_| effective.enabled) {
            return Err(fault);
        }
        Ok(Self {
            effective,
            points: hook.points(),
            body: Body::Shared(Arc::new(hook.handlers)),
        })
    }

    /// Creates the member of a script that runs in this directory.
    pub(crate) fn script(
        id: &str,
        script: &ScriptSettings,
        dir: &Path,
        settings: &Settings,
    ) -> Self {
        let command = script.command(dir, &settings.defaults);
        let hook = ScriptHook::new(id.into(), command);
        let points = script.points.iter().copied().collect();
        Self {
            effective: Effective {
                profile: Arc::new(Profile {
                    most_contributions: settings.defaults.limits.contributions,
                    ..script.profile(id)
                }),
                enabled: script.enabled,
                capped: false,
                priority: script.priority.unwrap_or(DEFAULT_PRIORITY),
                after: script.after.clone(),
            },
            body: Body::Shared(Arc::new(Handlers::of(hook, &points))),
            points,
        }
    }

    /// Returns the hook for a session; `root` is the id of the outermost agent's session. A hook
    /// whose answers count only in a share of sessions runs in audit mode in the others.
    pub(crate) fn in_session(&self, root: &str) -> Self {
        let profile = &self.effective.profile;
        let mode = profile.mode_in(root);
        let mut member = self.clone();
        if mode != profile.mode {
            member.effective.profile = Arc::new(Profile {
                mode,
                ..Profile::clone(profile)
            });
        }
        member
    }

    pub(crate) fn id(&self) -> &str {
        self.effective.profile.id.as_str()
    }

    /// Returns whether the hook must not be called because a grant that it uses was revoked.
    pub(crate) fn is_withheld(&self) -> bool {
        matches!(&self.body, Body::Component(found) if !found.amended.revoked.is_empty())
    }

    /// Returns the breaker of the component, if the hook is a component.
    pub(crate) fn breaker(&self) -> Option<&Arc<Breaker>> {
        match &self.body {
            Body::Component(found) => Some(&found.hook.breaker),
            Body::Shared(_) => None,
        }
    }

    /// Returns whether the hook's runs end soon, unless something keeps them waiting.
    pub(crate) fn ends_soon(&self) -> bool {
        match &self.body {
            Body::Component(found) => found.hook.component.ends_soon(),
            Body::Shared(_) => false,
        }
    }

    pub(crate) fn entry(&self) -> Entry<'_> {
        Entry {
            id: self.id(),
            enabled: self.effective.enabled,
            capped: self.effective.capped,
            priority: self.effective.priority,
            after: &self.effective.after,
            points: &self.points,
        }
    }
}

/// A member in a session, with its handlers and the queue of its detached runs.
pub(crate) struct SessionHook {
    pub(crate) member: Member,
    pub(crate) handlers: Handlers,
    pub(crate) run_queue: Option<Arc<RunQueue>>,
}

impl SessionHook {
    /// Creates the session hook of a member. If the member had one in `before`, its detached runs
    /// continue in the same queue, so that they keep their order.
    pub(crate) fn new(member: Member, handlers: Handlers, before: &[Self]) -> Self {
        let profile = &member.effective.profile;
        let same = |hook: &&Self| {
            let other = &hook.member.effective.profile;
            other.id == profile.id && other.execution == profile.execution
        };
        let run_queue = profile.is_detached().then(|| {
            let run_queue = before
                .iter()
                .find(same)
                .and_then(|hook| hook.run_queue.clone());
            run_queue.unwrap_or_default()
        });
        Self {
            member,
            handlers,
            run_queue,
        }
    }

    /// Returns whether this is the hook of `found` in its current form.
    pub(crate) fn is_of(&self, found: &LocatedHook) -> bool {
        matches!(&self.member.body, Body::Component(own) if own.is_same(found))
    }
}
