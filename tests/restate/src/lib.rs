//! A Restate server for tests and measurements, with only a loopback network.
//!
//! The server looks for releases when it starts, so it runs in a network namespace, and so does
//! each test that uses it: the test's process runs itself again there, with only that test.
//!
//! ```text
//! #[test]
//! fn something() {
//!     if !portcullis_restate_server::shared() {
//!         return;
//!     }
//!     // Here is the server, at `INGRESS` and `ADMIN`.
//! }
//! ```

mod place;
mod server;

pub use place::{own, shared};
pub use server::{ADMIN, INGRESS, Server, resident_kb};
