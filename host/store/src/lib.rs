//! The store: an agent's data, in an SQLite file or in a PostgreSQL database.
//!
//! A [`Store`] holds the journal of hook runs, suspended turns, memory, sessions, background jobs and
//! the state of hooks. Several processes may have one store open.
//!
//! ```
//! use portcullis_store::Store;
//!
//! # fn main() -> Result<(), portcullis_store::StoreError> {
//! let store = Store::temporary()?;
//! assert!(store.to_string().starts_with("sqlite:"));
//! # Ok(())
//! # }
//! ```
//!
//! # Two databases, one SQL
//!
//! The statements are the same for both databases: parameters are `$1`, `$2`, …, integers are
//! `BIGINT`, texts are `TEXT`, JSON is `TEXT`. The differences are in `database.rs`, `sqlite.rs`,
//! `writing.rs`, `migrate.rs` and the search of the memory. A read and a write that depends on it
//! are one statement where possible (`UPDATE … WHERE … RETURNING`).
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `error`, `queue`, `sql`, `url` | errors; the queue of a thread that writes; the values of statements; where a store is |
//! | `sqlite` | how SQLite is opened, and a connection to it that is used on the thread that asks |
//! | `database` | connections, transactions and what differs between the databases |
//! | `migrate`, `old_feeds`, `writing` | the tables and their versions; feeds that nobody asks for any more; transactions of threads that write |
//! | `hosts` | the processes that have the store open |
//! | `store` | the store and the thread it runs on |
//! | `recordings` | recorded calls of hooks |
//! | `checkpoints`, `feed`, `jobs`, `journal`, `memory`, `sessions`, `state`, `turns` | what it holds |

mod checkpoints;
mod database;
mod error;
mod feed;
mod hosts;
mod jobs;
mod journal;
mod memory;
mod migrate;
mod old_feeds;
mod queue;
mod recordings;
mod sessions;
mod sql;
mod sqlite;
mod state;
mod store;
mod turns;
mod url;
mod writing;

pub use checkpoints::Checkpoints;
pub use database::Durability;
pub use error::StoreError;
pub use feed::{Feed, FeedEvent};
pub use jobs::{AgentJobs, JobRow, JobState, Jobs};
pub use journal::{
    Example, Finding, HookActivity, HookStats, Journal, JournalError, JournalRun, JournalSession,
    RecordedEvent, RunFilter, RunStats, SessionFilter, Shadow, Spread, TurnOutcome,
};
pub use memory::StoredTurns;
pub use portcullis_recording::{Identities, Recipient, RecordingError, Redaction, Rule};
pub use recordings::{
    DamagedBlock, RecordedCalls, RecordedNames, Recorder, RecordingFilter, RecordingOptions,
    RecordingTotals,
};
pub use sessions::{Deleted, Holder, Released, SessionRow, Sessions, SuspendedTurn};
pub use state::{HookState, directory_scope};
pub use store::{Store, StoreOptions};
pub use turns::{InterruptedTurn, Turns};
pub use url::{BadStoreUrl, StoreUrl};
