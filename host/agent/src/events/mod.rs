//! What the agent tells whoever subscribes: dashboards, terminals, logs, tests.
//!
//! Events look outward and change nothing; hooks look inward and may (seed 000). An event that
//! nobody listens to is never built.

mod event;
mod hook_sink;
mod sender;

pub use event::{
    AgentEvent, CallPurpose, Emitted, RetryAction, SessionEndReason, SteeringCheckpoint, TurnOrigin,
};
pub(crate) use hook_sink::AgentSink;
pub use sender::{EventReceiver, EventSender};
