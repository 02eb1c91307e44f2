//! The `portcullis` command: shows what hooks are and do, and chats with a model under them.

mod activity;
mod approval;
mod attack;
mod build;
mod cli;
mod demo;
mod failure;
mod hooks;
mod input;
mod journal;
mod logging;
mod new;
mod points;
mod run;
mod terminal;
mod wit;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    logging::start();
    cli.run().unwrap_or_else(|error| failure::report(&error))
}
