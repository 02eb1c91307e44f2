//! Approvers that are not a person at a terminal.

mod command;
mod request;

pub use command::CommandApprover;
pub use request::ApprovalRequest;
