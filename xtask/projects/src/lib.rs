//! The types of the SDKs that are generated from the contract, building hooks that are not in Rust, and what the tests of
//! projects share: packages, and the directory that Rust is compiled into.

pub mod c;
pub mod contract;
pub mod hooks;
pub mod packages;
pub mod rust;
