//! A hook of any sort as it stands in a host: a component, a native hook or a script.

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

/// A hook as it stands in a host.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) effective: Effective,
    pub(crate) points: PointSet,
    pub(crate) body: Body,
}

/// What answers.
#[derive(Clone)]
pub(crate) enum Body {
    /// A component, of which every session has instances of its own.
    Component(LocatedHook),
    /// Anything else: all sessions share it.
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

    /// A native hook as the settings say. Its author is the embedder, who grants it what it
    /// contributes by putting it in; the operator may take that away again.
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

    /// A script, run in this directory.
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

    /// The hook as it stands in a session, of which this is the outermost agent's: one of which only a share of sessions
    /// takes the answers is audited in the others.
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

    /// Whether it must not be called, since what it uses was taken back.
    pub(crate) fn is_withheld(&self) -> bool {
        matches!(&self.body, Body::Component(found) if !found.amended.revoked.is_empty())
    }

    /// What its component did lately, if it is one.
    pub(crate) fn breaker(&self) -> Option<&Arc<Breaker>> {
        match &self.body {
            Body::Component(found) => Some(&found.hook.breaker),
            Body::Shared(_) => None,
        }
    }

    /// Whether its runs end soon, unless something keeps them waiting.
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

/// A member in a session: what answers, and where its detached runs go.
pub(crate) struct SessionHook {
    pub(crate) member: Member,
    pub(crate) handlers: Handlers,
    pub(crate) run_queue: Option<Arc<RunQueue>>,
}

impl SessionHook {
    /// The hook of a member in a session. Where it had one `before`, its detached runs continue where
    /// they went, so that they keep their order.
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

    /// Whether it is a component's, as it stands now.
    pub(crate) fn is_of(&self, found: &LocatedHook) -> bool {
        matches!(&self.member.body, Body::Component(own) if own.is_same(found))
    }
}
