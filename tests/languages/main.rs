//! Hooks in other languages than Rust: the same contract, the same verdicts.

mod conformance;
mod examples;
mod runtime;
mod speech;
mod start;

use portcullis_tests::HooksDir;

/// Creates an empty hooks directory for hooks in these languages.
fn hooks_dir() -> HooksDir {
    HooksDir::compiled_by(env!("CARGO_BIN_EXE_compile-worker"))
}
