//! Telemetry of a process, from its start to its end.

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

/// Telemetry of a process. Cheap to clone. End it with [`Telemetry::end`], which sends what waits.
#[derive(Clone)]
pub struct Telemetry(Arc<Inner>);

struct Inner {
    observed: Arc<Observed>,
    tracer: Arc<AgentTracer>,
    scraped: Option<Scraped>,
    /// Whether metrics are sent to a collector.
    sends_metrics: bool,
}

/// Telemetry does not start.
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
    /// Starts telemetry if the table of a file, or the environment where there is none, switches it on. Call it in the
    /// runtime that sends.
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

    /// Starts telemetry. Call it in the runtime that sends.
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

    /// Records the sessions of an agent: see [`AgentBuilder::tracer`](portcullis_agent::AgentBuilder::tracer).
    pub fn tracer(&self) -> Arc<dyn Tracer> {
        self.0.tracer.clone()
    }

    /// Watches the hooks of a session that is not an agent's, such as a proxy's, or of all of them if it has no id here.
    /// Lines and events go to `tracing` too.
    pub fn observer(&self, session: &str) -> Arc<dyn HookObserver> {
        Arc::new(Observer::new(self.0.observed.clone(), session, None).and_logs())
    }

    /// The metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.0.observed.metrics
    }

    /// The address at which `/metrics` is served, if it is.
    pub fn prometheus(&self) -> Option<SocketAddr> {
        self.0.scraped.as_ref().map(|scraped| scraped.address)
    }

    /// A span of a request from outside, such as a call of a proxy.
    pub fn enter(&self, name: String, parent: Option<&TraceContext>) -> Entry {
        Entry::begin(self.0.observed.clone(), name, parent)
    }

    /// Sends what waits, for no longer than this. Returns whether it ended in that time: what a collector refuses, or does not
    /// take since nobody listens, is lost at once.
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
            // It has nothing to say.
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
