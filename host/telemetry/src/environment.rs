//! The standard variables of the environment. They come before the table `[telemetry]`.

use portcullis::settings::TelemetryTable;

/// The variables that name where signals are sent. One of them switches telemetry on.
const ENDPOINTS: [&str; 4] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
];

/// A variable that is set and not empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// Whether a variable names where signals are sent.
fn names_endpoint() -> bool {
    ENDPOINTS.iter().any(|name| variable(name).is_some())
}

/// The table of a file, or what the environment says where there is none. `None` if telemetry is off.
pub(crate) fn effective(table: Option<&TelemetryTable>) -> Option<TelemetryTable> {
    let is_disabled =
        variable("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let table = match table {
        Some(table) => table.clone(),
        None if names_endpoint() => TelemetryTable::default(),
        None => return None,
    };
    (!is_disabled && (sends(&table) || table.prometheus.is_some())).then_some(table)
}

/// Whether there is somewhere to send signals to.
pub(crate) fn sends(table: &TelemetryTable) -> bool {
    table.endpoint.is_some() || names_endpoint()
}
