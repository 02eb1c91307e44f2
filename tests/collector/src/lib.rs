//! An OpenTelemetry collector for tests. It takes OTLP over HTTP on loopback, uses the protocol's
//! own crates, and keeps all that it receives.

mod documented;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tower_http::decompression::RequestDecompressionLayer;

pub use documented::{Has, differences, documented};
pub use opentelemetry_proto::tonic::trace::v1::status::StatusCode;

/// The data that a collector received.
#[derive(Default)]
pub struct Taken {
    /// The spans, in order of arrival.
    pub spans: Vec<Span>,
    /// The name of the service in each request with spans.
    pub services: Vec<String>,
    /// The names of metrics, once for each arrival.
    pub metrics: Vec<String>,
    /// The texts of log records, with the ids of their spans.
    pub logs: Vec<(String, Vec<u8>)>,
    /// All bodies, in order of arrival.
    pub bytes: Vec<u8>,
}

/// A collector that runs until it is dropped.
pub struct Collector {
    /// The data received so far.
    pub taken: Arc<Mutex<Taken>>,
    address: String,
    serving: tokio::task::JoinHandle<()>,
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Collector {
    /// Starts a collector.
    pub async fn start() -> Self {
        let taken = Arc::<Mutex<Taken>>::default();
        let keep = |taken: &Arc<Mutex<Taken>>, body: &Bytes, work: &dyn Fn(&mut Taken)| {
            let mut taken = taken.lock().unwrap();
            taken.bytes.extend_from_slice(body);
            work(&mut taken);
        };
        let (spans, metrics, logs) = (taken.clone(), taken.clone(), taken.clone());
        let traces = post(async move |headers: HeaderMap, body: Bytes| {
            assert_eq!(headers["content-type"], "application/x-protobuf");
            let request = ExportTraceServiceRequest::decode(body.clone()).unwrap();
            keep(&spans, &body, &|taken| {
                for resource in &request.resource_spans {
                    let attributes = attributes(&resource.resource.clone().unwrap().attributes);
                    taken.services.push(attributes["service.name"].clone());
                    for scope in &resource.scope_spans {
                        assert_eq!(scope.scope.as_ref().unwrap().name, "portcullis");
                        taken.spans.extend(scope.spans.clone());
                    }
                }
            });
        });
        let metrics = post(async move |body: Bytes| {
            let request = ExportMetricsServiceRequest::decode(body.clone()).unwrap();
            keep(&metrics, &body, &|taken| {
                let scopes = request
                    .resource_metrics
                    .iter()
                    .flat_map(|all| &all.scope_metrics);
                let names = scopes.flat_map(|scope| &scope.metrics);
                taken
                    .metrics
                    .extend(names.map(|metric| metric.name.clone()));
            });
        });
        let logs = post(async move |body: Bytes| {
            let request = ExportLogsServiceRequest::decode(body.clone()).unwrap();
            keep(&logs, &body, &|taken| {
                let scopes = request.resource_logs.iter().flat_map(|all| &all.scope_logs);
                for record in scopes.flat_map(|scope| &scope.log_records) {
                    let body = text(record.body.as_ref().unwrap());
                    taken.logs.push((body, record.span_id.clone()));
                }
            });
        });
        let router = Router::new()
            .route("/v1/traces", traces)
            .route("/v1/metrics", metrics)
            .route("/v1/logs", logs)
            .layer(RequestDecompressionLayer::new());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            taken,
            address,
            serving,
        }
    }

    /// Returns the collector's address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the received spans.
    pub fn spans(&self) -> Vec<Span> {
        self.taken.lock().unwrap().spans.clone()
    }

    /// Returns the spans as a tree of names, in the order of their starts. A span without a
    /// received parent is at the top.
    pub fn tree(&self) -> String {
        self.tree_at(&[])
    }

    /// Returns the same tree, with hook runs only at these points.
    pub fn tree_at(&self, points: &[&str]) -> String {
        let mut spans = self.spans();
        spans.retain(|span| point(span).is_none_or(|point| points.contains(&point.as_str())));
        let ids: Vec<_> = spans.iter().map(|span| &span.span_id).collect();
        let mut lines = Vec::new();
        let mut tops: Vec<_> = spans
            .iter()
            .filter(|span| !ids.contains(&&span.parent_span_id))
            .collect();
        tops.sort_by_key(|span| (span.start_time_unix_nano, span.name.clone()));
        for top in tops {
            add(top, 0, &spans, &mut lines);
        }
        lines.join("\n")
    }

    /// Returns the only run of a hook at this point.
    pub fn run_at(&self, at: &str) -> Span {
        let mut spans = self.spans();
        spans.retain(|span| point(span).as_deref() == Some(at));
        assert_eq!(spans.len(), 1, "{at}:\n{}", self.tree_at(&[at]));
        spans.remove(0)
    }

    /// Returns the only span of this name.
    pub fn span(&self, name: &str) -> Span {
        let spans = self.spans();
        let mut found = spans.into_iter().filter(|span| span.name == name);
        let span = found
            .next()
            .unwrap_or_else(|| panic!("no span `{name}`:\n{}", self.tree()));
        assert!(
            found.next().is_none(),
            "two spans `{name}`:\n{}",
            self.tree()
        );
        span
    }
}

fn add(span: &Span, depth: usize, spans: &[Span], lines: &mut Vec<String>) {
    let at = point(span)
        .map(|point| format!(" at {point}"))
        .unwrap_or_default();
    lines.push(format!("{}{}{at}", "  ".repeat(depth), span.name));
    let mut children: Vec<_> = spans
        .iter()
        .filter(|child| child.parent_span_id == span.span_id)
        .collect();
    children.sort_by_key(|child| child.start_time_unix_nano);
    for child in children {
        assert_eq!(child.trace_id, span.trace_id);
        add(child, depth + 1, spans, lines);
    }
}

/// Returns an id as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the point of a hook run.
fn point(span: &Span) -> Option<String> {
    span.name.strip_prefix("run_hook ")?;
    attributes(&span.attributes).remove("portcullis.point")
}

/// Returns attributes as texts.
pub fn attributes(all: &[KeyValue]) -> BTreeMap<String, String> {
    let pairs = all
        .iter()
        .filter_map(|pair| Some((pair.key.clone(), text(pair.value.as_ref()?))));
    pairs.collect()
}

/// Returns a value as a text.
pub fn text(value: &AnyValue) -> String {
    match value.value.as_ref().unwrap() {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        Value::BoolValue(flag) => flag.to_string(),
        Value::DoubleValue(number) => number.to_string(),
        Value::ArrayValue(array) => {
            let texts: Vec<_> = array.values.iter().map(text).collect();
            texts.join(",")
        }
        other => format!("{other:?}"),
    }
}
