//! Sending signals to a collector.

mod client;
mod exporters;
mod queue;

pub use exporters::ExportError;
pub(crate) use exporters::Exporters;
pub(crate) use queue::Queue;
