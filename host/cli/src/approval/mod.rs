//! Asking a person the hooks' questions.

mod queue;

pub use portcullis_terminal::approval::{
    Recorded, ShownQuestion, TerminalApprover, Value, indented,
};
pub use queue::{Pending, Queue};
