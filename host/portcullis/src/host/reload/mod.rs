//! Reloading a hooks directory while the host runs.
//!
//! A reload has the same result as a restart, with two exceptions. If a file does not load, its
//! hook continues as it was loaded, without the grants that the operator has revoked since.
//! Unchanged hooks keep their instances.
//!
//! Nothing waits for compilation. A file counts as one that does not load until it is compiled, and
//! the rest takes effect immediately.

mod changes;
mod jobs;
mod listen;
mod snapshot;
mod source;
mod watch;

pub use changes::{ChangeKind, HookChange, Reload, Reloaded, StaleHook};
pub use listen::Listening;
pub(crate) use source::Source;
pub use watch::{Watch, WatchError, WatchOptions};
