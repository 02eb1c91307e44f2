//! Recording every call of every hook, and what the agent did between them.
//!
//! A run is recorded before its hook is called and again when it ends, so that a run that a crash
//! has interrupted can be told from one that never began.

mod authority;
mod changes;
mod event;
mod hook_run;
mod observer;
mod run;
mod would;

use futures::future::BoxFuture;
use portcullis::recording::RecordedCall;

pub use authority::HookAuthority;
pub use changes::{FieldChange, shortened};
pub use event::{EventRow, JournalEvent};
use hook_run::JournalRuns;
pub use observer::JournalObserver;
pub use run::{RunEnd, RunRow, RunState, UnknownRunState};
pub use would::WouldHave;

/// Where hook runs and the agent's events are recorded. `portcullis-store` has a journal that implements it.
///
/// Its methods are called on async threads, so they should not wait for a disk.
pub trait RunRecorder: Send + Sync {
    /// An id that no other run or event of this process has. Later ones are larger.
    fn next_id(&self) -> i64;

    /// Records what the agent did. Default: it is not kept.
    fn event(&self, _event: EventRow) {}

    /// Whether the fields that hooks change, the arguments and results of tools and the texts of turns are recorded too.
    /// Default: no.
    fn keeps_values(&self) -> bool {
        false
    }

    /// Records the start of a run.
    fn begin(&self, row: RunRow);

    /// Records the end of a run. After [`RunState::Backgrounded`] another end follows.
    fn end(&self, id: i64, end: RunEnd);

    /// Whether the calls of components are recorded with all that it takes to make them again. Default: no.
    fn records_calls(&self) -> bool {
        false
    }

    /// Records a call of a component, the run of which has this id. Default: it is not kept.
    fn call(&self, _id: i64, _call: RecordedCall) {}

    /// Waits until the starts of these runs are written, so that no crash loses them. Default: an
    /// error, and hooks with `write-run = "before-answer"` fail.
    ///
    /// # Errors
    ///
    /// One of them is lost; the text says why.
    fn committed(&self, _ids: Vec<i64>) -> BoxFuture<'_, Result<(), String>> {
        let error = "this journal does not tell when a run is written";
        Box::pin(std::future::ready(Err(error.to_owned())))
    }
}
