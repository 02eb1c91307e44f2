//! Recording every hook call, and the agent's actions between the calls.
//!
//! A run that may take longer is recorded before its hook is called and again when it ends, to
//! distinguish a run that a crash interrupted from a run that never began. A run that [ends
//! soon](HookObserver::ran) is recorded only when it ends.
//!
//! [HookObserver::ran]: portcullis::observer::HookObserver::ran

mod authority;
mod call_id;
mod changes;
mod event;
mod hook_record;
mod hook_run;
mod not_run;
mod observer;
mod repeat;
mod run;
mod would;

use futures::future::BoxFuture;
use portcullis::observer::next_run;
use portcullis::recording::{CallRecording, RecordedCall};

pub use authority::HookAuthority;
pub use changes::{FieldChange, shortened};
pub use event::{EventRow, JournalEvent};
pub use hook_record::{HookEnd, HookRan, HookStart};
use hook_run::JournalRuns;
pub use not_run::NotRun;
pub use observer::JournalObserver;
pub use repeat::RepeatDecision;
pub use run::{RunEnd, RunRow, RunState, UnknownRunState};
pub use would::WouldHave;

/// The id of the next run or event. No other of this process has it, whatever the journal; later ones are larger. The chain
/// numbers the runs of hooks with the same counter.
pub fn next_run_id() -> i64 {
    run_id(next_run())
}

/// A run's number in the process, as an id.
fn run_id(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A recorder of hook runs and the agent's events. `portcullis-store` has a journal that implements
/// it.
///
/// Its methods are called on async threads, so they should not wait for a disk. None has a default,
/// so that a recorder that forwards to another one also forwards methods added later.
pub trait RunRecorder: Send + Sync {
    /// Records an action of the agent.
    fn event(&self, event: EventRow);

    /// Whether values are recorded too: the fields that hooks and people change, hook
    /// contributions, tool arguments and results, and turn texts.
    fn keeps_values(&self) -> bool;

    /// Records the start of a run.
    fn begin(&self, row: RunRow);

    /// Records the end of a run. After [`RunState::Backgrounded`] another end follows.
    fn end(&self, id: i64, end: RunEnd);

    /// Records the start of a hook's run, as [`begin`](Self::begin) does with its [row](HookStart::row). Called before the
    /// hook is, so it should take less time than a hook.
    fn hook_began(&self, start: HookStart);

    /// Records the end of a hook's run, as [`end`](Self::end) does.
    fn hook_ended(&self, id: i64, end: HookEnd);

    /// Records a hook's run that has ended, and whose start was not recorded before.
    fn hook_ran(&self, ran: HookRan<'_>);

    /// Whether the calls of components are recorded with all that it takes to make them again.
    fn records_calls(&self) -> CallRecording;

    /// Records a component call, under the id of its run. Called only if [calls are
    /// recorded](Self::records_calls).
    fn call(&self, call: RecordedCall);

    /// Waits until all runs of a session that have begun are written, so that no crash loses them. If it fails, so do hooks
    /// with `write-run = "before-answer"`: a recorder that does not know when a run is written gives an error.
    ///
    /// # Errors
    ///
    /// A run that has not ended is lost, or it is not known; the text says why.
    fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>>;
}
