//! `portcullis init`: writes an `agent.toml` that runs.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use clap::Args;
use portcullis_agent_file::{FILE_NAME, SAMPLE};

use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM};

/// The directory of hooks in the file.
const HOOKS: &str = "hooks";

/// Write an agent.toml that runs, and make a directory for hooks.
///
/// The agent's model is a script, so that it runs without a network and without a key. The file's
/// comments show how to name a real model. An existing file is not changed.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis init && portcullis run \"Hello\"")]
pub struct InitArgs {
    /// The directory to write to. It is made if it does not exist.
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

/// Runs the command.
pub fn run(args: &InitArgs) -> anyhow::Result<ExitCode> {
    let hooks = args.dir.join(HOOKS);
    fs::create_dir_all(&hooks).with_context(|| format!("the directory {}", hooks.display()))?;
    let path = args.dir.join(FILE_NAME);
    let file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path);
    let written = file.and_then(|mut file| file.write_all(SAMPLE.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!(
            "{} exists; edit it, or name another directory",
            path.display()
        ),
        _ => anyhow!(error).context(format!("{} was not written", path.display())),
    })?;
    let mut out = Out::stdout();
    print_line!(
        out,
        "wrote {BOLD}{}{BOLD:#} and the directory {}",
        path.display(),
        hooks.display()
    )?;
    print_line!(out, "{DIM}next: portcullis run \"Hello\"{DIM:#}")?;
    Ok(ExitCode::SUCCESS)
}
