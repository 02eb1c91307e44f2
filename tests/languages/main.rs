//! Hooks in other languages than Rust: the same contract, the same verdicts.

mod conformance;
mod examples;
mod runtime;
mod speech;
mod start;
