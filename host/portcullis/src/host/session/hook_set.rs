//! The hooks of one agent in a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::chain::chains::Chains;
use crate::chain::handlers::{Handlers, HookEntry};
use crate::chain::order::{self, Orders};
use crate::chain::recorded::Recorder;
use crate::host::hooks::{CurrentHooks, HookSet, not_resolved};
use crate::host::member::{Body, Member, SessionHook};
use crate::host::native::NativeHook;
use crate::host::revoked::RevokedHook;
use crate::load::LoadErrors;
use crate::model::limits::TurnLimits;
use crate::model::points::PointId;
use crate::model::purpose::Purpose;
use crate::model::secrets::Secrets;
use crate::model::sink::HookObserver;
use crate::model::state::StoredState;
use crate::model::write_run::WriteRun;
use crate::sandbox::capabilities::SessionModel;
use crate::sandbox::component_hook::{ComponentHook, SessionKey};

/// The session data that instances need.
#[derive(Clone)]
pub(super) struct Host {
    pub(super) session: Arc<str>,
    /// The outermost agent's session.
    pub(super) root: Arc<str>,
    pub(super) sink: Arc<dyn HookObserver>,
    pub(super) model: Arc<SessionModel>,
    /// The session's state in the store, if it is kept in one.
    pub(super) state: Option<StoredState>,
}

impl Host {
    fn recorder(&self) -> Recorder {
        Recorder {
            session: self.session.clone(),
            sink: self.sink.clone(),
        }
    }
}

/// The hooks of one agent in a session.
pub(super) struct SessionHookSet {
    current: Arc<CurrentHooks>,
    /// The loaded hooks that were applied last.
    hook_set: Arc<HookSet>,
    /// The native hooks that were added for this session only.
    added: Vec<NativeHook>,
    hooks: Vec<SessionHook>,
    orders: Orders,
    pub(super) opening: Arc<SessionKey>,
    recorder: Recorder,
}

impl SessionHookSet {
    /// Opens the hooks of an agent. Agent 0 is the outermost.
    pub(super) fn open(current: &Arc<CurrentHooks>, host: &Host, agent: u32) -> Self {
        static OPENINGS: AtomicU64 = AtomicU64::new(1);
        let opening = Arc::new(SessionKey {
            number: OPENINGS.fetch_add(1, Ordering::Relaxed),
            state: current.state.clone(),
        });
        if let Some(stored) = &host.state {
            opening.open(agent, stored);
        }
        let hook_set = current.hook_set();
        Self {
            current: current.clone(),
            hooks: session_hooks(&hook_set, &opening, &[], host),
            orders: hook_set.orders.clone(),
            hook_set,
            added: Vec::new(),
            opening,
            recorder: host.recorder(),
        }
    }

    /// Returns these hooks with one more native hook.
    pub(super) fn with(&self, hook: NativeHook, host: &Host) -> Result<Self, LoadErrors> {
        let added = self.added.iter().cloned().chain([hook]).collect();
        self.over(self.hook_set.clone(), added, host)
    }

    /// Returns the number of hooks that were added for this session only.
    pub(super) fn added(&self) -> usize {
        self.added.len()
    }

    /// Returns whether both sets belong to the same opening of the same agent, whenever they were
    /// loaded.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.opening, &other.opening)
    }

    /// Returns these hooks with the hooks that were added to `other` for this session only.
    pub(super) fn with_added(&self, other: &Self, host: &Host) -> Result<Self, LoadErrors> {
        self.over(self.hook_set.clone(), other.added.clone(), host)
    }

    /// Returns the current hooks, or `None` if this set is current. If the hooks that were added
    /// for the session do not fit the current ones, the session keeps this set.
    pub(super) fn renewed(&self, host: &Host) -> Option<Self> {
        if self.current.is(&self.hook_set) {
            return None;
        }
        match self.over(self.current.hook_set(), self.added.clone(), host) {
            Ok(renewed) => Some(renewed),
            Err(errors) => {
                tracing::error!(session = %host.session, "the session stays with the hooks that it has: {errors}");
                let errors: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
                host.sink.on_reload_rejected(&host.session, &errors);
                None
            }
        }
    }

    /// Returns the secrets that any of these hooks was granted. Hooks that were added for this
    /// session only have none.
    pub(super) fn secrets(&self) -> &Arc<Secrets> {
        &self.hook_set.secrets
    }

    fn over(
        &self,
        hook_set: Arc<HookSet>,
        added: Vec<NativeHook>,
        host: &Host,
    ) -> Result<Self, LoadErrors> {
        let mut hooks = session_hooks(&hook_set, &self.opening, &self.hooks, host);
        let mut errors = Vec::new();
        for hook in &added {
            let handlers = hook.handlers.clone();
            match Member::native(hook.clone(), &hook_set.settings, hook_set.promises) {
                Ok(member) => {
                    let member = member.in_session(&host.root);
                    hooks.push(SessionHook::new(member, handlers, &self.hooks));
                }
                Err(fault) => errors.push(not_resolved(hook.id(), fault)),
            }
        }
        let entries: Vec<_> = hooks.iter().map(|hook| hook.member.entry()).collect();
        let (orders, faults) = order::orders(&entries);
        errors.extend(hook_set.not_ordered(faults));
        if !errors.is_empty() {
            return Err(LoadErrors(errors));
        }
        Ok(Self {
            current: self.current.clone(),
            hook_set,
            added,
            hooks,
            orders,
            opening: self.opening.clone(),
            recorder: host.recorder(),
        })
    }

    pub(super) fn turn_limits(&self) -> TurnLimits {
        self.hook_set.settings.turn
    }

    /// Appends the hooks to the chains of their points.
    pub(super) fn chain(&self, chains: &mut Chains) {
        for &point in PointId::ALL {
            for &index in self.orders.get(&point).into_iter().flatten() {
                if let Some(hook) = self.hooks.get(index) {
                    let effective = &hook.member.effective;
                    let entry = HookEntry {
                        profile: &effective.profile,
                        purpose: Purpose::of(effective.profile.role, effective.capped),
                        run_queue: hook.run_queue.as_ref(),
                        breaker: hook.member.breaker(),
                        ends_soon: hook.member.ends_soon(),
                        recorder: (effective.profile.write_run == WriteRun::BeforeAnswer)
                            .then_some(&self.recorder),
                    };
                    hook.handlers.chain(point, entry, chains);
                }
            }
        }
    }
}

/// Creates the session hooks of a set. A component that is in `before` keeps its instance.
fn session_hooks(
    hook_set: &HookSet,
    opening: &Arc<SessionKey>,
    before: &[SessionHook],
    host: &Host,
) -> Vec<SessionHook> {
    let members = hook_set.members.iter();
    members
        .map(|member| {
            let handlers = match &member.body {
                Body::Shared(handlers) => Handlers::clone(handlers),
                Body::Component(found) if !found.amended.revoked.is_empty() => {
                    let revoked = found.amended.revoked.clone();
                    Handlers::of(RevokedHook { revoked }, &member.points)
                }
                Body::Component(found) => match before.iter().find(|hook| hook.is_of(found)) {
                    Some(hook) => hook.handlers.clone(),
                    None => {
                        let hook = ComponentHook {
                            component: found.hook.component.clone(),
                            session: host.session.clone(),
                            opening: opening.clone(),
                            sink: host.sink.clone(),
                            model: host.model.clone(),
                            warm: Arc::default(),
                        };
                        Handlers::of(hook, &member.points)
                    }
                },
            };
            SessionHook::new(member.in_session(&host.root), handlers, before)
        })
        .collect()
}
