//! Metrics in the text format of Prometheus.

use std::fmt::{Display, Write as _};
use std::sync::{Arc, Weak};
use std::time::Duration;

use opentelemetry::{KeyValue, Value};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::{
    AggregatedMetrics, HistogramDataPoint, Metric, MetricData, ResourceMetrics,
};
use opentelemetry_sdk::metrics::reader::MetricReader;
use opentelemetry_sdk::metrics::{InstrumentKind, ManualReader, Pipeline, Temporality};

/// A reader that collects metrics on request. All clones read the same metrics.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prometheus(Arc<ManualReader>);

impl MetricReader for Prometheus {
    fn register_pipeline(&self, pipeline: Weak<Pipeline>) {
        self.0.register_pipeline(pipeline);
    }

    fn collect(&self, metrics: &mut ResourceMetrics) -> OTelSdkResult {
        self.0.collect(metrics)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn temporality(&self, kind: InstrumentKind) -> Temporality {
        self.0.temporality(kind)
    }
}

impl Prometheus {
    /// Returns all metrics as text.
    pub(crate) fn text(&self) -> String {
        let mut all = ResourceMetrics::default();
        if let Err(error) = self.0.collect(&mut all) {
            tracing::warn!("the metrics cannot be read: {error}");
        }
        let mut text = Text::default();
        let scopes = all.scope_metrics();
        scopes
            .flat_map(|scope| scope.metrics())
            .for_each(|metric| text.metric(metric));
        let service = all.resource().iter();
        let service = service.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let service: Vec<_> = service.collect();
        text.head("target_info", "The service", "gauge");
        text.line("target_info", &labels(service.iter()), 1);
        text.0
    }
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn metric(&mut self, metric: &Metric) {
        let mut name = name(metric.name());
        if metric.unit() == "s" {
            name.push_str("_seconds");
        }
        let help = metric.description();
        match metric.data() {
            AggregatedMetrics::F64(data) => self.data(name, help, data),
            AggregatedMetrics::U64(data) => self.data(name, help, data),
            AggregatedMetrics::I64(data) => self.data(name, help, data),
        }
    }

    fn data<T: Copy + Display>(&mut self, mut name: String, help: &str, data: &MetricData<T>) {
        match data {
            MetricData::Gauge(gauge) => {
                self.head(&name, help, "gauge");
                for point in gauge.data_points() {
                    self.line(&name, &labels(point.attributes()), point.value());
                }
            }
            MetricData::Sum(sum) => {
                let kind = match sum.is_monotonic() {
                    true => "counter",
                    false => "gauge",
                };
                if sum.is_monotonic() {
                    name.push_str("_total");
                }
                self.head(&name, help, kind);
                for point in sum.data_points() {
                    self.line(&name, &labels(point.attributes()), point.value());
                }
            }
            MetricData::Histogram(histogram) => {
                self.head(&name, help, "histogram");
                for point in histogram.data_points() {
                    self.buckets(&name, point);
                }
            }
            // No instrument of this crate is an exponential histogram.
            MetricData::ExponentialHistogram(_) => {}
        }
    }

    fn buckets<T: Copy + Display>(&mut self, name: &str, point: &HistogramDataPoint<T>) {
        let of = labels(point.attributes());
        let bounds = point.bounds().map(|bound| bound.to_string());
        let bounds = bounds.chain(["+Inf".to_owned()]);
        let mut sum = 0;
        for (bound, count) in bounds.zip(point.bucket_counts()) {
            sum += count;
            let mut of = of.clone();
            of.push(("le".to_owned(), bound));
            self.line(&format!("{name}_bucket"), &of, sum);
        }
        self.line(&format!("{name}_sum"), &of, point.sum());
        self.line(&format!("{name}_count"), &of, point.count());
    }

    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        // Writing to a string does not fail.
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn line(&mut self, name: &str, labels: &[(String, String)], value: impl Display) {
        self.0.push_str(name);
        for (at, (label, value)) in labels.iter().enumerate() {
            let before = if at == 0 { '{' } else { ',' };
            let value = value
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n");
            let _ = write!(self.0, "{before}{label}=\"{value}\"");
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }
}

/// Returns attributes as labels, in the order of their names.
fn labels<'a>(attributes: impl Iterator<Item = &'a KeyValue>) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().into_owned();
    let labels = attributes.map(|pair| (name(pair.key.as_str()), text(&pair.value)));
    let mut labels: Vec<_> = labels.collect();
    labels.sort();
    labels
}

/// Returns a name of OpenTelemetry as a name of Prometheus.
fn name(name: &str) -> String {
    let replace = |letter: char| match letter.is_ascii_alphanumeric() || letter == '_' {
        true => letter,
        false => '_',
    };
    name.chars().map(replace).collect()
}

#[cfg(test)]
mod tests {
    use opentelemetry::metrics::MeterProvider as _;
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::metrics::SdkMeterProvider;

    use super::*;

    #[test]
    fn instruments_are_written_as_prometheus_reads_them() {
        let reader = Prometheus::default();
        let provider = SdkMeterProvider::builder()
            .with_resource(Resource::builder_empty().build())
            .with_reader(reader.clone())
            .build();
        let meter = provider.meter("m");
        let counter = meter.u64_counter("a.b").with_description("B\\").build();
        counter.add(2, &[KeyValue::new("c.d", "\"e\"\n\\")]);
        let seconds = meter.f64_histogram("took").with_unit("s");
        let seconds = seconds.with_boundaries(vec![0.5, 1.0]).build();
        seconds.record(0.25, &[]);
        seconds.record(3.0, &[]);
        meter.i64_up_down_counter("open").build().add(-1, &[]);
        let expected = r#"# HELP a_b_total B\\
# TYPE a_b_total counter
a_b_total{c_d="\"e\"\n\\"} 2
# HELP took_seconds 
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 1
took_seconds_bucket{le="1"} 1
took_seconds_bucket{le="+Inf"} 2
took_seconds_sum 3.25
took_seconds_count 2
# HELP open 
# TYPE open gauge
open -1
# HELP target_info The service
# TYPE target_info gauge
target_info 1
"#;
        assert_eq!(reader.text(), expected);
    }
}
