//! `portcullis hook` without an engine: with a daemon, the start of the process is most of an event's time, and most of
//! that is what the system does for the engine's code.

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    portcullis_cli::client_main()
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    portcullis_cli::main()
}
