//! Telemetry in commands that run no agent: options, and the settings of the hooks directory.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use portcullis::settings::TelemetryTable;
use portcullis_telemetry::Telemetry;

use crate::hooks::settings_of;

/// The time that a collector has for the last spans.
const FLUSH: Duration = Duration::from_secs(5);

/// The telemetry options.
#[derive(Debug, Clone, Args)]
pub struct TelemetryArgs {
    /// Send spans and metrics to the collector at this address, which takes OTLP over HTTP, such as
    /// `http://127.0.0.1:4318`. Default: as `[telemetry]` of the hooks directory's hooks.toml says. The standard `OTEL_*`
    /// variables win. If one of them has an address, this option is not needed.
    #[arg(long, value_name = "URL", help_heading = "Telemetry")]
    otlp: Option<String>,
    /// Send log records too: the lines of hooks, and guards that did not run.
    #[arg(long, help_heading = "Telemetry")]
    otlp_logs: bool,
}

impl TelemetryArgs {
    /// Starts telemetry, if the options, the table `[telemetry]` of the hooks directory or the environment turn it on.
    /// Call this in the runtime that is to send the signals.
    pub async fn start(&self, hooks: &Path) -> anyhow::Result<Option<Telemetry>> {
        let mut table = settings_of(hooks)?.telemetry;
        if let Some(endpoint) = &self.otlp {
            table.get_or_insert_default().endpoint = Some(endpoint.clone());
        }
        if self.otlp_logs {
            table.get_or_insert_default().logs = true;
        }
        // The settings were checked when they were read, so a fault comes from the option.
        if let Some((_, why)) = table.iter().flat_map(TelemetryTable::faults).next() {
            anyhow::bail!("--otlp: {why}");
        }
        Ok(Telemetry::start_if_on(table.as_ref()).await?)
    }
}

/// Sends the spans and metrics that remain.
pub async fn end(telemetry: Option<Telemetry>) {
    if let Some(telemetry) = telemetry {
        telemetry.end(FLUSH).await;
    }
}
