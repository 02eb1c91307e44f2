//! Asking a person the hooks' questions.

mod record;
mod shown;
mod terminal;
mod value;

pub use record::{Asked, Recorded};
pub use shown::ShownQuestion;
pub use terminal::TerminalApprover;
pub use value::Value;
