//! Watching a project, and what has changed between two builds.

mod changes;
mod watch;

pub use changes::{Changed, changes};
pub use watch::{Watch, WatchError};
