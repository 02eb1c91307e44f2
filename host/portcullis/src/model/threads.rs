//! Blocking work on tokio's threads for it, also where the system gives no more threads.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::task::{JoinHandle, spawn_blocking};

/// The system gives no thread more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives the process no more threads")]
pub(crate) struct NoThread;

/// Runs work on a thread that may block. Tokio panics where it has no such thread and gets none.
pub(crate) fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, NoThread> {
    catch_unwind(AssertUnwindSafe(|| spawn_blocking(work))).map_err(|_| NoThread)
}

/// A runtime whose threads have a stack that no system has the memory for.
#[cfg(test)]
pub(crate) fn runtime_without_threads() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let builder = builder.enable_all().thread_stack_size(1 << 60);
    builder.build().expect("a runtime of this thread")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_a_thread_is_an_error() {
        let runtime = runtime_without_threads();
        let _entered = runtime.enter();
        assert_eq!(blocking(|| ()).err(), Some(NoThread));
    }
}
