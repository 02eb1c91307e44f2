//! The demo as a program of its own.

use std::process::ExitCode;

use clap::Parser;
use portcullis_demo::DemoArgs;
use portcullis_terminal::{compiler, failure, logging};

#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    demo: DemoArgs,
}

fn main() -> ExitCode {
    if let Some(ended) = compiler::worker() {
        return ended;
    }
    let cli = Cli::parse();
    logging::start();
    portcullis_demo::run(&cli.demo).unwrap_or_else(|error| failure::report(&error, failure::write))
}
