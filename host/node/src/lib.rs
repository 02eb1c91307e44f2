//! The native addon of the npm package `portcullis-host`.
//!
//! # Modules
//!
//! Lowest first: `error`; `keys` (the names of the contract in JavaScript); `request` and `reply` (JSON under
//! these names); `report` (log lines and jobs); `worker` (compiling in a child process); `host` (the hooks
//! of a directory).

// A test build does not register the addon's functions.
#![cfg_attr(test, allow(dead_code))]

mod error;
mod host;
mod keys;
mod reply;
mod report;
mod request;
mod worker;
