//! Loading a hooks directory again while the host runs.
//!
//! A reload gives what a restart would give, but for two things that a restart could not keep: a
//! file that does not load leaves the hook running that it was loaded as, without what the operator
//! has taken from it since, and what does not change keeps its instances.

mod changes;
mod snapshot;
mod source;
mod watch;

pub use changes::{ChangeKind, HookChange, Reload, Reloaded, StaleHook};
pub use source::Listening;
pub(crate) use source::Source;
pub use watch::{Watch, WatchError, WatchOptions};
