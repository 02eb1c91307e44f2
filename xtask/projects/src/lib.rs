//! Generates the SDKs' types from the contract, builds hooks that are not in Rust, and holds the
//! code that tests of projects share: packages, and the directory that Rust is compiled into.

pub mod c;
pub mod contract;
pub mod hooks;
pub mod packages;
pub mod rust;
