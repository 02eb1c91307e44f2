//! Turns on a real Restate server.
//!
//! The server is the npm package, which is installed into `target/toolchains`. The server and the tests run in a
//! network namespace that has only loopback. Without the package or the namespace, the tests report NOT RUN.

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
