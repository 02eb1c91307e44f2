//! The queue of spans to send. No turn waits for it: a span that does not fit or cannot be sent is lost and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::trace::{SpanData, SpanExporter as _};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::environment::{MILLISECONDS, number};

/// The least time between two log messages about lost spans.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// The largest queue that the environment may set. A channel panics at a much larger bound.
const MOST_SPANS: usize = 1 << 24;

/// The size of the queue, the size of a request, and the longest delay before a request.
#[derive(Debug, Clone, Copy)]
struct Limits {
    queue: usize,
    batch: usize,
    delay: Duration,
}

impl Limits {
    /// Returns the limits of the environment, or else the defaults of OpenTelemetry.
    fn of_environment() -> Self {
        let queue = number("OTEL_BSP_MAX_QUEUE_SIZE", 2_048, 1..=MOST_SPANS);
        let batch = number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, 1..=MOST_SPANS);
        let delay = number("OTEL_BSP_SCHEDULE_DELAY", 5_000, MILLISECONDS);
        Self {
            queue,
            batch: batch.min(queue),
            delay: Duration::from_millis(delay),
        }
    }
}

/// The numbers of spans by state.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) sent: AtomicU64,
    pub(crate) lost: AtomicU64,
    waiting: AtomicUsize,
}

impl Counts {
    fn add(number: &AtomicU64, count: usize) {
        number.fetch_add(count as u64, Ordering::Relaxed);
    }
}

enum Item {
    Span(Box<SpanData>),
    /// A request to send all earlier spans, and the channel that reports the end.
    Flush(oneshot::Sender<()>),
}

/// The sending end of the queue.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    items: mpsc::Sender<Item>,
    counts: Arc<Counts>,
}

impl Queue {
    /// Starts a task that sends the queued spans with this exporter.
    pub(crate) fn start(runtime: &Handle, exporter: SpanExporter) -> Self {
        let limits = Limits::of_environment();
        let (items, waiting) = mpsc::channel(limits.queue);
        let counts = Arc::<Counts>::default();
        let sender = Sender {
            exporter,
            limits,
            counts: counts.clone(),
            warned: None,
            refused: 0,
            reported: 0,
        };
        runtime.spawn(sender.run(waiting));
        Self { items, counts }
    }

    /// Adds a span. A full queue drops and counts it.
    pub(crate) fn push(&self, span: SpanData) {
        self.counts.waiting.fetch_add(1, Ordering::Relaxed);
        if self.items.try_send(Item::Span(Box::new(span))).is_err() {
            self.counts.waiting.fetch_sub(1, Ordering::Relaxed);
            Counts::add(&self.counts.lost, 1);
        }
    }

    /// Returns the number of spans that are neither sent nor lost.
    pub(crate) fn waiting(&self) -> usize {
        self.counts.waiting.load(Ordering::Relaxed)
    }

    /// Sends all queued spans.
    pub(crate) async fn flush(&self) {
        let (done, ended) = oneshot::channel();
        if self.items.send(Item::Flush(done)).await.is_ok() {
            // The task may have ended: then nothing can be sent.
            let _ = ended.await;
        }
    }

    pub(crate) fn counts(&self) -> &Arc<Counts> {
        &self.counts
    }
}

struct Sender {
    exporter: SpanExporter,
    limits: Limits,
    counts: Arc<Counts>,
    /// The time of the last log message about lost spans.
    warned: Option<Instant>,
    /// The number of spans that the collector did not take. The other lost spans did not fit into the queue.
    refused: u64,
    /// The number of spans that did not fit into the queue, as of the last log message.
    reported: u64,
}

impl Sender {
    async fn run(mut self, mut waiting: mpsc::Receiver<Item>) {
        let mut batch = Vec::new();
        let mut due = Instant::now() + self.limits.delay;
        loop {
            let item = tokio::time::timeout_at(due, waiting.recv()).await;
            match item {
                Ok(Some(Item::Span(span))) => {
                    batch.push(*span);
                    if batch.len() < self.limits.batch {
                        continue;
                    }
                }
                Ok(Some(Item::Flush(done))) => {
                    self.send(std::mem::take(&mut batch)).await;
                    // The caller may have stopped waiting.
                    let _ = done.send(());
                }
                Ok(None) => return self.send(batch).await,
                Err(_) => {}
            }
            self.send(std::mem::take(&mut batch)).await;
            due = Instant::now() + self.limits.delay;
        }
    }

    async fn send(&mut self, batch: Vec<SpanData>) {
        if batch.is_empty() {
            return;
        }
        let count = batch.len();
        let exported = self.exporter.export(batch).await;
        self.counts.waiting.fetch_sub(count, Ordering::Relaxed);
        match exported {
            Ok(()) => {
                Counts::add(&self.counts.sent, count);
                if self.dropped() > self.reported {
                    self.warn("the queue was full");
                }
            }
            Err(error) => {
                Counts::add(&self.counts.lost, count);
                self.refused += count as u64;
                self.warn(&error.to_string());
            }
        }
    }

    /// Returns the number of spans that did not fit into the queue.
    fn dropped(&self) -> u64 {
        let lost = self.counts.lost.load(Ordering::Relaxed);
        lost.saturating_sub(self.refused)
    }

    fn warn(&mut self, why: &str) {
        let now = Instant::now();
        if self.warned.is_some_and(|last| now - last < WARN_EVERY) {
            return;
        }
        self.warned = Some(now);
        let lost = self.counts.lost.load(Ordering::Relaxed);
        self.reported = self.dropped();
        tracing::warn!(
            "spans could not be sent to the collector: {lost} are lost so far ({}); see to `endpoint` in `[telemetry]`, or \
             to OTEL_EXPORTER_OTLP_ENDPOINT",
            portcullis::text::sanitize_for_terminal(why)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_largest_limits_can_be_kept() {
        let (items, _waiting) = mpsc::channel::<Item>(MOST_SPANS);
        assert_eq!(items.max_capacity(), MOST_SPANS);
        let longest = Duration::from_millis(*MILLISECONDS.end());
        assert!(Instant::now().checked_add(longest).is_some());
    }
}
