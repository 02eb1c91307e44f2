//! Compiling components in child processes of Node.js.

use std::process::ExitCode;

use napi_derive::napi;
use portcullis::compiler::worker_main;

/// Compiles the component on standard input, as a child process of a host. Returns the exit code.
#[napi]
pub fn compile_worker() -> u8 {
    let code = worker_main();
    let same = |number: &u8| ExitCode::from(*number) == code;
    (0..=u8::MAX).find(same).unwrap_or(1)
}
