//! The `portcullis` command: shows what hooks are and do, and chats with a model under them. A
//! library as well, so that the book's reference is made from the command line itself.

mod activity;
mod approval;
mod attack;
mod bench;
mod build;
mod cli;
mod completions;
mod conform;
mod demo;
mod dev;
mod failure;
mod hooks;
mod input;
mod journal;
mod logging;
mod man;
mod new;
mod points;
mod run;
mod subject;
mod terminal;
mod test;
mod wit;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use crate::cli::Cli;

/// The command line, as clap has it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Does what the process was asked for on its command line.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    logging::start();
    cli.run().unwrap_or_else(|error| failure::report(&error))
}
