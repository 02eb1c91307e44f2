//! The types of the SDKs that are generated from the contract, building hooks that are not in Rust, and the packages that
//! their tests use.

pub mod c;
pub mod contract;
pub mod hooks;
pub mod packages;
