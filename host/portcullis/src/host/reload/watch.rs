//! Watching a hooks directory.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

#[cfg(feature = "watch")]
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::snapshot::Snapshot;
use super::source::Source;

/// The longest time to wait for a directory to settle. Then it is loaded as it is: incomplete files
/// do not load, and complete ones take effect.
const MOST_SETTLING: Duration = Duration::from_secs(10);

/// Options for watching a hooks directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchOptions {
    /// The time without changes before the directory is reloaded, so that files being copied are
    /// complete. Default 250 ms.
    pub settle: Duration,
    /// The interval at which the directory is polled even if no change is reported: some file
    /// systems report no changes, and some systems cannot watch at all. A poll lists the directory;
    /// files are read only if the listing differs. Default 2 s.
    pub poll: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            settle: Duration::from_millis(250),
            poll: Duration::from_secs(2),
        }
    }
}

/// A directory cannot be watched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The hooks are not from a directory.
    #[error("these hooks were not loaded from a directory; load them with `Hooks::load`")]
    NoDirectory,
    /// The watching thread cannot start.
    #[error("there is no thread to watch the hooks directory: {0}")]
    Thread(#[from] std::io::Error),
}

/// A watched hooks directory. Watching ends when this is dropped.
#[derive(Debug)]
#[must_use = "nothing is watched any more once it is dropped"]
pub struct Watch {
    wake: Sender<Wake>,
    thread: Option<JoinHandle<()>>,
}

/// The reason why the thread wakes.
enum Wake {
    /// Something happened in the directory.
    Changed,
    /// The thread must end.
    End,
}

impl Watch {
    pub(crate) fn start(source: &Arc<Source>, options: WatchOptions) -> Result<Self, WatchError> {
        let (wake, woken) = channel();
        let changed = wake.clone();
        // The thread may have ended, so a failed send is ignored.
        let watcher = watcher(source.dir(), move || drop(changed.send(Wake::Changed)));
        let source = source.clone();
        let thread = std::thread::Builder::new()
            .name("portcullis-watch".into())
            .spawn(move || {
                watch(&source, options, &woken);
                drop(watcher);
            })?;
        Ok(Self {
            wake,
            thread: Some(thread),
        })
    }
}

impl Drop for Watch {
    /// Waits for a reload in progress. Components continue to be compiled, and take effect.
    fn drop(&mut self) {
        let _ = self.wake.send(Wake::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns no watcher: a build without the feature `watch` only polls the directory.
#[cfg(not(feature = "watch"))]
fn watcher(_: &Path, _: impl Fn()) -> Option<Box<()>> {
    None
}

/// Starts a system watcher, if possible. It only wakes the thread earlier; the thread checks the
/// directory itself.
#[cfg(feature = "watch")]
fn watcher(dir: &Path, changed: impl Fn() + Send + 'static) -> Option<RecommendedWatcher> {
    let tell = move |event: notify::Result<notify::Event>| {
        // Reading a file is not a change, and the thread itself reads files.
        if !event.is_ok_and(|event| event.kind.is_access()) {
            changed();
        }
    };
    let watcher = notify::recommended_watcher(tell).and_then(|mut watcher| {
        watcher.watch(dir, RecursiveMode::NonRecursive)?;
        Ok(watcher)
    });
    watcher
        .inspect_err(|e| {
            tracing::warn!(dir = %dir.display(), "the system does not report changes, so the hooks directory is read at intervals: {e}");
        })
        .ok()
}

fn watch(source: &Arc<Source>, options: WatchOptions, woken: &Receiver<Wake>) {
    while let Some(()) = wait(woken, options.poll) {
        while let Ok(wake) = woken.try_recv() {
            if let Wake::End = wake {
                return;
            }
        }
        let mut now = Snapshot::of(source.dir());
        let since = Instant::now();
        while !source.has_seen(&now) {
            if rest(woken, options.settle).is_none() {
                return;
            }
            let next = Snapshot::of(source.dir());
            if next == now || since.elapsed() > MOST_SETTLING {
                source.step();
                break;
            }
            now = next;
        }
    }
}

/// Waits for a change, for at most `most`. Returns `None` if the thread must end.
fn wait(woken: &Receiver<Wake>, most: Duration) -> Option<()> {
    match woken.recv_timeout(most) {
        Ok(Wake::Changed) | Err(RecvTimeoutError::Timeout) => Some(()),
        Ok(Wake::End) | Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// Waits for `time` regardless of changes. Returns `None` if the thread must end.
fn rest(woken: &Receiver<Wake>, time: Duration) -> Option<()> {
    let until = Instant::now() + time;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Some(());
        }
        wait(woken, left)?;
    }
}
