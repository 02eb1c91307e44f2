//! Telemetry of a process, from its start to its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry_otlp::{
    ExporterBuildError, LogExporter, MetricExporter, SpanExporter, WithExportConfig as _,
    WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SpanExporter as _;
use portcullis::observer::HookObserver;
use portcullis_agent::Tracer;
use tokio::runtime::Handle;

use crate::conventions::{SERVICE_NAME, SERVICE_VERSION};
use crate::entry::Entry;
use crate::export::{Client, Queue};
use crate::logs::Logs;
use crate::metrics::Metrics;
use crate::scrape::Scraped;
use crate::settings::{TelemetryTable, variable};
use crate::spans::{AgentTracer, Observed, Observer, Sampler, SpanSink};

/// How long a collector may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

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
    /// The HTTP client cannot be made.
    #[error("telemetry does not start: the HTTP client cannot be made: {0}")]
    Client(#[source] reqwest::Error),
    /// A signal cannot be sent.
    #[error(
        "telemetry does not start: {0}; see to `endpoint` in `[telemetry]` and to the OTEL_* variables"
    )]
    Exporter(#[source] ExporterBuildError),
    /// The address for Prometheus cannot be listened on.
    #[error("`/metrics` cannot be served at {address}: {cause}; choose another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
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
    /// Starts telemetry as [effective settings](TelemetryTable::effective) say. Call it in the runtime that sends.
    ///
    /// # Errors
    ///
    /// An address cannot be used.
    pub async fn start(table: &TelemetryTable) -> Result<Self, TelemetryError> {
        let runtime = Handle::current();
        let resource = resource(table);
        let exporters = match table.sends() {
            true => Some(Exporters::new(table, &runtime)?),
            false => None,
        };
        let Exporters {
            spans,
            metrics,
            logs,
        } = exporters.unwrap_or_default();
        let sends_metrics = metrics.is_some();
        let metrics = Metrics::new(resource.clone(), metrics);
        let queue = spans.map(|mut exporter| {
            exporter.set_resource(&resource);
            Queue::start(&runtime, exporter)
        });
        if let Some(queue) = &queue {
            metrics.of_spans(queue.counts().clone());
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
    pub fn enter(&self, name: String, parent: Option<&portcullis::trace::TraceContext>) -> Entry {
        Entry::begin(self.0.observed.clone(), name, parent)
    }

    /// Sends what waits, for no longer than this.
    pub async fn end(&self, within: Duration) {
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
        if tokio::time::timeout(within, sending).await.is_err() {
            tracing::warn!(
                "the collector did not take everything within {within:?}: the last spans, metrics or log records are lost"
            );
        }
    }
}

#[derive(Default)]
struct Exporters {
    spans: Option<SpanExporter>,
    metrics: Option<MetricExporter>,
    logs: Option<LogExporter>,
}

impl Exporters {
    fn new(table: &TelemetryTable, runtime: &Handle) -> Result<Self, TelemetryError> {
        let timeout = |signal: &str| {
            let own = variable(&format!("OTEL_EXPORTER_OTLP_{signal}_TIMEOUT"));
            let text = own.or_else(|| variable("OTEL_EXPORTER_OTLP_TIMEOUT"));
            let ms = text.and_then(|text| text.parse().ok());
            ms.map_or(TIMEOUT, Duration::from_millis)
        };
        let client = |signal: &str| {
            Client::new(runtime.clone(), timeout(signal)).map_err(TelemetryError::Client)
        };
        // The variables are read where no address is given.
        let address = |signal: &str, path: &str| {
            let is_set = |name: &str| variable(name).is_some();
            let own = format!("OTEL_EXPORTER_OTLP_{signal}_ENDPOINT");
            match is_set(&own) || is_set("OTEL_EXPORTER_OTLP_ENDPOINT") {
                true => None,
                false => {
                    let base = table.endpoint.as_deref()?.trim_end_matches('/');
                    Some(format!("{base}/v1/{path}"))
                }
            }
        };
        macro_rules! exporter {
            ($exporter:ty, $is_on:expr, $signal:literal, $path:literal) => {{
                let is_off = variable(concat!("OTEL_", $signal, "_EXPORTER"));
                match $is_on && is_off.as_deref() != Some("none") {
                    false => None,
                    true => {
                        let mut builder = <$exporter>::builder()
                            .with_http()
                            .with_http_client(client($signal)?)
                            .with_protocol(opentelemetry_otlp::Protocol::HttpBinary);
                        if let Some(address) = address($signal, $path) {
                            builder = builder.with_endpoint(address);
                        }
                        Some(builder.build().map_err(TelemetryError::Exporter)?)
                    }
                }
            }};
        }
        Ok(Self {
            spans: exporter!(SpanExporter, table.traces, "TRACES", "traces"),
            metrics: exporter!(MetricExporter, table.metrics, "METRICS", "metrics"),
            logs: exporter!(LogExporter, table.logs, "LOGS", "logs"),
        })
    }
}

/// The service, as the table and then the environment describe it.
fn resource(table: &TelemetryTable) -> Resource {
    let given = Resource::builder().build();
    let named = variable("OTEL_SERVICE_NAME").is_some()
        || variable("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|text| {
            let mut pairs = text.split(',');
            pairs.any(|pair| pair.trim_start().starts_with("service.name="))
        });
    let own = table.resource.iter();
    let own = own.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let mut builder = Resource::builder_empty()
        .with_attribute(KeyValue::new(SERVICE_VERSION, env!("CARGO_PKG_VERSION")))
        .with_attributes(own);
    builder = builder.with_attributes(
        given
            .iter()
            .map(|(key, value)| KeyValue::new(key.clone(), value.clone())),
    );
    if !named {
        builder = builder.with_attribute(KeyValue::new(SERVICE_NAME, table.service_name.clone()));
    }
    builder.build()
}
