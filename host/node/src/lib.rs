//! The native addon of the npm package `portcullis-host`.
//!
//! # Modules
//!
//! Lowest first: `keys` (the names of the contract in JavaScript); `host` (the hooks of a directory).

mod host;
mod keys;
