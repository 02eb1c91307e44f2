//! Watches a project, and compares two builds.

mod changes;
mod watch;

pub use changes::{Changed, changes};
pub use watch::{Watch, WatchError};
