//! `[telemetry]`: settings for metrics, traces and logs, and their destination. The library only
//! reads the table; the crate `portcullis-telemetry` applies it.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use schemars::JsonSchema;
use serde::Deserialize;

use super::check::Check;

/// Settings for metrics, traces and logs, and their destination. The standard `OTEL_*` variables
/// override the keys.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct TelemetryTable {
    /// The destination of signals: the address of a collector that accepts OTLP over HTTP.
    #[schemars(extend("x-if-left-out" = "the variable `OTEL_EXPORTER_OTLP_ENDPOINT`, or nothing is sent"))]
    pub endpoint: Option<String>,
    /// The service name.
    pub service_name: String,
    /// Additional attributes of the service.
    pub resource: BTreeMap<String, String>,
    /// Whether spans are sent.
    pub traces: bool,
    /// Whether metrics are sent.
    pub metrics: bool,
    /// Whether the log lines of hooks and the events of guards are sent as log records.
    pub logs: bool,
    /// The share of traces that are sent, from 0 to 1. A trace that began elsewhere is sent if it
    /// is recorded there.
    pub sample: f64,
    /// Whether spans contain the texts of people, models and tools. Secrets of hooks are replaced
    /// in them.
    pub content: bool,
    /// The address at which `/metrics` is served in the Prometheus format, such as
    /// `127.0.0.1:9464`.
    #[schemars(with = "Option<String>", extend("x-if-left-out" = "it is not served"))]
    pub prometheus: Option<SocketAddr>,
}

impl Default for TelemetryTable {
    fn default() -> Self {
        Self {
            endpoint: None,
            service_name: "portcullis".into(),
            resource: BTreeMap::new(),
            traces: true,
            metrics: true,
            logs: false,
            sample: 1.0,
            content: false,
            prometheus: None,
        }
    }
}

impl TelemetryTable {
    /// Returns the errors in the table: for each the key, and a text with the cause and the fix.
    pub fn faults(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        let is_http = |text: &str| text.starts_with("http://") || text.starts_with("https://");
        if let Some(endpoint) = &self.endpoint
            && !is_http(endpoint)
        {
            let why = format!(
                "`{endpoint}` is no address of a collector; write one such as `http://127.0.0.1:4318`"
            );
            faults.push(("endpoint", why));
        }
        if !(0.0..=1.0).contains(&self.sample) {
            let why = format!(
                "{} is no share of traces; write a number from 0 to 1",
                self.sample
            );
            faults.push(("sample", why));
        }
        if let Some(address) = self.prometheus
            && !address.ip().is_loopback()
        {
            let why = format!(
                "{address} is not a loopback address, and whoever reaches it reads the metrics; use 127.0.0.1 or ::1"
            );
            faults.push(("prometheus", why));
        }
        faults
    }
}

impl Check<'_> {
    pub(super) fn telemetry(&mut self, table: Option<TelemetryTable>) -> Option<TelemetryTable> {
        for (key, problem) in table.iter().flat_map(TelemetryTable::faults) {
            let error = self.source.error(&["telemetry", key], problem);
            self.errors.push(error);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn what_is_wrong_is_said() {
        let table = TelemetryTable {
            endpoint: Some("localhost:4318".into()),
            sample: f64::NAN,
            prometheus: "0.0.0.0:9464".parse().ok(),
            ..TelemetryTable::default()
        };
        let faults = table.faults();
        let keys: Vec<_> = faults.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys, ["endpoint", "sample", "prometheus"]);
        assert_eq!(TelemetryTable::default().faults(), []);
    }

    #[test]
    fn the_table_of_a_hooks_directory_is_read_and_checked() {
        let parse = |text| Settings::parse("hooks.toml".as_ref(), text);
        assert_eq!(parse("").unwrap().telemetry, None);
        let table = parse("[telemetry]\nendpoint = \"http://[::1]:4318\"\nlogs = true\n");
        let table = table.unwrap().telemetry.unwrap();
        assert_eq!(table.endpoint.as_deref(), Some("http://[::1]:4318"));
        assert!(table.logs && table.traces);
        let errors = parse("[telemetry]\nsample = 2\nendpiont = \"\"\n").unwrap_err();
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let errors = errors.join("\n");
        for said in ["write a number from 0 to 1", "endpoint"] {
            assert!(errors.contains(said), "{errors}");
        }
    }
}
