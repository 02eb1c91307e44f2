//! What the agent reports to its subscribers: dashboards, terminals, logs, tests.
//!
//! Events report and change nothing; hooks are called and may change things. An event without a
//! subscriber is never built.

mod event;
mod sender;
mod tracer;

pub(crate) use event::Position;
pub use event::{
    AgentEvent, CallPurpose, Emitted, RetryAction, SessionEndReason, SteeringCheckpoint, TurnOrigin,
};
pub use sender::{EventReceiver, EventSender};
pub use tracer::{SessionSpan, TraceContent, TracePlace, Tracer, TurnFrom, TurnSpan, TurnTrace};
