//! What a hook host deals in: calls, points, hooks, verdicts, failures and limits, as plain types.

pub(crate) mod approval;
pub(crate) mod call;
pub(crate) mod clock;
pub(crate) mod current;
pub(crate) mod effects;
pub(crate) mod failure;
pub(crate) mod hook;
pub(crate) mod isolation;
pub mod json;
pub(crate) mod limits;
pub(crate) mod metrics;
pub(crate) mod model_client;
pub(crate) mod named;
pub mod points;
pub mod prompt;
pub(crate) mod purpose;
pub(crate) mod regular_file;
pub(crate) mod secrets;
pub(crate) mod sink;
pub(crate) mod state;
pub(crate) mod state_edits;
pub(crate) mod stopwatch;
pub(crate) mod tools;
pub(crate) mod verdict;
pub(crate) mod view;
pub(crate) mod write_run;
