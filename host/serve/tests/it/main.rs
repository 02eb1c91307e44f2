//! Requests over both sockets.

#![cfg(unix)]

#[path = "../../../dialects/tests/cases/mod.rs"]
#[allow(dead_code, reason = "the tests of the dialects use all of it")]
mod cases;

mod bounds;
mod calls;
mod client;
mod dialects;
mod end;
mod guard;
mod health;
mod places;
mod release;
mod server;
mod traced;
