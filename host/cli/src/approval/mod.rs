//! Putting hooks' questions to somebody.

mod record;
mod terminal;

pub use record::{Asked, Recorded};
pub use terminal::TerminalApprover;
