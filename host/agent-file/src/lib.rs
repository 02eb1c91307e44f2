//! `agent.toml`: an agent as a file.
//!
//! [`AgentFile`] is the file's value. It is [read](AgentFile::load) from a file, or created from
//! its defaults; a front end may then change it, as `portcullis run` does for its flags.
//! [`AgentFile::faults`] returns everything that a start would refuse, and [`AgentFile::start`]
//! creates an [`Agent`](portcullis_agent::Agent) from it.
//!
//! ```
//! use std::path::Path;
//!
//! use portcullis_agent_file::AgentFile;
//!
//! let text = "[[providers]]\nkind = \"scripted\"\nrespnses = []\n";
//! let errors = AgentFile::parse(Path::new("agent.toml"), text).unwrap_err();
//! assert_eq!(
//!     errors[0].to_string(),
//!     "agent.toml:3: unknown key `respnses`; did you mean `responses`?"
//! );
//! ```
//!
//! Each table is a separate module: its type, its possible faults, and its conversion.

mod alerts;
mod approvals;
mod check;
mod client_tools;
mod faults;
mod file;
mod finish;
mod guards;
mod hooks;
mod jobs;
mod line_command;
mod mcp;
mod memory;
mod model;
mod paths;
mod policy;
mod providers;
mod restate;
mod sample;
mod start;
mod stores;
mod subagents;
mod switch;
mod tool_names;
mod tools;
mod workspaces;

pub use alerts::AlertTable;
pub use approvals::{ApprovalCommand, ApprovalMode, Approvals};
pub use client_tools::ClientTool;
pub use file::{AgentFile, FILE_NAME, schema};
pub use finish::Finish;
pub use guards::Guards;
pub use hooks::{HooksTable, LoadedHooks};
pub use jobs::JobTable;
pub use mcp::Mcp;
pub use memory::{Memory, MemoryScope};
pub use model::Model;
pub use policy::Policy;
pub use portcullis::settings::TelemetryTable;
pub use providers::{Provider, ProviderKind};
pub use restate::Restate;
pub use sample::SAMPLE;
pub use start::{Continues, Running, StartError, StartOptions};
pub use stores::{StoreAddress, Stores};
pub use subagents::Subagent;
pub use switch::Switch;
pub use tool_names::ToolNames;
pub use tools::{BuiltIn, Tools};
pub use workspaces::WorkspacesTable;
