//! The inputs and results that an embedder exchanges with a session.

mod error;
mod input;
mod new_session;
mod steering;
mod suspension;
mod turn_end;

pub use error::{ResumeError, SessionError, TurnError};
pub use input::TurnInput;
pub use new_session::NewSession;
pub(crate) use new_session::new_session_id;
pub use steering::Steering;
pub use suspension::{SuspendReason, Suspension};
pub use turn_end::{TurnEnd, TurnReport};
