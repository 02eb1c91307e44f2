//! What a hook answers with, point by point.

use std::sync::Arc;

use crate::chain::Chains;
use crate::chain::background::RunQueue;
use crate::chain::quarantine::Breaker;
use crate::model::hook::{Hook, Profile};
use crate::model::points::{Point, PointId, PointSet, for_each_point};

macro_rules! define_handlers {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// What a hook answers with at each point it serves.
        #[derive(Clone, Default)]
        pub struct Handlers {
            $(pub(crate) $module: Option<Arc<dyn Hook<crate::model::points::$point>>>,)*
        }

        impl Handlers {
            /// One hook's, at the points that it serves.
            pub(crate) fn of<H>(hook: &Arc<H>, points: &PointSet) -> Self
            where
                H: $(Hook<crate::model::points::$point> +)* 'static,
            {
                let mut handlers = Self::default();
                $(if points.contains(PointId::$point) {
                    handlers.$module = Some(hook.clone());
                })*
                handlers
            }

            /// The points.
            pub(crate) fn points(&self) -> PointSet {
                let mut points = Vec::new();
                $(if self.$module.is_some() {
                    points.push(PointId::$point);
                })*
                points.into_iter().collect()
            }

            /// Puts the one of a point into its chain.
            pub(crate) fn chain(
                &self,
                point: PointId,
                profile: &Arc<Profile>,
                lane: Option<&Arc<RunQueue>>,
                breaker: Option<&Arc<Breaker>>,
                chains: &mut Chains,
            ) {
                match point {
                    $(PointId::$point => {
                        if let Some(hook) = &self.$module {
                            chains.$module.push(
                                profile.clone(),
                                hook.clone(),
                                lane.cloned(),
                                breaker.cloned(),
                            );
                        }
                    })*
                }
            }
        }
    };
}
for_each_point!(define_handlers);

impl Handlers {
    /// Puts one in.
    pub(crate) fn put<P: Point>(&mut self, hook: Arc<dyn Hook<P>>) {
        *P::slot(self) = Some(hook);
    }
}

impl std::fmt::Debug for Handlers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.points().iter()).finish()
    }
}
