//! Asking a person the hooks' questions.

mod queue;
mod record;
mod shown;
mod terminal;
mod value;

pub use queue::{Pending, Queue};
pub use record::{Asked, Recorded};
pub use shown::ShownQuestion;
pub use terminal::TerminalApprover;
pub use value::{Value, indented};
