//! Asking a person the hooks' questions.

mod queue;

pub use portcullis_terminal::approval::{Recorded, ShownQuestion, TerminalApprover, Value};
pub use queue::{Pending, Queue};
