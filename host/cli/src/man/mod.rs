//! `portcullis man`: the manual.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::terminal::{Out, Printable};

/// Print the manual, or write a page for each command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis man | man -l -\n  \
    portcullis man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write a page for each command into this directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let command = Cli::command();
    match &args.out {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(command, dir))
                .with_context(|| format!("the pages cannot be written to {}", dir.display()))?;
        }
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            Out::stdout().text(Printable::prose(String::from_utf8_lossy(&page)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
