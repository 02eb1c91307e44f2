//! Compiling hooks in a child process, which is this command again.

use std::process::ExitCode;

use portcullis::compiler::{Compiler, WorkerCommand, worker_main};

/// The argument of the child process. It is not a subcommand, since users have no use for it.
const ARGUMENT: &str = "compile-worker";

/// Compiles in a child process.
pub fn child() -> Compiler {
    Compiler::Child(WorkerCommand::this_program([ARGUMENT]))
}

/// Returns the same for a project's build: functions that were compiled before are not compiled
/// again.
pub fn child_for_project() -> Compiler {
    Compiler::Child(WorkerCommand::this_program([ARGUMENT]).sharing_functions())
}

/// Runs the child process, if this is one.
pub fn worker() -> Option<ExitCode> {
    let argument = std::env::args_os().nth(1)?;
    (argument == ARGUMENT).then(worker_main)
}
