//! Diagnostics on the standard error.

use tracing_subscriber::EnvFilter;

use crate::output::Diagnostics;

/// The variable with the log filter, in the syntax of `tracing-subscriber`.
const VARIABLE: &str = "PORTCULLIS_LOG";

/// The default. Hooks' logs and failures of model calls are left out, since every command shows
/// them.
const DEFAULT: &str = "warn,portcullis::hook=off,genai=off";

/// The default of commands that play a session, and show each failure of a hook in it.
const OF_SESSIONS: &str = "warn,portcullis::chain::merge=off,portcullis::hook=off,genai=off";

/// The default of commands that make hooks fail, and show the failures and the requests that are refused.
const WITHOUT_FAILURES: &str =
    "warn,portcullis::chain=off,portcullis::http=off,portcullis::hook=off,genai=off";

/// Starts logging, if it has not begun.
pub fn start() {
    start_with(DEFAULT);
}

/// Like [`start`], for commands that play a session on the screen or in events: those show each
/// hook failure.
pub fn start_for_a_session() {
    start_with(OF_SESSIONS);
}

/// Like [`start`], for commands that make hooks fail: their output shows each failure.
pub fn start_without_failures() {
    start_with(WITHOUT_FAILURES);
}

fn start_with(default: &str) {
    let filter = std::env::var(VARIABLE)
        .ok()
        .and_then(|text| EnvFilter::try_new(text).ok())
        .unwrap_or_else(|| EnvFilter::new(default));
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Diagnostics::default)
        .with_ansi(false)
        .try_init();
    drop(started);
}
