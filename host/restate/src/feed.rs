//! The events of a turn, for the client that sent it: a worker writes them to the store, and the client reads them there.
//!
//! Each run of the turn on a worker is an attempt, and its events are numbered. An attempt repeats the events of
//! the earlier attempts, except pieces of text.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use portcullis_agent::{AgentEvent, Emitted, EventReceiver};
use portcullis_store::{Feed, FeedEvent, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The time for which events are collected, so that pieces of text are not written one by one.
const COLLECT: Duration = Duration::from_millis(30);

/// Requests that the events emitted until now are written. The answer is sent once they are.
pub(crate) type Flush = mpsc::Sender<oneshot::Sender<()>>;

/// Writes the events of a segment.
pub(crate) struct Feeding {
    end: oneshot::Sender<()>,
    flush: Flush,
    task: JoinHandle<()>,
}

struct Writing {
    feed: Feed,
    events: EventReceiver,
    session: String,
    request: String,
    attempt: u32,
    /// The session and its sub-agents' sessions.
    sessions: BTreeSet<Arc<str>>,
    next: u64,
}

impl Feeding {
    pub(crate) async fn start(
        feed: Feed,
        events: EventReceiver,
        session: &str,
        request: &str,
    ) -> Result<Self, StoreError> {
        let attempt = feed.begin(session, request).await?;
        let writing = Writing {
            feed,
            events,
            session: session.to_owned(),
            request: request.to_owned(),
            attempt,
            sessions: BTreeSet::from([Arc::from(session)]),
            next: 1,
        };
        let (end, ends) = oneshot::channel();
        let (flush, flushes) = mpsc::channel(1);
        let task = tokio::spawn(writing.run(ends, flushes));
        Ok(Self { end, flush, task })
    }

    pub(crate) fn flush(&self) -> Flush {
        self.flush.clone()
    }

    /// Writes the events emitted until now.
    pub(crate) async fn finish(self) {
        drop(self.end);
        if let Err(error) = self.task.await {
            tracing::warn!("the events of a turn were not written: {error}");
        }
    }
}

impl Writing {
    async fn run(
        mut self,
        mut ends: oneshot::Receiver<()>,
        mut flushes: mpsc::Receiver<oneshot::Sender<()>>,
    ) {
        loop {
            let (mut first, mut flushed, mut has_ended) = (None, None, false);
            tokio::select! {
                event = self.events.next() => {
                    has_ended = event.is_none();
                    first = event;
                }
                Some(flush) = flushes.recv() => flushed = Some(flush),
                _ = &mut ends => has_ended = true,
            }
            if first.is_some() {
                tokio::select! {
                    () = sleep(COLLECT) => {}
                    Some(flush) = flushes.recv() => flushed = Some(flush),
                    _ = &mut ends => has_ended = true,
                }
            }
            self.write(first).await;
            if let Some(flushed) = flushed {
                // The send fails if the waiter has stopped.
                let _ = flushed.send(());
            }
            if has_ended {
                return;
            }
        }
    }

    async fn write(&mut self, first: Option<Arc<Emitted>>) {
        let mut texts = Vec::new();
        let mut next = first;
        while let Some(emitted) = next.take().or_else(|| self.events.try_next()) {
            if !self.sessions.contains(&emitted.session_id) {
                continue;
            }
            if let AgentEvent::SubagentStarted { session, .. } = &emitted.event {
                self.sessions.insert(session.as_str().into());
            }
            match serde_json::to_string(&*emitted) {
                Ok(text) => texts.push(text),
                Err(error) => tracing::warn!("an event cannot be written: {error}"),
            }
        }
        if texts.is_empty() {
            return;
        }
        let count = u64::try_from(texts.len()).unwrap_or(u64::MAX);
        let (session, request) = (&self.session, &self.request);
        let added = self
            .feed
            .add(session, request, self.attempt, self.next, texts);
        if let Err(error) = added.await {
            tracing::warn!(session, "the events of a turn are not shown: {error}");
        }
        self.next = self.next.saturating_add(count);
    }
}

/// Finds the events of a feed that repeat events of an earlier attempt.
#[derive(Debug, Default)]
pub struct Repeats {
    /// The number of times that each event was seen in this attempt, and the maximum of the earlier attempts.
    seen: BTreeMap<String, (u32, u32)>,
    attempt: u32,
}

impl Repeats {
    /// Returns the event as JSON, if it is not a repetition, and whether it begins another attempt.
    pub fn next(&mut self, event: &FeedEvent) -> Option<(Value, bool)> {
        let continues = event.attempt > self.attempt && self.attempt > 0;
        if event.attempt != self.attempt {
            self.attempt = event.attempt;
            for (now, before) in self.seen.values_mut() {
                *before = (*before).max(*now);
                *now = 0;
            }
        }
        let value: Value = serde_json::from_str(&event.event).ok()?;
        let mut key = value.clone();
        if let Some(key) = key.as_object_mut() {
            key.retain(|name, _| !["at-ms", "replayed", "elapsed-ms"].contains(&name.as_str()));
        }
        let (now, before) = self.seen.entry(key.to_string()).or_default();
        *now += 1;
        (now > before).then_some((value, continues))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(attempt: u32, text: &str, at_ms: u32) -> FeedEvent {
        let event = serde_json::json!({ "event": text, "at-ms": at_ms, "elapsed-ms": at_ms, "replayed": attempt > 1 });
        FeedEvent {
            id: 1,
            attempt,
            number: 1,
            event: event.to_string(),
        }
    }

    #[test]
    fn what_an_earlier_attempt_has_told_is_not_told_again() {
        let mut repeats = Repeats::default();
        let mut told = Vec::new();
        for (attempt, text) in [
            (1, "a"),
            (1, "b"),
            (1, "a"),
            (2, "a"),
            (2, "b"),
            (2, "a"),
            (2, "c"),
            (3, "b"),
            (3, "c"),
            (3, "a"),
            (3, "a"),
            (3, "a"),
        ] {
            if repeats.next(&event(attempt, text, attempt)).is_some() {
                told.push(text);
            }
        }
        assert_eq!(told, ["a", "b", "a", "c", "a"]);
    }
}
