//! Asking a person the hooks' questions.

mod question;
mod queue;
mod record;
mod terminal;
mod value;

pub use question::Asking;
pub use queue::{Pending, Queue};
pub use record::{Asked, Recorded};
pub use terminal::TerminalApprover;
