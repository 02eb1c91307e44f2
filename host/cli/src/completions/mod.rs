//! `portcullis completions`: shell completion scripts.

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::terminal::{Out, Printable};

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    portcullis completions bash > ~/.local/share/bash-completion/completions/portcullis\n  \
    portcullis completions zsh > ~/.zfunc/_portcullis\n  \
    portcullis completions fish > ~/.config/fish/completions/portcullis.fish")]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut command = Cli::command();
    let mut script = Vec::new();
    // The script is generated into memory, since the generator panics if a pipe is closed.
    clap_complete::generate(args.shell, &mut command, "portcullis", &mut script);
    Out::stdout().text(Printable::prose(String::from_utf8_lossy(&script)))?;
    Ok(ExitCode::SUCCESS)
}
