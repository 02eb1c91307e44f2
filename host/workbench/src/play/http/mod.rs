//! Servers with the answers of a case.

mod entry;
mod pattern;
mod servers;

pub use entry::{HttpAnswer, HttpEntry, SentBody};
pub use pattern::Pattern;
pub(in crate::play) use servers::ScriptedServers;

/// The answers of servers, in the order of their use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpScript {
    /// The entries. A request is answered by the first one that fits and is not used up.
    pub entries: Vec<HttpEntry>,
    /// Whether the requests must come in the order of the entries. Default no.
    pub in_order: bool,
}
