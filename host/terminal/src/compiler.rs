//! Compiling hooks in a child process that runs this program.

use std::process::ExitCode;

use portcullis::compiler::{Compiler, WorkerCommand, worker_main};

/// The argument of the child process. It is not a subcommand, since users have no use for it.
const ARGUMENT: &str = "compile-worker";

/// Returns a compiler that works in a child process.
pub fn child() -> Compiler {
    Compiler::Child(WorkerCommand::this_program([ARGUMENT]))
}

/// Like [`child`], for a project's build: functions that were compiled before are not compiled
/// again.
pub fn child_for_project() -> Compiler {
    Compiler::Child(WorkerCommand::this_program([ARGUMENT]).sharing_functions())
}

/// Compiles as the child process and returns its exit code, or `None` if this is not the child
/// process.
pub fn worker() -> Option<ExitCode> {
    let argument = std::env::args_os().nth(1)?;
    (argument == ARGUMENT).then(worker_main)
}
