//! Compiling components in child processes of the interpreter.

use std::path::PathBuf;
use std::process::ExitCode;

use portcullis::compiler::{Compiler, WorkerCommand, worker_main};
use pyo3::prelude::*;

/// The code that the interpreter runs in a child process.
const CODE: &str =
    "from portcullis_host._native import compile_worker; raise SystemExit(compile_worker())";

/// Returns a compiler that uses child processes of this interpreter.
pub(crate) fn compiler(interpreter: PathBuf) -> Compiler {
    Compiler::Child(WorkerCommand::new(interpreter, ["-I", "-c", CODE]))
}

/// Compiles the component on standard input, as a child process of a host. Returns the exit code.
#[pyfunction]
pub(crate) fn compile_worker(py: Python<'_>) -> u8 {
    let code = py.detach(worker_main);
    let same = |number: &u8| ExitCode::from(*number) == code;
    (0..=u8::MAX).find(same).unwrap_or(1)
}
