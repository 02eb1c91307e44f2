//! A hook's handlers by point.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::background::RunQueue;
use super::chains::Chains;
use super::quarantine::Breaker;
use super::recorded::{Recorded, Recorder};
use crate::model::hook::{Caught, Hook, Profile};
use crate::model::points::{Point, PointId, PointSet, for_each_point};
use crate::model::purpose::Purpose;

/// A type-erased handler.
trait AnyHandler: Send + Sync {
    /// Adds the handler to the chain of its point.
    fn chain(&self, entry: HookEntry<'_>, chains: &mut Chains);
}

/// A hook's entry in a chain.
#[derive(Clone, Copy)]
pub(crate) struct HookEntry<'a> {
    pub(crate) profile: &'a Arc<Profile>,
    pub(crate) purpose: Purpose,
    /// The queue of the hook's runs, if they are detached.
    pub(crate) run_queue: Option<&'a Arc<RunQueue>>,
    /// The breaker of the hook's component, if the hook is one.
    pub(crate) breaker: Option<&'a Arc<Breaker>>,
    /// Whether the hook's runs end soon, unless the chain must wait for them.
    pub(crate) ends_soon: bool,
    /// The recorder of the hook's runs, if the operator requires that runs are recorded before
    /// their answers count.
    pub(crate) recorder: Option<&'a Recorder>,
}

impl<P: Point> AnyHandler for Arc<dyn Hook<P>> {
    fn chain(&self, entry: HookEntry<'_>, chains: &mut Chains) {
        let hook: Self = match entry.recorder {
            None => self.clone(),
            Some(recorder) => Arc::new(Caught(Recorded {
                hook: self.clone(),
                recorder: recorder.clone(),
            })),
        };
        if let Some(chain) = chains.entry::<P>() {
            chain.push(hook, entry);
        }
    }
}

/// A hook's handlers at the points that it serves.
#[derive(Clone, Default)]
pub(crate) struct Handlers(BTreeMap<PointId, Arc<dyn AnyHandler>>);

macro_rules! define_of {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        impl Handlers {
            /// Creates the handlers of one hook, at the points that it serves.
            pub(crate) fn of<H>(hook: H, points: &PointSet) -> Self
            where
                H: $(Hook<crate::model::points::$point> +)* 'static,
            {
                let hook = Arc::new(Caught(hook));
                let mut handlers = Self::default();
                for point in points.iter() {
                    match point {
                        $(PointId::$point => {
                            handlers.insert::<crate::model::points::$point>(hook.clone());
                        })*
                    }
                }
                handlers
            }
        }
    };
}
for_each_point!(define_of);

impl Handlers {
    /// Inserts a handler. Replaces the point's existing handler.
    pub(crate) fn put<P: Point>(&mut self, hook: Arc<dyn Hook<P>>) {
        self.insert(Arc::new(Caught(hook)));
    }

    fn insert<P: Point>(&mut self, hook: Arc<dyn Hook<P>>) {
        self.0.insert(P::ID, Arc::new(hook));
    }

    /// Returns the points.
    pub(crate) fn points(&self) -> PointSet {
        self.0.keys().copied().collect()
    }

    /// Adds a point's handler to its chain.
    pub(crate) fn chain(&self, point: PointId, entry: HookEntry<'_>, chains: &mut Chains) {
        if let Some(handler) = self.0.get(&point) {
            handler.chain(entry, chains);
        }
    }
}

impl std::fmt::Debug for Handlers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}
