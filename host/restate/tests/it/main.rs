//! Turns on a real Restate server.
//!
//! The server is the one of npm, which is installed into `target/toolchains`. It runs where only loopback exists, and so
//! do the tests. Where one of them cannot be had, the tests say that they did not run.

mod balancer;
mod planned;
mod restarted;
mod runtime;
mod scale;
mod traced;
mod worker;

use self::runtime::Restate;

portcullis_parity::turns!(Restate::shared());
portcullis_parity::deaths!(Restate::shared());
