//! What the program without an engine does with an event that the daemon does not take.

use std::convert::Infallible;
use std::io::{Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use portcullis_dialects::{Answer, failure};

use super::{HookArgs, Incoming};
use crate::daemon::program;

/// Has `portcullis hook` answer the event, which takes the place of this process.
pub fn elsewhere(incoming: Incoming, _: HookArgs) -> Answer {
    let error = match replaced(&incoming.text) {
        Err(error) => error,
        Ok(never) => match never {},
    };
    let event = &incoming.event;
    failure(
        event.dialect(),
        Some(event),
        &format!("`portcullis` cannot be started: {error:#}"),
    )
}

fn replaced(event: &[u8]) -> anyhow::Result<Infallible> {
    // It has been read from the standard input, and is to be read once more.
    let mut input = tempfile::tempfile()?;
    input.write_all(event)?;
    input.rewind()?;
    Err(command()?.stdin(input).exec().into())
}

/// Runs `portcullis` in place of this process, and gives why it does not.
pub fn replaced_by_command() -> anyhow::Error {
    match command() {
        Ok(mut command) => command.exec().into(),
        Err(error) => error,
    }
}

fn command() -> anyhow::Result<Command> {
    let mut command = Command::new(program()?);
    command.args(std::env::args_os().skip(1));
    Ok(command)
}
