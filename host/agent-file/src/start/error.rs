//! The reasons that an agent does not start.

use std::path::PathBuf;

use portcullis::settings::SettingsError;
use portcullis_agent::{BuildError, JobStoreError, McpError, ToolboxError, WorkspaceError};
use portcullis_store::{JournalError, StoreError};
use portcullis_telemetry::TelemetryError;

/// The reason that an agent does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The file has faults: all of them.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Faults(Vec<SettingsError>),
    /// A provider cannot be used.
    #[error("{0}")]
    Provider(String),
    /// An MCP server does not start.
    #[error(transparent)]
    Mcp(#[from] McpError),
    /// Two tools have one name.
    #[error(transparent)]
    Tools(#[from] ToolboxError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The unfinished jobs of a process that ended cannot be resumed.
    #[error(transparent)]
    Jobs(#[from] JobStoreError),
    /// A rule for recorded calls is not a regular expression, or a recipient is not a public key.
    #[error("`stores.recording.{0}`: {1}")]
    Recording(&'static str, portcullis_store::RecordingError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The alerts do not start.
    #[error(transparent)]
    Alerts(#[from] portcullis_alerts::AlertsError),
    /// There is no store for the memory.
    #[error("there is no store for the memory; set `stores.url`, or remove `[memory]`")]
    NoStore,
    /// There is no store for the turns of a durable agent.
    #[error("there is no store to record turns in; set `stores.url`, or remove `durable`")]
    NotDurable,
    /// Telemetry does not start.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// A workspace cannot be evicted.
    #[error(transparent)]
    Workspaces(#[from] WorkspaceError),
    /// A file cannot be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: std::io::Error,
    },
    /// The agent cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl From<portcullis::tools::CatalogError> for StartError {
    fn from(error: portcullis::tools::CatalogError) -> Self {
        Self::Build(error.into())
    }
}
