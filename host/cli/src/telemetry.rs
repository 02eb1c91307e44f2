//! The options of programs that serve others: where their telemetry goes.

use std::time::Duration;

use clap::Args;
use portcullis_telemetry::{Telemetry, TelemetryTable};

/// How long a collector may take for the last spans.
const FLUSH: Duration = Duration::from_secs(5);

/// Where telemetry goes.
#[derive(Debug, Clone, Args)]
pub struct TelemetryArgs {
    /// Send spans and metrics to the collector at this address, which takes OTLP over HTTP, such as
    /// `http://127.0.0.1:4318`. The standard `OTEL_*` variables win, and one with an address does without this.
    #[arg(long, value_name = "URL", help_heading = "Telemetry")]
    otlp: Option<String>,
    /// Send log records too: the lines of hooks, and guards that did not run.
    #[arg(long, help_heading = "Telemetry")]
    otlp_logs: bool,
}

impl TelemetryArgs {
    /// Starts it, if it is on. Call it in the runtime that sends.
    pub async fn start(&self) -> anyhow::Result<Option<Telemetry>> {
        let given = self.otlp.as_ref().map(|endpoint| TelemetryTable {
            endpoint: Some(endpoint.clone()),
            ..TelemetryTable::default()
        });
        let Some(table) = TelemetryTable::effective(given.as_ref()) else {
            return Ok(None);
        };
        if let Some((_, why)) = table.faults().first() {
            anyhow::bail!("--otlp: {why}");
        }
        let table = TelemetryTable {
            logs: self.otlp_logs,
            ..table
        };
        Ok(Some(Telemetry::start(&table).await?))
    }
}

/// Sends what waits.
pub async fn end(telemetry: Option<Telemetry>) {
    if let Some(telemetry) = telemetry {
        telemetry.end(FLUSH).await;
    }
}
