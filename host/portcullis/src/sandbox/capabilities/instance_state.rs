//! What an instance keeps for its capabilities, from its start to its end.

use std::sync::Arc;

use super::Output;
use crate::model::failure::Failure;
use crate::model::state::MemoryState;
use crate::sandbox::component::Setup;
use crate::sandbox::engine::Runtime;
use crate::sandbox::store::CallOwner;
use crate::sandbox::tape::Reel;

/// What an instance is started with.
pub(crate) struct InstanceContext<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) setup: &'a Setup,
    pub(crate) owner: CallOwner,
    /// Where hooks keep their state.
    pub(crate) states: Arc<MemoryState>,
    /// What it writes to its standard streams, on the way to its log.
    pub(crate) output: Output,
    /// What its calls get of the world is kept or played, if they are recorded or made again.
    pub(crate) reel: Option<Arc<Reel>>,
}

/// What an instance keeps for a capability.
pub(crate) trait InstanceState {
    /// What a new instance has.
    fn new(cx: &InstanceContext<'_>) -> Self;

    /// The calls to come are this owner's. Called where sessions share the instance.
    fn bind(&mut self, _owner: &CallOwner) {}

    /// A call begins.
    fn begin(&mut self) {}

    /// The budget of a call begins anew. The start of an instance and its first call share one.
    fn restart(&mut self) {}

    /// The call is over.
    fn end(&mut self) {}

    /// The failure of a call that exceeded a limit which only ends it at the next tick.
    fn over(&self) -> Option<Failure> {
        None
    }
}

/// Defines [`InstanceStates`]: a field for each capability that keeps something.
macro_rules! instance_states {
    ($($field:ident: $state:ty,)*) => {
        /// What an instance keeps for its capabilities.
        pub(crate) struct InstanceStates {
            $(pub(crate) $field: $state,)*
        }

        impl InstanceState for InstanceStates {
            fn new(cx: &InstanceContext<'_>) -> Self {
                Self { $($field: InstanceState::new(cx),)* }
            }

            fn bind(&mut self, owner: &CallOwner) {
                $(self.$field.bind(owner);)*
            }

            #[inline]
            fn begin(&mut self) {
                $(self.$field.begin();)*
            }

            #[inline]
            fn restart(&mut self) {
                $(self.$field.restart();)*
            }

            #[inline]
            fn end(&mut self) {
                $(self.$field.end();)*
            }

            #[inline]
            fn over(&self) -> Option<Failure> {
                None $(.or_else(|| self.$field.over()))*
            }
        }
    };
}
pub(super) use instance_states;
