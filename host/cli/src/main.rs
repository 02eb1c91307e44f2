//! The `portcullis` command.

use std::process::ExitCode;

/// musl's own takes one lock for all threads, and several times as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    portcullis_cli::main()
}
