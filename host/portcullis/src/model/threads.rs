//! Blocking work on tokio's blocking threads, even if the system cannot start more threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The reason that blocking work has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockingError {
    /// The system cannot start more threads. The work was not begun, and will not be.
    #[error("the system gives the process no more threads")]
    NoThread,
    /// The caller is not in a tokio runtime. The work was not begun, and will not be.
    #[error("there is no tokio runtime")]
    NoRuntime,
    /// The runtime ended before the work began.
    #[error("the tokio runtime has ended")]
    Stopped,
    /// The work panicked. The text is the panic's message.
    #[error("it panicked: {0}")]
    Panicked(String),
}

/// Runs work on a thread that may block, and waits for it. Dropping the future does not stop the
/// work.
///
/// Unlike [`tokio::task::spawn_blocking`], it does not panic if the system cannot start a thread
/// for the work.
///
/// # Errors
///
/// There is no thread or no runtime for the work, or the work panicked.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BlockingError> {
    let runtime = Handle::try_current().map_err(|_| BlockingError::NoRuntime)?;
    spawned(work, |work| runtime.spawn_blocking(work)).await
}

type Job = Box<dyn FnOnce() + Send>;

/// Runs `work` through `spawn`. If tokio has no thread and cannot start one, it panics but keeps
/// the work in its queue: another thread may begin it meanwhile, or later. So the work is
/// withdrawn, unless it has begun.
async fn spawned<T: Send + 'static, R>(
    work: impl FnOnce() -> T + Send + 'static,
    spawn: impl FnOnce(Job) -> R,
) -> Result<T, BlockingError> {
    let work = Arc::new(Mutex::new(Some(work)));
    let (done, result) = oneshot::channel();
    let begun = work.clone();
    let job: Job = Box::new(move || {
        if let Some(work) = take(&begun) {
            // Fails if the future was dropped.
            let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
        }
    });
    let started = catch_unwind(AssertUnwindSafe(|| spawn(job))).is_ok();
    if !started && take(&work).is_some() {
        return Err(BlockingError::NoThread);
    }
    let result = result.await.map_err(|_| BlockingError::Stopped)?;
    result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        BlockingError::Panicked(text.unwrap_or_default().to_owned())
    })
}

fn take<T>(work: &Mutex<Option<T>>) -> Option<T> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Creates a runtime that cannot start threads: no system has enough memory for their stacks.
#[cfg(test)]
pub(crate) fn runtime_without_threads() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let builder = builder.enable_all().thread_stack_size(1 << 60);
    builder.build().expect("a runtime of this thread")
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn work_without_a_thread_is_an_error() {
        let done = runtime_without_threads().block_on(blocking(|| ()));
        assert_eq!(done, Err(BlockingError::NoThread));
    }

    #[test]
    fn work_without_a_runtime_is_an_error() {
        let done = blocking(|| ()).now_or_never();
        assert_eq!(done, Some(Err(BlockingError::NoRuntime)));
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error() {
        let done = blocking(|| panic!("it is wrong")).await;
        assert_eq!(done, Err(BlockingError::Panicked("it is wrong".to_owned())));
    }

    #[test]
    fn work_that_got_no_thread_is_not_done_later() {
        let (mut queue, finished) = (Vec::new(), Arc::new(Mutex::new(false)));
        let finishes = finished.clone();
        let done = spawned(
            move || finishes.lock().map(|mut finished| *finished = true).is_ok(),
            |job| {
                queue.push(job);
                panic!("no thread");
            },
        );
        assert_eq!(done.now_or_never(), Some(Err(BlockingError::NoThread)));
        queue.into_iter().for_each(|job| job());
        assert!(!*finished.lock().expect("no panic"));
    }

    #[test]
    fn work_that_another_thread_has_begun_is_waited_for() {
        let (go, waits) = std::sync::mpsc::channel();
        let (began, begun) = std::sync::mpsc::channel();
        let work = move || {
            began.send(()).expect("a test that waits");
            waits.recv().expect("a test that lets it go")
        };
        let mut thread = None;
        let mut done = Box::pin(spawned(work, |job| {
            thread = Some(std::thread::spawn(job));
            begun.recv().expect("work that begins");
            panic!("no thread");
        }));
        assert_eq!((&mut done).now_or_never(), None);
        go.send(7).expect("work that waits");
        assert_eq!(futures::executor::block_on(done), Ok(7));
        thread.map(std::thread::JoinHandle::join);
    }
}
