//! Events that the agent reports to its subscribers: dashboards, terminals, logs, tests.
//!
//! Events report and change nothing; hooks are called and may change things. An event without a
//! subscriber is never built.

mod emitted;
mod event;
mod sender;
mod tracer;
mod values;

pub use emitted::Emitted;
pub(crate) use emitted::Position;
pub use event::AgentEvent;
pub use sender::{EventReceiver, EventSender};
pub use tracer::{SessionSpan, TraceContent, TracePlace, Tracer, TurnFrom, TurnSpan, TurnTrace};
pub use values::{CallPurpose, RetryAction, SessionEndReason, SteeringCheckpoint, TurnOrigin};
