//! Loading a hooks directory again while the host runs.
//!
//! A reload gives what a restart would give, but for two things that a restart could not keep: a
//! file that does not load leaves the hook running that it was loaded as, without what the operator
//! has taken from it since, and what does not change keeps its instances.
//!
//! Nothing waits for a compiler. A file that has to be compiled counts as one that does not load until it
//! is compiled, and the rest takes effect at once.

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
