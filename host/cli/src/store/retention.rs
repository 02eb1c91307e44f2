//! The retention options of a command.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use clap::Args;
use portcullis_store::{Deleted, Store, StoreError};

use crate::terminal::Printable;
use crate::terminal::units;

/// The length of a day.
pub const DAY: Duration = Duration::from_secs(86_400);

/// The sessions to keep.
#[derive(Debug, Clone, Copy, Args)]
pub struct RetentionArgs {
    /// Delete sessions that were not used for so many days, with all that the store has of them, and the jobs, hook runs and
    /// recorded calls of that age whose session is not saved.
    #[arg(long, value_name = "DAYS")]
    keep_days: Option<NonZeroU32>,
    /// Delete the oldest sessions until all have at most so many bytes. The newest is kept, and so are open ones.
    #[arg(long, value_name = "BYTES")]
    keep_bytes: Option<NonZeroU64>,
}

impl RetentionArgs {
    /// Returns whether nothing is deleted.
    pub fn keeps_all(&self) -> bool {
        self.keep_days.is_none() && self.keep_bytes.is_none()
    }

    /// Describes the sessions to delete.
    pub fn words(&self) -> Printable {
        let days = self.keep_days.map(|days| {
            let days = usize::try_from(days.get()).unwrap_or(usize::MAX);
            let days = units::plural(days, "day");
            format!("sessions that were not used for {days}")
        });
        let bytes = self.keep_bytes.map(|bytes| {
            let bytes = units::count(bytes.get());
            format!("the oldest sessions until all have at most {bytes} bytes")
        });
        let words: Vec<String> = days.into_iter().chain(bytes).collect();
        Printable::line(words.join(", and then "))
    }

    /// Deletes the sessions of a store that are not kept.
    pub async fn prune(&self, store: &Store) -> Result<Deleted, StoreError> {
        let age = self.keep_days.map(|days| DAY * days.get());
        let bytes = self.keep_bytes.map(NonZeroU64::get);
        store.sessions().prune(age, bytes, None).await
    }
}
