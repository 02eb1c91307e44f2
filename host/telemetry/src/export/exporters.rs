//! The exporters of signals, as the table and the environment configure them.

use std::time::Duration;

use opentelemetry_otlp::{
    ExporterBuildError, LogExporter, MetricExporter, SpanExporter, WithExportConfig as _,
    WithHttpConfig as _,
};
use portcullis::settings::TelemetryTable;
use tokio::runtime::Handle;

use super::client::Client;
use crate::environment::{MILLISECONDS, number, sends, variable};

/// The milliseconds that a collector has for its response.
const TIMEOUT_MS: u64 = 10_000;

/// The reason why signals cannot be sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made: {0}")]
    Client(#[source] reqwest::Error),
    /// An address or a variable is wrong.
    #[error("{0}; see to `endpoint` in `[telemetry]` and to the OTEL_* variables")]
    Exporter(#[source] ExporterBuildError),
}

/// The exporters of the signals that are on.
#[derive(Default)]
pub(crate) struct Exporters {
    pub(crate) spans: Option<SpanExporter>,
    pub(crate) metrics: Option<MetricExporter>,
    pub(crate) logs: Option<LogExporter>,
}

impl Exporters {
    /// Creates the exporters that the table and the environment turn on.
    pub(crate) fn new(table: &TelemetryTable, runtime: &Handle) -> Result<Self, ExportError> {
        if !sends(table) {
            return Ok(Self::default());
        }
        let any = number("OTEL_EXPORTER_OTLP_TIMEOUT", TIMEOUT_MS, MILLISECONDS);
        let timeout = |signal: &str| {
            let own = format!("OTEL_EXPORTER_OTLP_{signal}_TIMEOUT");
            Duration::from_millis(number(&own, any, MILLISECONDS))
        };
        let client = |signal: &str| {
            Client::new(runtime.clone(), timeout(signal)).map_err(ExportError::Client)
        };
        // The exporter reads the variables itself if it is given no address.
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
                        Some(builder.build().map_err(ExportError::Exporter)?)
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
