//! One agent session's hooks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use crate::approval::{Approver, NobodyToAsk};
use crate::call::Call;
use crate::chain::{Chains, Surroundings};
use crate::component_hook::ComponentHook;
use crate::hook::{Hook, Profile};
use crate::hooks::Host;
use crate::points::{Point, PointId, for_each_point};
use crate::sink::{HookSink, TracingSink};
use crate::state::StateStore;
use crate::verdict::Verdict;

/// How a session is opened.
#[derive(Clone)]
pub struct SessionOptions {
    /// The session's id, as hooks see it.
    pub id: String,
    /// Where log lines and events go. Default: to `tracing`.
    pub sink: Arc<dyn HookSink>,
    /// Whom hooks ask. Default: nobody, so that every question is answered with no.
    pub approver: Arc<dyn Approver>,
    /// Keep changed values, not only their digests, in the trail. Default no: values may be
    /// secret.
    pub keep_values: bool,
}

impl SessionOptions {
    /// The defaults, for a session of this id.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            sink: Arc::new(TracingSink),
            approver: Arc::new(NobodyToAsk),
            keep_values: false,
        }
    }
}

impl std::fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionOptions")
            .field("id", &self.id)
            .field("keep_values", &self.keep_values)
            .finish_non_exhaustive()
    }
}

/// One agent session's hooks, with the instances that they keep warm. When it is dropped, so are
/// they, and what they remembered of the session.
pub struct Session {
    chains: Chains,
    options: SessionOptions,
    state: Option<Arc<StateStore>>,
    opening: u64,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("options", &self.options)
            .field("chains", &self.chains)
            .finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn open(host: Option<&Arc<Host>>, options: SessionOptions) -> Self {
        static OPENINGS: AtomicU64 = AtomicU64::new(1);
        let opening = OPENINGS.fetch_add(1, Ordering::Relaxed);
        let mut chains = Chains::default();
        if let Some(host) = host {
            fill(&mut chains, host, &options, opening);
        }
        Self {
            chains,
            options,
            state: host.map(|host| host.state.clone()),
            opening,
        }
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.options.id
    }

    /// Whether any hook serves a point. Ask before you build a call: an unserved point then costs
    /// one branch.
    #[inline]
    pub fn serves<P: Point>(&self) -> bool {
        !P::chain(&self.chains).is_empty()
    }

    /// Whether any hook at a point may decide or change something, and not only look on.
    pub fn decides<P: Point>(&self) -> bool {
        P::chain(&self.chains).decides()
    }

    /// Runs a point's hooks over a call and says what they decided. What they changed is in the
    /// call.
    pub async fn run<P: Point>(&self, call: &mut Call<P>) -> Verdict<P> {
        let chain = P::chain(&self.chains);
        if chain.is_empty() {
            return Verdict::empty();
        }
        let around = Surroundings {
            approver: &*self.options.approver,
            keep_values: self.options.keep_values,
        };
        chain.run(call, &around).await
    }

    /// Adds a hook that is no component, behind those of its point that are there.
    pub fn push<P: Point>(&mut self, profile: Profile, hook: Arc<dyn Hook<P>>) {
        P::chain_mut(&mut self.chains).push(Arc::new(profile), hook);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(state) = &self.state {
            state.forget(self.opening);
        }
    }
}

macro_rules! define_fill {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// Puts every hook into the chains of its points, in order.
        fn fill(
            chains: &mut Chains,
            host: &Arc<Host>,
            options: &SessionOptions,
            opening: u64,
        ) {
            let session: Arc<str> = options.id.as_str().into();
            let hooks: Vec<Arc<ComponentHook>> = host
                .hooks
                .iter()
                .map(|loaded| {
                    Arc::new(ComponentHook {
                        runtime: host.runtime.clone(),
                        loaded: loaded.clone(),
                        session: session.clone(),
                        opening,
                        sink: options.sink.clone(),
                        state: host.state.clone(),
                        warm: Mutex::new(None),
                    })
                })
                .collect();
            $(
                for &index in host.orders.get(&PointId::$point).into_iter().flatten() {
                    if let Some(hook) = hooks.get(index) {
                        let profile = hook.loaded.resolved.profile.clone();
                        chains.$module.push(profile, hook.clone());
                    }
                }
            )*
        }
    };
}
for_each_point!(define_fill);
