//! Turns on a real Restate server, with workers that are processes of their own and die.
//!
//! The server is the one of npm, which is installed into `target/toolchains`. It runs where only loopback exists, and so
//! do the tests: each runs itself again in a network namespace of its own. Where one of them cannot be had, the tests
//! say that they did not run.

mod agent;
mod inside;
mod killed;
mod parity;
mod scale;
mod server;
mod suspended;
mod world;
