//! The runtime of the commands that perform several tasks at once.

use std::panic::catch_unwind;

use anyhow::Context as _;
use tokio::runtime::Runtime;

/// Returns a runtime with a thread for each processor.
pub fn start() -> anyhow::Result<Runtime> {
    const NO_THREAD: &str = "no thread can be started";
    // Tokio panics if the system gives it no thread, so one is requested first; tokio may still get
    // none.
    let asked = std::thread::Builder::new().spawn(|| ());
    asked.context(NO_THREAD)?;
    Ok(catch_unwind(Runtime::new).ok().context(NO_THREAD)??)
}
