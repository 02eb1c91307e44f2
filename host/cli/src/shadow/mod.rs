//! `portcullis shadow`: the effects that hooks in audit mode would have had.

mod report;

use std::process::ExitCode;

use clap::Subcommand;

/// Commands about hooks in audit mode.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  portcullis shadow report --hook word-filter --since 7d")]
pub enum ShadowCommand {
    Report(report::ReportArgs),
}

impl ShadowCommand {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Report(args) => report::run(args),
        }
    }
}
