//! The state that an instance keeps for its capabilities, from its start to its end.

use std::sync::Arc;

use super::Output;
use crate::model::failure::Failure;
use crate::model::state::MemoryState;
use crate::sandbox::component::Setup;
use crate::sandbox::engine::Runtime;
use crate::sandbox::store::CallOwner;
use crate::sandbox::tape::Reel;

/// The inputs for starting an instance.
pub(crate) struct InstanceContext<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) setup: &'a Setup,
    pub(crate) owner: CallOwner,
    /// The store of hooks' state.
    pub(crate) states: Arc<MemoryState>,
    /// The instance's standard output and error, before they are logged.
    pub(crate) output: Output,
    /// The reel that keeps or plays the instance's calls, if they are recorded or replayed.
    pub(crate) reel: Option<Arc<Reel>>,
}

/// The state that an instance keeps for a capability.
pub(crate) trait InstanceState {
    /// Creates the state of a new instance.
    fn new(cx: &InstanceContext<'_>) -> Self;

    /// Assigns the next calls to this owner. Called if sessions share the instance.
    fn bind(&mut self, _owner: &CallOwner) {}

    /// Begins a call.
    fn begin(&mut self) {}

    /// Renews the budget of a call. The start of an instance and its first call share one.
    fn restart(&mut self) {}

    /// Ends the call.
    fn end(&mut self) {}

    /// Returns the failure of a call over a limit that ends the call only at the next tick.
    fn over(&self) -> Option<Failure> {
        None
    }
}

/// Defines [`InstanceStates`]: a field for each capability that keeps something.
macro_rules! instance_states {
    ($($field:ident: $state:ty,)*) => {
        /// The state that an instance keeps for its capabilities.
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
