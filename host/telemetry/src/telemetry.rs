//! The telemetry of a process, from its start to its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry_sdk::trace::SpanExporter as _;
use portcullis::observer::HookObserver;
use portcullis::settings::TelemetryTable;
use portcullis::trace::TraceContext;
use portcullis_agent::Tracer;
use tokio::runtime::Handle;

use crate::entry::Entry;
use crate::environment::effective;
use crate::export::{ExportError, Exporters, Queue};
use crate::logs::Logs;
use crate::metrics::Metrics;
use crate::resource::resource;
use crate::scrape::Scraped;
use crate::spans::{AgentTracer, Observed, Observer, Sampler, SpanSink};

/// The telemetry of a process. Cheap to clone. [`Telemetry::end`] sends the remaining signals.
#[derive(Clone)]
pub struct Telemetry(Arc<Inner>);

struct Inner {
    observed: Arc<Observed>,
    tracer: Arc<AgentTracer>,
    scraped: Option<Scraped>,
    /// Whether metrics are sent to a collector.
    sends_metrics: bool,
}

/// The reason why telemetry does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TelemetryError {
    /// Signals cannot be sent.
    #[error("telemetry does not start: {0}")]
    Export(#[from] ExportError),
    /// The address for Prometheus cannot be listened on.
    #[error("`/metrics` cannot be served at {address}: {cause}; choose another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        cause: std::io::Error,
    },
}

impl std::fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Telemetry")
            .field("prometheus", &self.prometheus())
            .finish_non_exhaustive()
    }
}

impl Telemetry {
    /// Starts telemetry if the table of a file turns it on, or the environment if there is no table. Call this in the
    /// runtime that is to send the signals.
    ///
    /// # Errors
    ///
    /// An address cannot be used.
    pub async fn start_if_on(
        table: Option<&TelemetryTable>,
    ) -> Result<Option<Self>, TelemetryError> {
        match effective(table) {
            Some(table) => Self::start(&table).await.map(Some),
            None => Ok(None),
        }
    }

    /// Starts telemetry. Call this in the runtime that is to send the signals.
    ///
    /// # Errors
    ///
    /// An address cannot be used.
    pub async fn start(table: &TelemetryTable) -> Result<Self, TelemetryError> {
        let runtime = Handle::current();
        let resource = resource(table);
        let Exporters {
            spans,
            metrics,
            logs,
        } = Exporters::new(table, &runtime)?;
        let sends_metrics = metrics.is_some();
        let metrics = Metrics::new(resource.clone(), metrics);
        let queue = spans.map(|mut exporter| {
            exporter.set_resource(&resource);
            Queue::start(&runtime, exporter)
        });
        if let Some(queue) = &queue {
            metrics.of_spans(queue);
        }
        let scraped = match table.prometheus {
            Some(address) => {
                let started = Scraped::start(address, metrics.clone()).await;
                Some(started.map_err(|cause| TelemetryError::Listen { address, cause })?)
            }
            None => None,
        };
        let observed = Arc::new(Observed {
            sink: SpanSink::new(queue, Sampler::new(table.sample), table.content),
            metrics,
            logs: logs.map(|exporter| Logs::new(resource, exporter)),
            runs: Default::default(),
        });
        Ok(Self(Arc::new(Inner {
            tracer: Arc::new(AgentTracer::new(observed.clone())),
            observed,
            scraped,
            sends_metrics,
        })))
    }

    /// Returns the tracer that records the sessions of an agent: see
    /// [`AgentBuilder::tracer`](portcullis_agent::AgentBuilder::tracer).
    pub fn tracer(&self) -> Arc<dyn Tracer> {
        self.0.tracer.clone()
    }

    /// Returns an observer of the hooks in a session that is not an agent's, such as a proxy's. An empty `session`
    /// means all sessions. Lines and events go to `tracing` too.
    pub fn observer(&self, session: &str) -> Arc<dyn HookObserver> {
        Arc::new(Observer::new(self.0.observed.clone(), session, None).and_logs())
    }

    /// Returns the metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.0.observed.metrics
    }

    /// Returns the address at which `/metrics` is served, if it is.
    pub fn prometheus(&self) -> Option<SocketAddr> {
        self.0.scraped.as_ref().map(|scraped| scraped.address)
    }

    /// Begins the span of a request from outside, such as a call of a proxy.
    pub fn enter(&self, name: String, parent: Option<&TraceContext>) -> Entry {
        Entry::begin(self.0.observed.clone(), name, parent)
    }

    /// Sends the remaining signals, for at most this time. Returns whether sending ended in time. Signals that a
    /// collector refuses, or that reach no collector, are lost at once.
    pub async fn end(&self, within: Duration) -> bool {
        let sending = async {
            let observed = self.0.observed.clone();
            observed.sink.flush().await;
            let sends_metrics = self.0.sends_metrics;
            let rest = tokio::task::spawn_blocking(move || {
                if sends_metrics {
                    observed.metrics.flush();
                }
                if let Some(logs) = &observed.logs {
                    logs.flush();
                }
            });
            // The task returns no value.
            let _ = rest.await;
        };
        let in_time = tokio::time::timeout(within, sending).await.is_ok();
        if !in_time {
            tracing::warn!(
                "the collector did not take everything within {within:?}: the last spans, metrics or log records are lost"
            );
        }
        in_time
    }
}
