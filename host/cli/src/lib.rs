//! The `portcullis` command: it shows what hooks are and do, and runs an agent with them. It is a
//! library as well, so that the book's reference is generated from the command line itself.

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

/// The command line, as clap has it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// The JSON schema of the protocol of `portcullis run --json`: what a program writes, and what it reads.
pub fn protocol_schema() -> serde_json::Value {
    run::protocol::schema()
}

/// The JSON schema of what `portcullis explain --json` prints.
pub fn explanation_schema() -> serde_json::Value {
    explain::schema()
}

/// The JSON schema of a case of `portcullis test`.
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

/// Runs `portcullis hook` for the program `portcullis-client`, which has no engine and so starts faster. What it cannot
/// do, the command `portcullis` does.
#[cfg(unix)]
pub fn client_main() -> ExitCode {
    hook::run_light()
}
