//! `portcullis schema`: the JSON schemas of files and of the protocol.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use portcullis_agent::Script;
use serde_json::Value;

use crate::explain;
use crate::run::protocol;
use crate::terminal::json;

/// Print the JSON schema of a file, for editors.
///
/// `portcullis hooks schema` prints the schema of a directory's hooks.toml, with the configurations
/// of its hooks.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis schema script > script.schema.json\n  portcullis schema agent"
)]
pub struct SchemaArgs {
    /// The schema to print.
    #[arg(value_name = "NAME")]
    of: SchemaOf,
}

/// The schemas that the command prints.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemaOf {
    /// agent.toml.
    Agent,
    /// The output of `portcullis explain --json`.
    Explanation,
    /// hooks.toml.
    Hooks,
    /// The lines of `portcullis run --json`.
    Protocol,
    /// The script of a scripted model: `--provider scripted:FILE`.
    Script,
}

/// Runs the command.
pub fn run(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let schema: Value = match args.of {
        SchemaOf::Agent => portcullis_agent_file::schema(),
        SchemaOf::Explanation => explain::schema(),
        SchemaOf::Hooks => portcullis::settings::schema(),
        SchemaOf::Protocol => protocol::schema(),
        SchemaOf::Script => Script::schema(),
    };
    json::document(&schema)?;
    Ok(ExitCode::SUCCESS)
}
