//! `portcullis hook` without an engine. With a daemon, process start is most of an event's time,
//! and loading the engine's code is most of process start.

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    portcullis_cli::client_main()
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    portcullis_cli::main()
}
