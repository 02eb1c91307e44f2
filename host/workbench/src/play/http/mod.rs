//! Servers that give the answers of a case.

mod entry;
mod pattern;
mod servers;

pub use entry::{HttpAnswer, HttpEntry, SentBody};
pub use pattern::Pattern;
pub(in crate::play) use servers::ScriptedServers;

/// The answers of servers, in the order in which they are looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpScript {
    /// The entries. The first that fits a request and has a time left answers it.
    pub entries: Vec<HttpEntry>,
    /// Whether the requests must come in the order of the entries. Default no.
    pub in_order: bool,
}
