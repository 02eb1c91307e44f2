//! The `portcullis` command, which inspects hooks and runs an agent with them. It is a library as
//! well, so that the book's reference is generated from the command line itself.

mod agent_file;
mod alerts;
mod approval;
mod approvals;
mod attack;
mod bench;
mod build;
mod case;
mod check;
mod cli;
mod completions;
mod conform;
mod daemon;
mod dev;
mod diff;
mod explain;
mod failure;
mod files;
mod hook;
mod hooks;
mod identity;
mod import;
mod init;
mod install;
mod jobs;
mod man;
mod mcp_proxy;
mod new;
mod person;
mod points;
mod promote;
mod recording;
mod replay;
mod resume;
mod run;
mod runs;
mod schema;
mod script;
mod serve;
mod sessions;
mod shadow;
mod share;
mod stats;
mod store;
mod subject;
mod telemetry;
mod test;
mod ui;
mod unknown;
mod wit;
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use portcullis_demo as demo;
use portcullis_terminal::{self as terminal, activity, compiler, input, logging, runtime};

use crate::cli::Cli;

/// Returns the command line, as clap has it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Returns the JSON schema of the `portcullis run --json` protocol: of its requests and its events.
pub fn protocol_schema() -> serde_json::Value {
    run::protocol::schema()
}

/// Returns the JSON schema of the output of `portcullis explain --json`.
pub fn explanation_schema() -> serde_json::Value {
    explain::schema()
}

/// Returns the JSON schema of a case of `portcullis test`.
pub fn case_schema() -> serde_json::Value {
    portcullis_workbench::case::schema()
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    if let Some(ended) = compiler::worker() {
        return ended;
    }
    if let Some(args) = hook::parsed() {
        return hook::run(args);
    }
    let cli = Cli::parse();
    cli.start_logging();
    cli.run().unwrap_or_else(|error| failure::report(&error))
}

/// Runs `portcullis hook` for the program `portcullis-client`, which has no engine and so starts
/// faster. Events that the daemon does not answer go to `portcullis`.
#[cfg(unix)]
pub fn client_main() -> ExitCode {
    hook::run_light()
}
