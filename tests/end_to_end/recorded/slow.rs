//! A journal that answers late.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::observer::{HookEvent, HookObserver, LogLine, RecordError, RunStarted};
use tokio::sync::watch;

/// A journal that answers once `answers` holds an answer.
pub(super) struct Slow {
    pub(super) answers: watch::Sender<Option<Result<(), RecordError>>>,
    begun: AtomicUsize,
    asked: AtomicUsize,
}

impl Slow {
    pub(super) fn new(answer: Option<Result<(), RecordError>>) -> Arc<Self> {
        Arc::new(Self {
            answers: watch::Sender::new(answer),
            begun: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
        })
    }

    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl HookObserver for Slow {
    fn log(&self, _: LogLine<'_>) {}

    fn event(&self, _: HookEvent) {}

    fn watches_runs(&self) -> bool {
        true
    }

    fn started(&self, _: &RunStarted<'_>) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    fn recorded<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        assert_eq!(self.begun.load(Ordering::Relaxed), 1, "the run has begun");
        let mut answers = self.answers.subscribe();
        async move {
            let answer = answers.wait_for(Option::is_some).await.expect("an answer");
            answer.clone().unwrap_or(Ok(()))
        }
        .boxed()
    }
}
