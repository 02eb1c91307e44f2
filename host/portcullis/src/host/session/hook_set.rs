//! The hooks of one agent in a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::chain::chains::Chains;
use crate::chain::handlers::{Handlers, Place};
use crate::chain::order::{self, Orders};
use crate::chain::recorded::Recorder;
use crate::host::hooks::{CurrentHooks, HookSet, not_resolved};
use crate::host::member::{Body, Member, SessionHook};
use crate::host::native::NativeHook;
use crate::host::withheld::RevokedHook;
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

/// What instances need to know of their session.
#[derive(Clone)]
pub(super) struct Host {
    pub(super) session: Arc<str>,
    /// The outermost agent's session.
    pub(super) root: Arc<str>,
    pub(super) sink: Arc<dyn HookObserver>,
    pub(super) model: Arc<SessionModel>,
    /// What the store has of the session, if it is kept in one.
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
    live: Arc<CurrentHooks>,
    /// What was loaded, as it was applied.
    layer: Arc<HookSet>,
    /// What was put in for this session alone.
    added: Vec<NativeHook>,
    seats: Vec<SessionHook>,
    orders: Orders,
    pub(super) opening: Arc<SessionKey>,
    recorder: Recorder,
}

impl SessionHookSet {
    /// Opens the hooks of an agent: 0 is the outermost.
    pub(super) fn open(live: &Arc<CurrentHooks>, host: &Host, agent: u32) -> Self {
        static OPENINGS: AtomicU64 = AtomicU64::new(1);
        let opening = Arc::new(SessionKey {
            number: OPENINGS.fetch_add(1, Ordering::Relaxed),
            state: live.state.clone(),
        });
        if let Some(stored) = &host.state {
            opening.open(agent, stored);
        }
        let layer = live.layer();
        Self {
            live: live.clone(),
            seats: seats(&layer, &opening, &[], host),
            orders: layer.orders.clone(),
            layer,
            added: Vec::new(),
            opening,
            recorder: host.recorder(),
        }
    }

    /// These hooks and a native one.
    pub(super) fn with(&self, hook: NativeHook, host: &Host) -> Result<Self, LoadErrors> {
        let added = self.added.iter().cloned().chain([hook]).collect();
        self.over(self.layer.clone(), added, host)
    }

    /// How many hooks were put in for this session alone.
    pub(super) fn added(&self) -> usize {
        self.added.len()
    }

    /// Whether these are hooks of the same opening of the same agent, loaded at any time.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.opening, &other.opening)
    }

    /// These hooks, with what was put into the others for this session alone.
    pub(super) fn with_added(&self, other: &Self, host: &Host) -> Result<Self, LoadErrors> {
        self.over(self.layer.clone(), other.added.clone(), host)
    }

    /// The current hooks; nothing if these are they. Where what was put in for the session does not
    /// go with them, the session stays with what it has.
    pub(super) fn renewed(&self, host: &Host) -> Option<Self> {
        if self.live.is(&self.layer) {
            return None;
        }
        match self.over(self.live.layer(), self.added.clone(), host) {
            Ok(renewed) => Some(renewed),
            Err(errors) => {
                tracing::error!(session = %host.session, "the session stays with the hooks that it has: {errors}");
                let errors: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
                host.sink.on_reload_rejected(&host.session, &errors);
                None
            }
        }
    }

    /// The secrets that any of these hooks was granted. One that was put in for this session alone has none.
    pub(super) fn secrets(&self) -> &Arc<Secrets> {
        &self.layer.secrets
    }

    fn over(
        &self,
        layer: Arc<HookSet>,
        added: Vec<NativeHook>,
        host: &Host,
    ) -> Result<Self, LoadErrors> {
        let mut seats = seats(&layer, &self.opening, &self.seats, host);
        let mut errors = Vec::new();
        for hook in &added {
            let handlers = hook.handlers.clone();
            match Member::native(hook.clone(), &layer.settings, layer.promises) {
                Ok(member) => {
                    let member = member.in_session(&host.root);
                    seats.push(SessionHook::new(member, handlers, &self.seats));
                }
                Err(fault) => errors.push(not_resolved(hook.id(), fault)),
            }
        }
        let entries: Vec<_> = seats.iter().map(|seat| seat.member.entry()).collect();
        let (orders, faults) = order::orders(&entries);
        errors.extend(layer.not_ordered(faults));
        if !errors.is_empty() {
            return Err(LoadErrors(errors));
        }
        Ok(Self {
            live: self.live.clone(),
            layer,
            added,
            seats,
            orders,
            opening: self.opening.clone(),
            recorder: host.recorder(),
        })
    }

    pub(super) fn turn_limits(&self) -> TurnLimits {
        self.layer.settings.turn
    }

    /// Puts the hooks into the chains of their points, behind those that are there.
    pub(super) fn chain(&self, chains: &mut Chains) {
        for &point in PointId::ALL {
            for &index in self.orders.get(&point).into_iter().flatten() {
                if let Some(seat) = self.seats.get(index) {
                    let standing = &seat.member.standing;
                    let place = Place {
                        profile: &standing.profile,
                        purpose: Purpose::of(standing.profile.role, standing.capped),
                        lane: seat.lane.as_ref(),
                        breaker: seat.member.breaker(),
                        ends_soon: seat.member.ends_soon(),
                        recorder: (standing.profile.write_run == WriteRun::BeforeAnswer)
                            .then_some(&self.recorder),
                    };
                    seat.handlers.chain(point, place, chains);
                }
            }
        }
    }
}

/// Seats for the hooks of a layer. A component that has a seat already keeps it, with its instance.
fn seats(
    layer: &HookSet,
    opening: &Arc<SessionKey>,
    before: &[SessionHook],
    host: &Host,
) -> Vec<SessionHook> {
    let members = layer.members.iter();
    members
        .map(|member| {
            let handlers = match &member.body {
                Body::Shared(handlers) => Handlers::clone(handlers),
                Body::Component(found) if !found.amended.revoked.is_empty() => {
                    let revoked = found.amended.revoked.clone();
                    Handlers::of(RevokedHook { revoked }, &member.points)
                }
                Body::Component(found) => match before.iter().find(|seat| seat.is_of(found)) {
                    Some(seat) => seat.handlers.clone(),
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
