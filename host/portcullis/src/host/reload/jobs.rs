//! Background compilation of components while hooks run.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use tokio_util::sync::CancellationToken;
use wasmtime::component::Component;

use super::source::Source;
use crate::load::compiling::{Compiling, Later, Uncompiled};
use crate::load::{LoadFault, Progress};
use crate::model::verdict::Digest;

/// The components of one directory that are being compiled, and their results.
pub(super) struct Jobs {
    state: Mutex<State>,
    idle: Condvar,
    start: Start,
}

/// The work of a thread.
type Work = Box<dyn FnOnce() + Send>;
/// A function that starts a thread.
type Start = fn(Work) -> io::Result<()>;

impl Default for Jobs {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            idle: Condvar::new(),
            start: |work| {
                let thread = std::thread::Builder::new().name("portcullis-compile".into());
                thread.spawn(work).map(drop)
            },
        }
    }
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Uncompiled>,
    /// The components that wait or are being compiled.
    wanted: HashMap<Digest, CancellationToken>,
    /// The results, kept until no component is wanted.
    done: HashMap<Digest, Result<Component, LoadFault>>,
    threads: usize,
}

/// A running compile thread. Dropped when the thread ends.
struct Thread<'a>(&'a Jobs);

impl Drop for Thread<'_> {
    fn drop(&mut self) {
        self.0.lock().threads -= 1;
        self.0.idle.notify_all();
    }
}

/// A component that a thread is compiling. If the thread panics, the component waits again, for the
/// next reload.
struct Unfinished<'a> {
    jobs: &'a Jobs,
    job: &'a Uncompiled,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.jobs.lock().waiting.push_front(self.job.clone());
        }
    }
}

impl Jobs {
    /// Returns the results so far.
    pub(super) fn done(&self) -> Later {
        Later::after(self.lock().done.clone())
    }

    /// Compiles these components from now on, and no others.
    pub(super) fn want(self: &Arc<Self>, wanted: Vec<Uncompiled>, source: &Arc<Source>) {
        let mut state = self.lock();
        if wanted.is_empty() {
            state.done.clear();
        }
        let is_wanted = |digest: &Digest| wanted.iter().any(|job| job.digest == *digest);
        state.wanted.retain(|digest, cancel| {
            let stays = is_wanted(digest);
            if !stays {
                cancel.cancel();
            }
            stays
        });
        state.waiting.retain(|job| is_wanted(&job.digest));
        for job in wanted {
            // A component that was compiled meanwhile is loaded by the next step.
            let known = state.wanted.contains_key(&job.digest);
            if !known && !state.done.contains_key(&job.digest) {
                let cancel = source.compiling().cancel.child_token();
                state.wanted.insert(job.digest, cancel);
                state.waiting.push_back(job);
            }
        }
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..state.waiting.len().min(most.saturating_sub(state.threads)) {
            state.threads += usize::from(self.spawn(source));
        }
    }

    /// Returns the files that no thread compiles: no thread could start, or the thread panicked.
    pub(super) fn left(&self) -> Vec<PathBuf> {
        let state = self.lock();
        let waiting = state.waiting.iter();
        waiting.map(|job| job.file.clone()).collect()
    }

    /// Waits until nothing is being compiled and all results are loaded.
    pub(super) fn wait(&self) {
        let mut state = self.lock();
        while state.threads > 0 {
            let waited = self.idle.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn spawn(self: &Arc<Self>, source: &Arc<Source>) -> bool {
        let (jobs, compiling) = (self.clone(), source.compiling().clone());
        // A weak reference, so that compilations end once the hooks are dropped.
        let source = Arc::downgrade(source);
        let work = Box::new(move || jobs.work(&compiling, &source));
        (self.start)(work)
            .inspect_err(|e| tracing::error!("there is no thread to compile hooks: {e}"))
            .is_ok()
    }

    fn work(&self, compiling: &Compiling, source: &Weak<Source>) {
        // A guard, since a reload would wait forever if a listener panicked in this thread.
        let _thread = Thread(self);
        while let Some((job, cancel)) = self.next() {
            let unfinished = Unfinished {
                jobs: self,
                job: &job,
            };
            let result = compiling.compile(&job, &cancel, |file| {
                if let Some(source) = source.upgrade() {
                    source.progress(Progress::Compiling(file));
                }
            });
            drop(unfinished);
            self.end(&job, result, &cancel, compiling.cancel.is_cancelled());
            if let Some(source) = source.upgrade() {
                source.step();
            }
        }
    }

    fn next(&self) -> Option<(Uncompiled, CancellationToken)> {
        let mut state = self.lock();
        while let Some(job) = state.waiting.pop_front() {
            if let Some(cancel) = state.wanted.get(&job.digest) {
                return Some((job, cancel.clone()));
            }
        }
        None
    }

    fn end(
        &self,
        job: &Uncompiled,
        result: Result<Component, LoadFault>,
        cancel: &CancellationToken,
        all_cancelled: bool,
    ) {
        let mut state = self.lock();
        // No longer wanted; another job may have its place.
        if cancel.is_cancelled() && !all_cancelled {
            return;
        }
        state.wanted.remove(&job.digest);
        state.done.insert(job.digest, result);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
