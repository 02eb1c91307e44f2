//! What a hook answers with, point by point.

use std::sync::Arc;

use crate::background::Lane;
use crate::chain::Chains;
use crate::component_hook::ComponentHook;
use crate::hook::{Hook, Profile};
use crate::points::{Point, PointId, PointSet, for_each_point};
use crate::quarantine::Breaker;
use crate::script::ScriptHook;

macro_rules! define_handlers {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// What a hook answers with at each point it serves.
        #[derive(Clone, Default)]
        pub struct Handlers {
            $(pub(crate) $module: Option<Arc<dyn Hook<crate::points::$point>>>,)*
        }

        impl Handlers {
            /// A component's, at the points that it serves.
            pub(crate) fn of_component(hook: &Arc<ComponentHook>, points: &PointSet) -> Self {
                let mut handlers = Self::default();
                $(if points.contains(PointId::$point) {
                    handlers.$module = Some(hook.clone());
                })*
                handlers
            }

            /// A script's, at the points that it serves.
            pub(crate) fn of_script(hook: &Arc<ScriptHook>, points: &PointSet) -> Self {
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
                lane: Option<&Arc<Lane>>,
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
