//! `portcullis hook` in the program without an engine. Events that the daemon does not answer go to
//! the command.

use std::convert::Infallible;
use std::io::{Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use portcullis_dialects::{Answer, failure};

use super::{HookArgs, Incoming, answered, daemon, parsed, write};
use crate::daemon::program;

/// Runs the command that the process was started with, or has `portcullis` run it.
pub fn run_light() -> ExitCode {
    match parsed() {
        Some(args) => write::write(&answered(args, daemon::ask_silently, elsewhere)),
        None => write::blocked(&format!("{:#}", replaced_by_command())),
    }
}

/// Has `portcullis hook` answer the event, in place of this process.
fn elsewhere(incoming: Incoming, _: HookArgs) -> Answer {
    let error = match replaced(&incoming) {
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

fn replaced(incoming: &Incoming) -> anyhow::Result<Infallible> {
    // The event was read from the standard input. `portcullis` reads it again from a file.
    let mut input = tempfile::tempfile()?;
    input.write_all(&incoming.text)?;
    input.rewind()?;
    let mut command = Command::new(program()?);
    let until = incoming.deadline.handed_over();
    command.args(["hook", "--until", &until.to_string()]);
    // The first argument is the program, and the second is `hook`.
    command.args(std::env::args_os().skip(2));
    Err(command.stdin(input).exec().into())
}

/// Runs `portcullis` in place of this process. Returns why it could not.
fn replaced_by_command() -> anyhow::Error {
    match program() {
        Ok(program) => {
            let arguments = std::env::args_os().skip(1);
            Command::new(program).args(arguments).exec().into()
        }
        Err(error) => error,
    }
}
