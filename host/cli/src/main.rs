//! The `portcullis` command.

use std::process::ExitCode;

/// musl's own allocator has one lock for all threads, and is several times as slow.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    portcullis_cli::main()
}
